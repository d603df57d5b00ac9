import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../../app/adapters/system-clock.ts';
import type { Config } from '../../../app/config/load.ts';
import type {
  DayRange,
  FillRow,
  HistoryMarkout,
  HistoryReader,
  HistorySums,
  NearMiss,
  Terms,
} from '../../../app/history/read-history.ts';
import { fillSelectionName } from '../../../app/names.ts';
import { TouchlineError } from '../../../domain/errors.ts';
import { selectionPrice } from '../../../domain/odds.ts';
import { tradingDays } from '../../../lib/trading-day.ts';
import { parseInteger } from '../../input/arguments.ts';
import { type ConfigOptions, configOf, withConfigOptions } from '../../input/exchange-command.ts';
import { instant, priceIs, usdt } from '../../input/values.ts';
import { jsonText, renderCsv, renderTable, type Row } from '../../output/output.ts';

interface HistoryOptions extends ConfigOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: Grouping;
  readonly fills?: boolean;
  readonly alerts?: boolean;
  readonly explain?: boolean;
  readonly worst?: boolean;
  readonly url?: string;
  readonly limit: number;
  readonly csv?: boolean;
  readonly ids?: boolean;
  readonly json?: boolean;
}

const GROUPINGS = ['day', 'event', 'strategy', 'total'] as const;
type Grouping = (typeof GROUPINGS)[number];

/** `touchline history`: what the account earned, from the file that the daemon keeps beside its journal. */
export function historyCommand(): Command {
  const command = new Command('history')
    .description('show what was earned, today or on other days, by day, event or strategy, or fill by fill')
    .option('--by <what>', `group by ${GROUPINGS.join(', ')}`, parseGrouping, 'total')
    .option('--from <day>', 'first trading day, as 2026-01-31 (default: today)', parseDay)
    .option('--to <day>', 'last trading day (default: the first one given, else today)', parseDay)
    .option('--all', 'all days of the history')
    .option('--fills', 'list each fill, newest first')
    .option('--alerts', 'list what alarmed, newest first, also what is over')
    .option('--explain', 'with --fills, on paper: why each was filled, and the near misses')
    .option('--worst', 'with --fills: those first that lost most within ten seconds')
    .option('--limit <n>', 'print at most this many rows', parseInteger(1, 1_000_000), 100)
    .option('--ids', 'with --fills: also show the ids of selections')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .addOption(new Option('--url <url>').hideHelp());
  return withConfigOptions(command).action(async (options: HistoryOptions & { readonly all?: boolean }) => {
    checkOptions(options);
    const { configuredHistory } = await import('../../../app/history/read-history.ts');
    const config = (await configOf(options)).values;
    const history = configuredHistory(config);
    try {
      const range = options.all === true ? {} : rangeOf(options, config);
      const rows =
        options.alerts === true
          ? alertsIn(history, range, config, options.limit)
          : rowsOf(history, { ...range, commissionRate: config.exchange.commissionRate }, options);
      print(options, rows);
    } finally {
      history.close();
    }
  });
}

/** Throws TouchlineError `usage` for options that contradict each other. */
function checkOptions(options: HistoryOptions): void {
  const fault = options.url === undefined ? contradictionIn(options) : NO_DAEMON;
  if (fault !== null) throw new TouchlineError('usage', fault);
}

/** Other commands ask a daemon by its address. */
const NO_DAEMON =
  'history asks no daemon: it reads the file beside the journal, so leave --url out and name the journal as the daemon does, by --config FILE or --set journal.path=FILE. A daemon without a journal shows what it earned on its dashboard, under "Over time"';

/** How options may contradict each other. */
const RULES: readonly (readonly [isBroken: (options: HistoryOptions) => boolean, fault: string])[] = [
  [
    ({ from, to }) => from !== undefined && to !== undefined && to < from,
    '--to must not be earlier than --from',
  ],
  [
    ({ fills, alerts, by }) => (fills === true || alerts === true) && by !== 'total',
    '--fills and --alerts list each: leave --by out',
  ],
  [({ explain, fills }) => explain === true && fills !== true, '--explain tells of fills: add --fills'],
  [({ worst, fills }) => worst === true && fills !== true, '--worst orders fills: add --fills'],
  [({ csv, json }) => csv === true && json === true, 'choose --csv or --json'],
];

const contradictionIn = (options: HistoryOptions): string | null =>
  RULES.find(([isBroken]) => isBroken(options))?.[1] ?? null;

function parseGrouping(text: string): Grouping {
  const found = GROUPINGS.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(`expected one of ${GROUPINGS.join(', ')}`);
  return found;
}

function parseDay(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDay) throw new InvalidArgumentError('expected a day such as 2026-01-31');
  return text;
}

/** Days from their names, both included. */
function rangeOf({ from, to }: HistoryOptions, { tradingDay }: Config): { from: string; to: string } {
  const today = tradingDays(tradingDay).nameOf(systemClock.wallMs());
  return { from: from ?? to ?? today, to: to ?? from ?? today };
}

function rowsOf(history: HistoryReader, terms: Terms, options: HistoryOptions): readonly Row[] {
  const { by, fills, limit } = options;
  // Programs get every id.
  const ids = options.ids === true || options.json === true || options.csv === true;
  const { explain: explains = false, worst = false } = options;
  if (fills === true) return fillsIn(history, terms, limit, { ids, explains, worst });
  if (by === 'day')
    return history
      .byDay(terms)
      .slice(0, limit)
      .map(({ day, ...sums }) => ({ day, ...sumsRow(sums) }));
  if (by === 'strategy')
    return history
      .byStrategy(terms)
      .slice(0, limit)
      .map(({ strategy, ...sums }) => ({ strategy: strategy ?? '-', ...sumsRow(sums) }));
  if (by === 'event')
    return history
      .byEvent(terms)
      .slice(0, limit)
      .map(({ title, eventId, sport, openMicros, ...sums }) => ({
        event: title ?? eventId,
        sport,
        ...sumsRow(sums),
        open: openMicros === null ? null : usdt(openMicros),
      }));
  return [{ days: daysIn(terms), ...sumsRow(history.total(terms)) }];
}

/** Alerts by the trading day on which they began. */
function alertsIn(
  history: HistoryReader,
  { from = '', to = '9999' }: DayRange,
  { tradingDay }: Config,
  limit: number,
): readonly Row[] {
  const days = tradingDays(tradingDay);
  return history
    .alerts({ limit: Number.MAX_SAFE_INTEGER })
    .filter(({ atMs }) => days.nameOf(atMs) >= from && days.nameOf(atMs) <= to)
    .slice(0, limit)
    .map(({ kind, severity, title, text, atMs, untilMs }) => ({
      time: instant(atMs),
      until: untilMs === null ? null : instant(untilMs),
      severity,
      kind,
      alert: title,
      cause: text,
    }));
}

const daysIn = ({ from, to }: Terms): string =>
  from === undefined ? 'all' : from === to ? from : `${from} to ${to}`;

interface FillsShown {
  readonly ids: boolean;
  readonly explains: boolean;
  readonly worst: boolean;
}

/** The largest loss within ten seconds first. What has no mark-out yet comes last. */
const byLoss = (a: FillRow, b: FillRow): number =>
  (a.markouts[10] ?? Infinity) - (b.markouts[10] ?? Infinity) || 0;

/** Fills by the trading day that they are booked on; with the near misses of paper orders, if they are explained. */
function fillsIn(
  history: HistoryReader,
  { from = '', to = '9999' }: Terms,
  limit: number,
  { ids, explains, worst }: FillsShown,
): readonly Row[] {
  const all = { limit: Number.MAX_SAFE_INTEGER };
  const isAsked = ({ day }: { readonly day: string }): boolean => day >= from && day <= to;
  const asked = history.fills(all).filter(isAsked);
  const fills = (worst ? asked.toSorted(byLoss) : asked)
    .slice(0, limit)
    .map((fill) => ({ ...fillRow(fill, ids), ...(explains ? { cause: fill.cause, near_miss: null } : {}) }));
  if (!explains) return fills;
  return [
    ...fills,
    ...history
      .nearMisses(all)
      .filter(isAsked)
      .slice(0, limit)
      .map((miss) => nearMissRow(miss, ids)),
  ];
}

/** With the columns of a fill. Nothing was filled, so those of a bet are empty. */
const nearMissRow = (miss: NearMiss, ids: boolean): Row => ({
  time: instant(miss.atMs),
  day: miss.day,
  bet_id: null,
  order_id: miss.orderId,
  strategy: null,
  event: miss.title ?? miss.eventId,
  selection: fillSelectionName(miss),
  ...(ids ? { selection_id: miss.selectionId } : {}),
  direction: miss.direction,
  price: miss.price,
  price_is: priceIs(miss.priceKind),
  selection_price: Number(selectionPrice(miss.priceKind, miss.price).toFixed(6)),
  stake: null,
  role: null,
  fair: null,
  voided: null,
  ...Object.fromEntries(HORIZONS.map((s) => [`markout_${s}s_usdt`, null])),
  cause: miss.cause,
  near_miss: usdt(miss.missedMicros),
});

const HORIZONS = [1, 10, 60];

const sumsRow = (sums: HistorySums): Row => ({
  bets: sums.bets,
  stake: usdt(sums.stakeMicros),
  settled_orders: sums.orders,
  settled: usdt(sums.settledMicros),
  commission: usdt(sums.commissionMicros),
  profit: usdt(sums.settledMicros - sums.commissionMicros),
  spread: usdt(sums.spreadMicros),
  move: usdt(sums.moveMicros),
  settlement: usdt(sums.settlementMicros),
  unattributed: usdt(sums.unattributedMicros),
  ...Object.fromEntries(sums.markouts.map((each) => [`markout_${each.horizonS}s_percent`, percentOf(each)])),
});

/** The columns of amounts in USDT. */
const isAmount = (name: string): boolean =>
  /^(stake|near_miss|settled|commission|profit|spread|move|settlement|unattributed|open|markout_\d+s_usdt)$/.test(
    name,
  );

const percentOf = ({ micros, stakeMicros }: HistoryMarkout): number | null =>
  stakeMicros === 0 ? null : Number(((100 * micros) / stakeMicros).toFixed(3));

/** Price and stake are the exchange's own. */
export const fillRow = (fill: FillRow, ids = false): Row => ({
  time: instant(fill.atMs),
  day: fill.day,
  bet_id: fill.betId,
  order_id: fill.orderId,
  strategy: fill.strategy,
  event: fill.title ?? fill.eventId,
  selection: fillSelectionName(fill),
  ...(ids ? { selection_id: fill.selectionId } : {}),
  direction: fill.direction,
  price: fill.price,
  price_is: priceIs(fill.priceKind),
  selection_price: Number(selectionPrice(fill.priceKind, fill.price).toFixed(6)),
  stake: usdt(fill.stakeMicros),
  role: fill.role,
  fair: fill.fair === null ? null : Number(fill.fair.toFixed(6)),
  voided: fill.voided,
  ...Object.fromEntries(
    Object.entries(fill.markouts).map(([s, micros]) => [`markout_${s}s_usdt`, usdt(micros)]),
  ),
});

function print({ csv, json }: HistoryOptions, rows: readonly Row[]): void {
  const lines =
    json === true
      ? [jsonText(rows)]
      : csv === true
        ? renderCsv(rows)
        : rows.length === 0
          ? ['nothing']
          : renderTable(rows, isAmount);
  process.stdout.write(`${lines.join('\n')}\n`);
}
