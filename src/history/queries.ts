import type { DatabaseSync } from 'node:sqlite';
import type { EventName } from '../domain/events.ts';
import { FILL_CAUSES, type FillCause } from '../domain/fill-cause.ts';
import type { BetId, EventId, OrderId, SelectionId, Sport } from '../domain/ids.ts';
import type { Participants } from '../domain/selection-name.ts';
import type { PriceKind } from '../domain/odds.ts';
import { HORIZONS_S, markedStakeMicros } from '../ledger/index.ts';
import type {
  DaySums,
  Deposit,
  EventSums,
  FillRow,
  HistoryAlert,
  HistorySums,
  NearMiss,
  ProfitRow,
  Reconciliation,
  RunRow,
  Sample,
  StrategySums,
} from './facts.ts';
import type { BalanceReading, DescribedEvent, FillQuery, SampleQuery, Terms } from './history.ts';
import { numberIn, numberOrNull, type Row, sideIn, textIn, textOrNull } from './rows.ts';

/** Columns that group sums: the key of a group. */
type Group = 'day' | 'strategy' | 'event' | 'all';

const KEYS: Readonly<Record<Group, readonly string[]>> = {
  day: ['day'],
  strategy: ['strategy'],
  event: ['sport', 'event_id'],
  all: [],
};

const FIRST_DAY = '';
const LAST_DAY = '9999-99-99';

const MARKED_STAKE = 'marked_stake';

/** Lets queries ask for the stake that a mark-out is a share of. A price without a kind is that of the selection. */
export function addFunctions(db: DatabaseSync): void {
  db.function(MARKED_STAKE, { deterministic: true }, (kind, price, stake) =>
    BigInt(
      markedStakeMicros({
        priceKind: (kind ?? 'odds-for') as PriceKind,
        price: Number(price),
        stakeMicros: Number(stake),
      }),
    ),
  );
}

const markoutSums = HORIZONS_S.map(
  (s) =>
    `COUNT(mark_${s}) fills_${s}, IFNULL(SUM(mark_${s}), 0) micros_${s}, ` +
    `IFNULL(SUM(CASE WHEN mark_${s} IS NOT NULL THEN ${MARKED_STAKE}(price_kind, price, stake) END), 0) stake_${s}`,
).join(', ');

/** Sums of fills: `keys` are columns that group them. */
const fillSums = (keys: readonly string[]): string =>
  `SELECT ${[...keys, `COUNT(*) bets, IFNULL(SUM(stake), 0) stake, ${markoutSums}`].join(', ')}
   FROM fills WHERE voided = 0 AND day BETWEEN ? AND ?${groupBy(keys)}`;

/** Sums of results. Commission is taken from the winnings: the net profit of an event on a day, where it is positive. */
const resultSums = (keys: readonly string[]): string => {
  const inner = [...new Set([...keys, 'day', 'sport', 'event_id', 'strategy'])];
  return `SELECT ${[...keys, 'SUM(orders) orders, SUM(profit) profit, SUM(spread) spread, SUM(move) move'].join(', ')},
     SUM(settlement) settlement, SUM(unattributed) unattributed, SUM(MAX(profit, 0)) winnings
   FROM (SELECT ${inner.join(', ')}, COUNT(*) orders, SUM(profit) profit, IFNULL(SUM(spread), 0) spread,
       IFNULL(SUM(move), 0) move, IFNULL(SUM(settlement), 0) settlement,
       SUM(CASE WHEN spread IS NULL THEN profit ELSE 0 END) unattributed
     FROM results WHERE day BETWEEN ? AND ? GROUP BY ${inner.join(', ')})${groupBy(keys)}`;
};

const SUMS = [
  'bets',
  'stake',
  'orders',
  'profit',
  'spread',
  'move',
  'settlement',
  'unattributed',
  'winnings',
];
const MARKOUT_COLUMNS = HORIZONS_S.flatMap((s) => [`fills_${s}`, `micros_${s}`, `stake_${s}`]);
/** Columns of the table `days` beside its key. */
export const SUM_COLUMNS: readonly string[] = [...SUMS, ...MARKOUT_COLUMNS];

const prunedSums = (keys: readonly string[]): string =>
  `SELECT ${[...keys, ...SUM_COLUMNS.map((column) => `SUM(${column}) ${column}`)].join(', ')}
   FROM days WHERE day BETWEEN ? AND ?${groupBy(keys)}`;

const groupBy = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`;

interface Grouped {
  readonly key: Row;
  readonly sums: Map<string, number>;
}

/** Sums of a range of days by group, from the details and from the sums of days whose details were deleted. */
export function sumsBy(db: DatabaseSync, group: Group, { from, to }: Pick<Terms, 'from' | 'to'>): Grouped[] {
  const keys = KEYS[group];
  const found = new Map<string, Grouped>();
  const range = [from ?? FIRST_DAY, to ?? LAST_DAY] as const;
  const add = (sql: string): void => {
    for (const row of db.prepare(sql).all(...range)) {
      const { strategy } = row;
      const key = strategy === '' ? { ...row, strategy: null } : row;
      const name = JSON.stringify(keys.map((column) => key[column] ?? null));
      const grouped = found.get(name) ?? { key, sums: new Map<string, number>() };
      for (const column of SUM_COLUMNS)
        grouped.sums.set(column, (grouped.sums.get(column) ?? 0) + Number(row[column] ?? 0));
      found.set(name, grouped);
    }
  };
  add(fillSums(keys));
  add(resultSums(keys));
  if (group !== 'event') add(prunedSums(keys));
  return [...found.values()];
}

/** The sums of a day by strategy, as the table `days` keeps them. */
export const sumsOfDay = (db: DatabaseSync, day: string): readonly Grouped[] =>
  sumsBy(db, 'strategy', { from: day, to: day });

function historySums(sums: ReadonlyMap<string, number>, commissionRate: number): HistorySums {
  const of = (column: string): number => sums.get(column) ?? 0;
  return {
    bets: of('bets'),
    stakeMicros: of('stake'),
    orders: of('orders'),
    settledMicros: of('profit'),
    winningsMicros: of('winnings'),
    commissionMicros: Math.ceil(of('winnings') * commissionRate),
    spreadMicros: of('spread'),
    moveMicros: of('move'),
    settlementMicros: of('settlement'),
    unattributedMicros: of('unattributed'),
    markouts: HORIZONS_S.map((s) => ({
      horizonS: s,
      fills: of(`fills_${s}`),
      micros: of(`micros_${s}`),
      stakeMicros: of(`stake_${s}`),
    })),
  };
}

export function total(db: DatabaseSync, terms: Terms): HistorySums {
  const [all] = sumsBy(db, 'all', terms);
  return historySums(all?.sums ?? new Map(), terms.commissionRate);
}

export const byDay = (db: DatabaseSync, terms: Terms): readonly DaySums[] =>
  sumsBy(db, 'day', terms)
    .map(({ key, sums }) => ({ day: textIn(key, 'day'), ...historySums(sums, terms.commissionRate) }))
    .toSorted((a, b) => (a.day < b.day ? 1 : -1));

export const byStrategy = (db: DatabaseSync, terms: Terms): readonly StrategySums[] =>
  sumsBy(db, 'strategy', terms)
    .map(({ key, sums }) => ({
      strategy: textOrNull(key, 'strategy'),
      ...historySums(sums, terms.commissionRate),
    }))
    .toSorted((a, b) => ((a.strategy ?? '\uffff') < (b.strategy ?? '\uffff') ? -1 : 1));

/** A reading has the profit of the whole event. A run takes one a minute, if the profit changed. */
const OPEN_PROFIT = `
  SELECT profit - (SELECT IFNULL(SUM(profit), 0) FROM results WHERE sport = :sport AND event_id = :eventId) open
  FROM profits WHERE of = 'event' AND name = :sport || '|' || :eventId AND EXISTS (
    SELECT 1 FROM fills WHERE sport = :sport AND event_id = :eventId AND voided = 0
      AND NOT EXISTS (SELECT 1 FROM results WHERE results.order_id = fills.order_id)
  ) ORDER BY at_ms DESC LIMIT 1`;

export function byEvent(db: DatabaseSync, terms: Terms): readonly EventSums[] {
  const description = db.prepare('SELECT title, start_ms FROM events WHERE sport = ? AND event_id = ?');
  const owner = db.prepare(
    'SELECT strategy FROM fills WHERE sport = ? AND event_id = ? AND strategy IS NOT NULL LIMIT 1',
  );
  const open = db.prepare(OPEN_PROFIT);
  return sumsBy(db, 'event', terms)
    .map(({ key, sums }): EventSums => {
      const [sport, eventId] = [textIn(key, 'sport'), textIn(key, 'event_id')];
      const event = description.get(sport, eventId);
      return {
        sport: sport as Sport,
        eventId: eventId as EventId,
        title: textOrNull(event, 'title'),
        startMs: numberOrNull(event, 'start_ms'),
        strategy: textOrNull(owner.get(sport, eventId), 'strategy'),
        openMicros: numberOrNull(open.get({ sport, eventId }), 'open'),
        ...historySums(sums, terms.commissionRate),
      };
    })
    .toSorted((a, b) => (b.startMs ?? 0) - (a.startMs ?? 0) || (a.eventId < b.eventId ? 1 : -1));
}

export function described(db: DatabaseSync, { sport, eventId }: EventName): DescribedEvent | null {
  const row = db
    .prepare('SELECT title, start_ms FROM events WHERE sport = ? AND event_id = ?')
    .get(sport, eventId);
  return row === undefined ? null : { title: textIn(row, 'title'), startMs: numberOrNull(row, 'start_ms') };
}

/** The teams of an event's row. */
function whoIn(row: Row): Pick<FillRow, 'who'> {
  const who = textOrNull(row, 'who');
  return who === null ? {} : { who: JSON.parse(who) as Participants };
}

export function fills(db: DatabaseSync, { fromMs, toMs, limit }: FillQuery): readonly FillRow[] {
  const rows = db
    .prepare(
      `SELECT fills.*, events.title, event_teams.who, paper_fills.cause FROM fills
       LEFT JOIN events USING (sport, event_id) LEFT JOIN event_teams USING (sport, event_id)
       LEFT JOIN paper_fills ON paper_fills.bet_id = fills.bet_id AND paper_fills.order_id = fills.order_id
       WHERE fills.at_ms >= ? AND fills.at_ms < ? ORDER BY fills.at_ms DESC, fills.bet_id DESC LIMIT ?`,
    )
    .all(fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER, limit);
  return rows.map((row) => ({
    betId: numberIn(row, 'bet_id') as BetId,
    orderId: numberIn(row, 'order_id') as OrderId,
    strategy: textOrNull(row, 'strategy'),
    sport: textIn(row, 'sport') as Sport,
    eventId: textIn(row, 'event_id') as EventId,
    selectionId: textIn(row, 'selection_id') as SelectionId,
    title: textOrNull(row, 'title'),
    ...whoIn(row),
    ...sideIn(row),
    price: numberIn(row, 'price'),
    stakeMicros: numberIn(row, 'stake'),
    role: textIn(row, 'role') as FillRow['role'],
    atMs: numberIn(row, 'at_ms'),
    day: textIn(row, 'day'),
    fair: numberOrNull(row, 'fair'),
    voided: row['voided'] === 1,
    cause: causeIn(row),
    markouts: {
      1: numberOrNull(row, 'mark_1'),
      10: numberOrNull(row, 'mark_10'),
      60: numberOrNull(row, 'mark_60'),
    },
  }));
}

/** A voided bet has no other cause. */
function causeIn(row: Row): FillCause | null {
  const told = textOrNull(row, 'cause');
  if (told === null) return null;
  if (row['voided'] === 1) return 'voided';
  return FILL_CAUSES.find((each) => each === told) ?? 'other';
}

export function nearMisses(db: DatabaseSync, { fromMs, toMs, limit }: FillQuery): readonly NearMiss[] {
  const rows = db
    .prepare(
      `SELECT touched.*, touched.touch - (
         SELECT IFNULL(SUM(stake), 0) FROM paper_fills q WHERE q.order_id = touched.order_id AND q.model = 'queue'
       ) missed, events.title, event_teams.who
       FROM (
         SELECT order_id, sport, event_id, selection_id, direction, price_kind, price, cause, day,
           MIN(at_ms) at_ms, SUM(stake) touch
         FROM paper_fills WHERE model = 'touch' GROUP BY order_id
       ) touched
       LEFT JOIN events USING (sport, event_id) LEFT JOIN event_teams USING (sport, event_id)
       WHERE missed > 0 AND at_ms >= ? AND at_ms < ? ORDER BY at_ms DESC, order_id DESC LIMIT ?`,
    )
    .all(fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER, limit);
  return rows.map((row) => ({
    orderId: numberIn(row, 'order_id') as OrderId,
    sport: textIn(row, 'sport') as Sport,
    eventId: textIn(row, 'event_id') as EventId,
    selectionId: textIn(row, 'selection_id') as SelectionId,
    title: textOrNull(row, 'title'),
    ...whoIn(row),
    ...sideIn(row),
    price: numberIn(row, 'price'),
    day: textIn(row, 'day'),
    atMs: numberIn(row, 'at_ms'),
    missedMicros: numberIn(row, 'missed'),
    cause: causeIn(row) ?? 'other',
  }));
}

export const alerts = (
  db: DatabaseSync,
  { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, limit }: FillQuery,
): readonly HistoryAlert[] =>
  db
    .prepare('SELECT * FROM alerts WHERE at_ms >= ? AND at_ms < ? ORDER BY at_ms DESC, kind LIMIT ?')
    .all(Math.round(fromMs), Math.round(toMs), limit)
    .map((row) => ({
      kind: textIn(row, 'kind'),
      severity: textIn(row, 'severity') as HistoryAlert['severity'],
      title: textIn(row, 'title'),
      text: textIn(row, 'text'),
      atMs: numberIn(row, 'at_ms'),
      untilMs: numberOrNull(row, 'until_ms'),
    }));

export const runs = (db: DatabaseSync, limit: number): readonly RunRow[] =>
  db
    .prepare('SELECT * FROM runs ORDER BY start_ms DESC, rowid DESC LIMIT ?')
    .all(limit)
    .map((row) => {
      const how = textIn(row, 'how') as RunRow['how'];
      return {
        runId: textIn(row, 'run_id'),
        version: textIn(row, 'version'),
        mode: textIn(row, 'mode'),
        startMs: numberIn(row, 'start_ms'),
        endMs: how === 'running' ? null : numberIn(row, 'seen_ms'),
        how,
        profitMicros: numberIn(row, 'profit'),
      };
    });

export const reconciliations = (db: DatabaseSync, limit: number): readonly Reconciliation[] =>
  db
    .prepare('SELECT * FROM reconciliations ORDER BY at_ms DESC LIMIT ?')
    .all(limit)
    .map((row) => ({
      atMs: numberIn(row, 'at_ms'),
      sinceMs: numberOrNull(row, 'since_ms'),
      balanceMicros: numberIn(row, 'balance'),
      changeMicros: numberIn(row, 'change'),
      settledMicros: numberIn(row, 'settled'),
      commissionMicros: numberIn(row, 'commission'),
      depositsMicros: numberIn(row, 'deposits'),
      residualMicros: numberIn(row, 'residual'),
    }));

export const deposits = (db: DatabaseSync, limit: number): readonly Deposit[] =>
  db
    .prepare('SELECT * FROM deposits ORDER BY at_ms DESC, rowid DESC LIMIT ?')
    .all(limit)
    .map((row) => ({
      id: textIn(row, 'id'),
      atMs: numberIn(row, 'at_ms'),
      amountMicros: numberIn(row, 'amount'),
      note: textIn(row, 'note'),
      by: textIn(row, 'author'),
    }));

export function samples(db: DatabaseSync, { fromMs, toMs, points }: SampleQuery): readonly Sample[] {
  const everyMs = Math.max(1, Math.ceil((toMs - fromMs) / points));
  const rows = db
    .prepare(
      `SELECT * FROM samples WHERE at_ms IN (
         SELECT MAX(at_ms) FROM samples WHERE at_ms >= ? AND at_ms < ? GROUP BY (at_ms - CAST(? AS INTEGER)) / CAST(? AS INTEGER)) ORDER BY at_ms`,
    )
    .all(fromMs, toMs, fromMs, everyMs);
  return rows.map((row) => ({
    atMs: numberIn(row, 'at_ms'),
    settledMicros: numberIn(row, 'settled'),
    expectedMicros: numberIn(row, 'expected'),
    worstMicros: numberIn(row, 'worst'),
    grossMicros: numberIn(row, 'gross'),
    openStakeMicros: numberIn(row, 'open_stake'),
    ordersOpen: numberIn(row, 'orders_open'),
    wanted: numberIn(row, 'wanted'),
    quoted: numberIn(row, 'quoted'),
    twoSided: numberIn(row, 'two_sided'),
  }));
}

/** More lines than this tell nothing. */
const MOST_PROFITS = 40;

export function profits(db: DatabaseSync, { fromMs, toMs, points }: SampleQuery): readonly ProfitRow[] {
  const everyMs = Math.max(1, Math.ceil((toMs - fromMs) / points));
  const rows = db
    .prepare(
      `SELECT MAX(profits.at_ms) at_ms, profits.of, profits.name, profits.profit, events.title FROM profits
       JOIN (
         SELECT of, name FROM profits WHERE at_ms >= :from AND at_ms < :to
         GROUP BY of, name ORDER BY of = 'strategy' DESC, MAX(ABS(profit)) DESC LIMIT ${MOST_PROFITS}
       ) most USING (of, name)
       LEFT JOIN events ON profits.of = 'event' AND events.sport || '|' || events.event_id = profits.name
       WHERE profits.at_ms >= :from AND profits.at_ms < :to
       GROUP BY profits.of, profits.name, (profits.at_ms - CAST(:from AS INTEGER)) / CAST(:every AS INTEGER)
       ORDER BY at_ms, profits.of, profits.name`,
    )
    .all({ from: Math.round(fromMs), to: Math.round(toMs), every: everyMs });
  return rows.map((row) => ({
    atMs: numberIn(row, 'at_ms'),
    of: textIn(row, 'of') as ProfitRow['of'],
    name: textIn(row, 'name'),
    profitMicros: numberIn(row, 'profit'),
    title: textOrNull(row, 'title'),
  }));
}

export function lastBalance(db: DatabaseSync): BalanceReading | null {
  const row = db.prepare('SELECT * FROM balances ORDER BY at_ms DESC LIMIT 1').get();
  if (row === undefined) return null;
  return {
    atMs: numberIn(row, 'at_ms'),
    balanceMicros: numberIn(row, 'balance'),
    openStakeMicros: numberIn(row, 'open_stake'),
    smartCreditMicros: numberOrNull(row, 'smart_credit'),
  };
}
