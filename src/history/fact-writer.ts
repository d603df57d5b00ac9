import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { EventId, OrderId, Sport } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { TradingDays } from '../lib/trading-day.ts';
import { sourcesOf } from '../ledger/index.ts';
import type {
  HistoryAlert,
  HistoryFact,
  HistoryFill,
  HistoryPaperFill,
  HistoryResult,
  ProfitReading,
  Sample,
} from './facts.ts';
import { numberIn, numberOrNull, type Row, sideIn, storedKind, textIn, textOrNull } from './rows.ts';

type Values = Readonly<Record<string, SQLInputValue>>;
/** The sources of a result; null if they are not known. */
type SourceColumns = Readonly<Record<'spread' | 'move' | 'settlement', Micros | null>>;
type FactOf<Kind extends HistoryFact['kind']> = Extract<HistoryFact, { readonly kind: Kind }>;

/** Writes facts to the tables, so that a repeated fact changes nothing. Call within a transaction. */
export class FactWriter {
  readonly #db: DatabaseSync;
  readonly #days: TradingDays;
  /** Facts of earlier days are ignored: their sums are final. */
  #prunedBefore: string;

  constructor(db: DatabaseSync, days: TradingDays) {
    this.#db = db;
    this.#days = days;
    this.#prunedBefore = textOrNull(db.prepare('SELECT before_day FROM pruned').get(), 'before_day') ?? '';
  }

  forgetBefore(day: string): void {
    if (day > this.#prunedBefore) this.#prunedBefore = day;
  }

  write(fact: HistoryFact): void {
    switch (fact.kind) {
      case 'fill':
        return this.#writeFill(fact.fill);
      case 'paper_fill':
        return this.#writePaperFill(fact.fill);
      case 'markout':
        return this.#writeMarkout(fact);
      case 'validity':
        return this.#writeValidity(fact);
      case 'result':
        return this.#writeResult(fact.result);
      case 'reopened':
        return this.#run('DELETE FROM results WHERE order_id = ?', fact.orderId);
      case 'event':
        return this.#writeEvent(fact);
      case 'run_started':
      case 'run_seen':
      case 'run_ended':
        return this.#writeRun(fact);
      case 'sample':
        return this.#writeSample(fact.sample);
      case 'profit':
        return this.#writeProfit(fact.profit);
      case 'alert':
        return this.#writeAlert(fact.alert);
      default:
        return this.#writeMoney(fact);
    }
  }

  #writePaperFill(fill: HistoryPaperFill): void {
    const day = this.#days.nameOf(fill.atMs);
    if (day < this.#prunedBefore) return;
    this.#insert('keep', 'paper_fills', {
      bet_id: fill.betId,
      model: fill.model,
      order_id: fill.orderId,
      sport: fill.sport,
      event_id: fill.eventId,
      selection_id: fill.selectionId,
      direction: fill.direction,
      price_kind: storedKind(fill),
      price: fill.price,
      stake: fill.stakeMicros,
      cause: fill.cause,
      at_ms: Math.round(fill.atMs),
      day,
    });
  }

  /** A fill that was reported before its fair probability is never valued later: only the first report knows it. */
  #writeFill(fill: HistoryFill): void {
    const day = this.#days.nameOf(fill.atMs);
    if (day < this.#prunedBefore) return;
    const { betId, orderId, strategy, sport, eventId } = fill;
    const voided = this.#get('SELECT 1 FROM voids WHERE bet_id = ?', betId) === undefined ? 0 : 1;
    this.#insert('keep', 'fills', {
      bet_id: betId,
      order_id: orderId,
      strategy,
      sport,
      event_id: eventId,
      selection_id: fill.selectionId,
      direction: fill.direction,
      price: fill.price,
      price_kind: storedKind(fill),
      stake: fill.stakeMicros,
      role: fill.role,
      at_ms: fill.atMs,
      day,
      fair: fill.fair,
      voided,
    });
    // The result may have been reported first, and may name another event if the exchange moved the order.
    const place = [strategy, sport, eventId] as const;
    this.#run(
      'UPDATE results SET strategy = ?, sport = ?, event_id = ? WHERE order_id = ?',
      ...place,
      orderId,
    );
  }

  #writeMarkout({ betId, horizonS, micros }: FactOf<'markout'>): void {
    const column = `mark_${horizonS}`;
    this.#run(`UPDATE fills SET ${column} = ? WHERE bet_id = ? AND ${column} IS NULL`, micros, betId);
  }

  /** A bet may be voided before its fill is reported. */
  #writeValidity({ betId, stands }: FactOf<'validity'>): void {
    if (stands) this.#run('DELETE FROM voids WHERE bet_id = ?', betId);
    else this.#run('INSERT OR IGNORE INTO voids VALUES (?)', betId);
    this.#run('UPDATE fills SET voided = ? WHERE bet_id = ?', stands ? 0 : 1, betId);
  }

  #writeResult(result: HistoryResult): void {
    const { orderId, profitMicros } = result;
    const before = this.#get('SELECT * FROM results WHERE order_id = ?', orderId);
    if (before !== undefined) return this.#correct(result, before);
    const { lastFair } = result;
    const atMs = Math.round(result.atMs);
    const day = this.#days.nameOf(atMs);
    if (day < this.#prunedBefore) return;
    const { strategy, sport, eventId } = this.#placeOf(result);
    this.#insert('keep', 'results', {
      order_id: orderId,
      strategy,
      sport,
      event_id: eventId,
      last_fair: lastFair,
      at_ms: atMs,
      day,
      profit: profitMicros,
      ...this.#sourcesOf(orderId, lastFair, profitMicros),
    });
  }

  /** A correction counts on the day of the first result. The market that it meets has moved on. */
  #correct({ orderId, profitMicros }: HistoryResult, before: Row): void {
    if (numberIn(before, 'profit') === profitMicros) return;
    const lastFair = numberOrNull(before, 'last_fair');
    const { spread, move, settlement } = this.#sourcesOf(orderId, lastFair, profitMicros);
    this.#run(
      'UPDATE results SET profit = ?, spread = ?, move = ?, settlement = ? WHERE order_id = ?',
      profitMicros,
      spread,
      move,
      settlement,
      orderId,
    );
  }

  #sourcesOf(orderId: OrderId, lastFair: number | null, profitMicros: Micros): SourceColumns {
    const bets = this.#db.prepare('SELECT * FROM fills WHERE order_id = ?').all(orderId);
    const valued = bets.map((row) => ({
      terms: { ...sideIn(row), price: numberIn(row, 'price'), stakeMicros: numberIn(row, 'stake') },
      fairAtFill: numberOrNull(row, 'fair'),
      lastFair,
    }));
    const sources = sourcesOf(valued, profitMicros);
    if (sources === null) return { spread: null, move: null, settlement: null };
    return { spread: sources.spreadMicros, move: sources.moveMicros, settlement: sources.luckMicros };
  }

  /** The strategy and the event of an order's bets; without bets, the event that the result names. */
  #placeOf({ orderId, sport, eventId }: HistoryResult): Pick<HistoryFill, 'strategy' | 'sport' | 'eventId'> {
    const bet = this.#get('SELECT strategy, sport, event_id FROM fills WHERE order_id = ? LIMIT 1', orderId);
    if (bet === undefined) return { strategy: null, sport, eventId };
    return {
      strategy: textOrNull(bet, 'strategy'),
      sport: textIn(bet, 'sport') as Sport,
      eventId: textIn(bet, 'event_id') as EventId,
    };
  }

  #writeEvent({ event: { sport, eventId }, title, startMs, who }: FactOf<'event'>): void {
    this.#insert('replace', 'events', { sport, event_id: eventId, title, start_ms: startMs });
    if (who !== undefined)
      this.#insert('replace', 'event_teams', { sport, event_id: eventId, who: JSON.stringify(who) });
  }

  #writeRun(fact: FactOf<'run_started' | 'run_seen' | 'run_ended'>): void {
    if (fact.kind !== 'run_started') {
      const how = fact.kind === 'run_ended' ? 'clean' : 'running';
      const { atMs, profitMicros, runId } = fact;
      const sql = `UPDATE runs SET seen_ms = ?, profit = ?, how = ? WHERE run_id = ? AND how = 'running'`;
      return this.#run(sql, atMs, profitMicros, how, runId);
    }
    const { runId, version, mode, atMs } = fact.run;
    // One process at a time holds the account, so any other run has ended without a word.
    this.#run(`UPDATE runs SET how = 'not clean' WHERE how = 'running' AND run_id <> ?`, runId);
    this.#insert('keep', 'runs', {
      run_id: runId,
      version,
      mode,
      start_ms: atMs,
      seen_ms: atMs,
      how: 'running',
      profit: 0,
    });
  }

  #writeAlert({ kind, severity, title, text, atMs, untilMs }: HistoryAlert): void {
    const times = { at_ms: Math.round(atMs), until_ms: untilMs === null ? null : Math.round(untilMs) };
    this.#insert('replace', 'alerts', { ...times, kind, severity, title, text });
  }

  #writeSample(sample: Sample): void {
    this.#insert('replace', 'samples', {
      at_ms: sample.atMs,
      settled: sample.settledMicros,
      expected: sample.expectedMicros,
      worst: sample.worstMicros,
      gross: sample.grossMicros,
      open_stake: sample.openStakeMicros,
      orders_open: sample.ordersOpen,
      wanted: sample.wanted,
      quoted: sample.quoted,
      two_sided: sample.twoSided,
    });
  }

  #writeProfit({ atMs, of, name, profitMicros }: ProfitReading): void {
    this.#insert('replace', 'profits', { at_ms: atMs, of, name, profit: profitMicros });
  }

  #writeMoney(fact: FactOf<'balance' | 'reconciliation' | 'deposit'>): void {
    if (fact.kind === 'balance') {
      const { balanceMicros, openStakeMicros, smartCreditMicros } = fact.balance;
      this.#insert('replace', 'balances', {
        at_ms: Math.round(fact.atMs),
        balance: balanceMicros,
        open_stake: openStakeMicros,
        smart_credit: smartCreditMicros,
      });
    } else if (fact.kind === 'deposit') {
      const { id, atMs, amountMicros, note, by } = fact.deposit;
      this.#insert('keep', 'deposits', {
        id,
        at_ms: atMs,
        amount: amountMicros,
        note,
        author: by,
      });
    } else {
      const { reconciliation: made } = fact;
      this.#insert('replace', 'reconciliations', {
        at_ms: made.atMs,
        since_ms: made.sinceMs,
        balance: made.balanceMicros,
        change: made.changeMicros,
        settled: made.settledMicros,
        commission: made.commissionMicros,
        deposits: made.depositsMicros,
        residual: made.residualMicros,
      });
    }
  }

  #get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#db.prepare(sql).get(...values);
  }

  #run(sql: string, ...values: readonly SQLInputValue[]): void {
    this.#db.prepare(sql).run(...values);
  }

  /** Inserts a row. One with the same key stays, or is replaced. */
  #insert(how: 'keep' | 'replace', table: string, values: Values): void {
    const columns = Object.keys(values);
    const places = columns.map(() => '?').join(', ');
    const [verb, otherwise] =
      how === 'keep' ? ['INSERT', 'ON CONFLICT DO NOTHING'] : ['INSERT OR REPLACE', ''];
    const sql = `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${places}) ${otherwise}`;
    this.#run(sql, ...Object.values(values));
  }
}
