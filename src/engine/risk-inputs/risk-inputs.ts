import { JournalError } from '../../domain/errors.ts';
import { eventKey, type EventName, eventNameOf, isSameEvent } from '../../domain/events.ts';
import type { BetId, EventKey, OrderId, SelectionId } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../domain/live-order.ts';
import { isUnmatched, type VenueOrder } from '../../domain/orders.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';
import { DIRECTIONS } from '../../domain/selection.ts';
import { settlementOf } from '../../domain/settlement.ts';
import type { StreamSignal } from '../../domain/stream.ts';
import type { Ledger } from '../../ledger/index.ts';
import { ClockLead } from '../../lib/clock-lead.ts';
import type { Market } from '../../market/index.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Admission, KillRecord, OrderOutcome, Risk, RiskNotice, Scope } from '../../risk/index.ts';
import { ClosingWatch } from '../kill/closing-watch.ts';
import { KillLatch } from '../kill/kill-latch.ts';
import { Permit } from '../kill/permit.ts';
import {
  latchedOf,
  reportOf,
  resume,
  type ResumeObstacle,
  type ResumeParts,
  type ResumeReport,
} from '../kill/resume.ts';
import type { Strategies } from '../strategies.ts';
import { AccountWatch } from './account-watch.ts';
import { GridLookups } from './grid-lookups.ts';
import { MarketWatch } from './market-watch.ts';
import { PastEvents } from './past-events.ts';
import { profitLossByOwner } from './profit-loss.ts';
import { QuoteReasons, type QuoteReasonsDeps } from './quote-reasons.ts';
import { Results } from './results.ts';
import { type Remembered, RiskMemory, type RiskMemorySnapshot } from './risk-memory.ts';
import { createRiskMetrics } from './risk-metrics.ts';

/** What a change of state tells of an order's create request: each outcome once; null when it says nothing (yet). */
export function outcomeOf(before: OrderState | null, now: OrderState): OrderOutcome | null {
  if (now === before) return null;
  if (now === 'unknown') return 'unknown';
  if (now === 'refused') return 'refused';
  const wasOut = before === 'sending' || before === 'unknown';
  return wasOut && (now === 'live' || now === 'closed') ? 'accepted' : null;
}

export interface RiskInputsParts extends Pick<QuoteReasonsDeps, 'strategyThrows'> {
  readonly venue: Venue;
  readonly journal: Journal;
  /** Beside the journal: leave to trade. */
  readonly permit: SmallFile;
  /** Whether journal and permit end with this process. Default: no. */
  readonly inMemory?: boolean;
  /** Where the operator's kill file would be; null when none is configured. */
  readonly killFile: SmallFile | null;
  readonly market: Market;
  readonly orders: OrderManager;
  readonly risk: Risk;
  readonly ledger: Ledger;
  readonly strategies: Strategies;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Called when quotes have to be looked at before the market says anything: for one event, or (null) for all. */
export type Wake = (event: EventName | null) => void;

/** What a snapshot tells of open bets: a run that does not know them all leaves it as it was. */
type AboutBets = Required<Pick<RiskMemorySnapshot, 'places' | 'winnerMarkets' | 'fairs'>>;

const SAVE_EVERY_MS = 60_000;
/** Housekeeping that comes later than this was held up. */
const TICK_MS = 1_000;

/**
 * Brings to risk what the rest of the daemon learns, and does what risk asks for: the kill switch closes orders, a
 * guard or a halt wakes the engine, what must outlive a restart goes to the journal.
 */
export class RiskInputs {
  readonly watch: MarketWatch;
  readonly #parts: RiskInputsParts;
  readonly #memory: RiskMemory;
  readonly #results: Results;
  readonly #grids: GridLookups;
  readonly #account: AccountWatch;
  readonly #closing: ClosingWatch;
  readonly #latch: KillLatch;
  readonly #past: PastEvents;
  readonly #reasons: QuoteReasons;
  readonly #clockLead = new ClockLead();
  readonly #metrics;
  #wake: Wake = () => undefined;
  /** The first housekeeping saves, so that not even the first minute of a run can lose what nobody remembers. */
  #savedMs = -Infinity;
  #tickedMs: number | null = null;
  /** As it was known last: by the run before, until this one knows all bets. */
  #aboutBets: AboutBets = { places: [], winnerMarkets: [], fairs: [] };

  constructor(parts: RiskInputsParts) {
    this.#parts = parts;
    const { market, risk, ledger, clock, killFile, logger, inMemory = false } = parts;
    this.watch = new MarketWatch({ market, ledger, clock, guards: risk.guards });
    this.#memory = new RiskMemory(parts.journal);
    const remember = (write: () => void): void => void this.#remember(write);
    const wallMs = (): number => clock.wallMs();
    this.#results = new Results({ ledger, risk, memory: this.#memory, remember, wallMs });
    this.#grids = new GridLookups(parts);
    this.#account = new AccountWatch(parts);
    this.#closing = new ClosingWatch(clock);
    this.#past = new PastEvents(parts);
    this.#reasons = new QuoteReasons(parts);
    this.#latch = new KillLatch({
      ...{ memory: this.#memory, permit: new Permit(parts.permit), killFile, logger, inMemory },
      wallMs,
    });
    this.#metrics = createRiskMetrics(parts.metrics, risk);
  }

  /** Takes over what earlier runs left. Before the order manager starts. */
  restore(wake: Wake): void {
    this.#wake = wake;
    const { snapshot, settled, standing } = this.#recall();
    const { risk, orders, ledger, logger } = this.#parts;
    if (snapshot !== null) risk.restore(snapshot);
    const { places = [], winnerMarkets = [], fairs = [] } = snapshot ?? {};
    this.#aboutBets = { places, winnerMarkets, fairs };
    this.watch.recall(fairs);
    // Earlier versions did not write it down; without any snapshot nothing was judged.
    ledger.recallTotals(snapshot === null ? [] : (snapshot.eventTotals ?? null));
    this.#results.restore({ settled, standing });
    this.#takePermit();
    this.#metrics.updateKilled();
    if (risk.killed === null) return;
    logger.error('still killed since an earlier run; only a person resumes', { ...risk.killed });
    orders.stopQuoting(`killed: ${risk.killed.reason}`);
  }

  /** A kill that would be forgotten by a restart now, null when there is none. */
  get unlatched(): KillRecord | null {
    return this.#latch.unlatched;
  }

  /** Where the present kill is kept, over restarts but for `IN_MEMORY`; null when there is no kill, or it is kept nowhere. */
  get latchedIn(): string | null {
    return this.#latch.place;
  }

  /** A person's word to go on. */
  resume(reason: string, by: string): ResumeReport {
    return resume(this.#resumeParts(), reason, by);
  }

  /** What a person would have to confirm or mend before everything may be traded. */
  obstacles(): readonly ResumeObstacle[] {
    const now = latchedOf(this.#resumeParts());
    return reportOf(now, now).remaining;
  }

  /** Closing after a kill has not worked: the heartbeat must be left to expire. */
  get closingFailed(): boolean {
    return this.#closing.failed;
  }

  /** Whether nothing may rest on an event, or on a selection of it, whatever the market says. */
  isHalted(event: EventName): boolean {
    const { killed, states } = this.#parts.risk;
    const concerns = (scope: Scope): boolean => !('eventId' in scope) || isSameEvent(scope, event);
    return killed !== null || states.some(({ scope, state }) => state === 'halted' && concerns(scope));
  }

  /** What may rest of what the strategy wants on the chosen selections of an event. */
  admit(chosen: readonly SelectionId[], intents: readonly QuoteIntent[]): Admission {
    return this.#parts.risk.admit(chosen, intents);
  }

  onNotice(notice: RiskNotice): void {
    if ('alarm' in notice) return this.#onAlarm(notice);
    this.#metrics.updateKilled();
    if (notice.kind === 'killed' || notice.kind === 'kill_explained')
      this.#parts.orders.stopQuoting(`killed: ${notice.record.reason}`);
    this.#parts.logger.warn(`risk: ${notice.kind}`, { ...notice.record });
    if (notice.kind === 'killed') this.#keepKill(notice.record);
    else if (notice.kind === 'kill_explained') this.#latch.explain(notice.record, this.save());
    else if (notice.kind === 'resumed') this.#onResumed(notice.record);
    else if (!this.save())
      this.#parts.risk.kill(`a trading state was not written down: ${notice.record.why}`, 'journal');
    return this.#wake(null);
  }

  /** The order manager has latched itself off, and the journal does not know it. */
  onUnwrittenLatch(reason: string): void {
    this.#parts.risk.kill(`latched without being written down: ${reason}`, 'order manager');
  }

  onRefusal(codes: readonly string[]): void {
    for (const code of codes) this.#metrics.refused(code);
  }

  onOrder(order: LiveOrder, before: OrderState | null): void {
    this.#parts.risk.onOrder(order);
    this.#grids.want(order.sport, order.betType);
    this.watch.onOwnOrder(order.selectionId);
    const outcome = outcomeOf(before, order.state);
    if (outcome !== null) this.#parts.risk.guards.onOrderOutcome(outcome);
  }

  onFill(fill: Fill): void {
    const { ledger, risk, clock } = this.#parts;
    // What its event is judged by is soon written down: without that a result of one of its bets counts by itself in a next run.
    if (!ledger.isHeld(fill)) this.#savedMs = -Infinity;
    ledger.onFill(fill, clock.wallMs());
    this.#results.onBet(fill);
    risk.onFill(fill);
    this.#grids.want(fill.sport, fill.betType);
  }

  /** Wall-clock instant at which the result of an order was told last; null while it is not settled. */
  resultToldMs(orderId: OrderId): number | null {
    return this.#results.toldMs(orderId);
  }

  /** The exchange's word on an order of ours: its settlement ends the exposure of its bets. */
  onOwnOrder(order: VenueOrder): void {
    this.#noteDoubts(order);
    this.#results.onOrder(order, settlementOf(order));
  }

  /** Somebody else's order on the account counts until it is settled, too. */
  onForeignOrder(order: VenueOrder): void {
    const settlement = settlementOf(order);
    this.#parts.risk.onForeignOrder(order, settlement !== null);
    this.#noteDoubts(order);
    if (settlement === null) this.#grids.want(order.sport, order.betType);
    this.#results.onOrder(order, settlement);
  }

  /** A word from before it was matched leaves it in doubt, too: which of them is the later one nobody tells. */
  #noteDoubts({ bets }: VenueOrder): void {
    for (const bet of bets) this.#parts.risk.onDoubt(bet.betId, isUnmatched(bet));
  }

  /** A booked bet was taken back before its order was settled, or stands all the same: the last word counts. */
  onStanding(betId: BetId, stands: boolean): void {
    this.#results.onStanding(betId, stands);
  }

  onSignal(signal: StreamSignal): void {
    if (signal.kind !== 'frame') return;
    const { clock, risk } = this.#parts;
    const { sentMs, receivedMonotonicMs: receivedMs } = signal;
    if (sentMs !== null) {
      const offsetMs = this.#clockLead.observe(sentMs, receivedMs, clock.wallMs(), clock.monotonicMs());
      risk.guards.onClockOffset(offsetMs);
    }
    for (const entry of signal.entries) {
      if (entry.tag === 'clear_events') risk.guards.onFeedCleared();
      else if (entry.tag === 'balance') risk.onBalance(entry.balance);
    }
  }

  /** Every second: what only time changes. `chosen` are the quoted selections of these events. */
  housekeeping(events: readonly EventName[], chosen: ReadonlyMap<EventKey, readonly SelectionId[]>): void {
    this.#noteLag();
    this.watchKills();
    for (const name of events) {
      const selectionIds = chosen.get(eventKey(name)) ?? [];
      this.watch.see(name, selectionIds);
      for (const id of selectionIds) this.#wantGrids(id);
    }
    this.#grids.retry();
    this.#past.look(events);
    this.#reasons.look(new Set([...chosen.values()].flat()));
    this.#parts.risk.tick();
    this.#closing.see(this.#parts.risk.killed !== null, this.#parts.orders.openOrders());
    this.#account.tick();
    this.#parts.ledger.advance(this.#parts.clock.wallMs());
    this.#noteProfitLoss();
    this.#metrics.update();
    if (this.#parts.clock.monotonicMs() - this.#savedMs >= SAVE_EVERY_MS) this.save();
  }

  /**
   * Every second, before recovery as after it. Somebody outside may take the permit away, as `touchline kill` does when this
   * daemon does not answer; a kill that is latched nowhere may be now.
   */
  watchKills(): void {
    this.#latch.retry();
    const { risk } = this.#parts;
    const taken = risk.killed === null ? this.#latch.taken() : null;
    if (taken !== null) risk.kill(taken.reason, taken.by);
  }

  /** Makes durable what has to outlive a restart; answers whether the journal took it. */
  save(): boolean {
    this.#savedMs = this.#parts.clock.monotonicMs();
    const { risk, ledger } = this.#parts;
    const { places = [], winnerMarkets = [], ...known } = risk.snapshot();
    if (this.#knowsAllBets) this.#aboutBets = { places, winnerMarkets, fairs: this.watch.fairsHeld() };
    // Who does not know all bets looks at no event: what is remembered of them is still what was seen before.
    const eventTotals = ledger.judgedTotals();
    const snapshot = { ...known, ...this.#aboutBets, eventTotals };
    return this.#remember(() => this.#memory.save(snapshot));
  }

  /**
   * Before recovery is done, and without all of the journal, bets are missing, and what the others come to tells nothing:
   * what was known of bets and results last stays so, and the next run goes on from there.
   */
  get #knowsAllBets(): boolean {
    const { recovered, journalFailed } = this.#parts.orders.status();
    return recovered && !journalFailed;
  }

  #resumeParts(): ResumeParts {
    const { risk, orders } = this.#parts;
    return { risk, orders, killFileExists: () => this.#latch.killFileExists };
  }

  #keepKill(record: KillRecord): void {
    this.#latch.keep(record, () => this.save());
  }

  /** What a person has released stays released over a restart, or is not released. */
  #onResumed({ reason, by }: KillRecord): void {
    if (!this.save() || !this.#permitAgain()) {
      return this.#parts.risk.kill(`the resume was not written down: ${reason}`, by);
    }
    this.#parts.orders.resumeQuoting();
  }

  #permitAgain(): boolean {
    try {
      this.#latch.release();
      return true;
    } catch (error) {
      this.#parts.logger.error('the permit to trade cannot be put back', { error });
      return false;
    }
  }

  /** Takes over a kill of an earlier run from permit or journal: from now on both have it. */
  #takePermit(): void {
    const { risk } = this.#parts;
    const kill = this.#latch.earlier();
    if (kill === null) this.#remember(() => this.#memory.notePermit());
    else if (risk.killed === null) risk.restore({ kill, states: [], results: [] });
    if (risk.killed !== null) this.#keepKill(risk.killed);
  }

  /** Recovery reads less of the journal, and need not meet this damage: nothing is placed without a memory of losses. */
  #recall(): Remembered {
    try {
      return this.#memory.load();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#parts.logger.error('what risk knew of earlier runs cannot be read', { error });
      this.#parts.orders.journalFailed(error);
      return { snapshot: null, settled: [], standing: new Map() };
    }
  }

  /** Answers whether the journal took it. Stopping never waits for the journal. */
  #remember(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#parts.logger.error('risk could not be written to the journal', { error });
      return false;
    }
  }

  #onAlarm({ kind, alarm }: Extract<RiskNotice, { readonly alarm: unknown }>): void {
    const { guard, scope, effect, why, actual, limit } = alarm;
    const fields = { guard, scope, effect, why, actual, limit };
    if (kind === 'alarm') this.#metrics.raised(guard);
    if (kind === 'alarm') this.#parts.logger.warn('guard in force', fields);
    else this.#parts.logger.info('guard over', fields);
    this.#wake('eventId' in scope ? eventNameOf(scope) : null);
  }

  #wantGrids(id: SelectionId): void {
    const state = this.#parts.market.selection(id);
    if (state === undefined) return;
    for (const direction of DIRECTIONS) {
      const betType = state.betTypes[direction];
      // One direction tells what both pay.
      if (betType !== null) return this.#grids.want(state.selection.sport, betType);
    }
  }

  #noteProfitLoss(): void {
    if (!this.#knowsAllBets) return;
    const { risk, ledger, strategies, clock } = this.#parts;
    const totalMicros = ledger.judgedMicros((id) => this.watch.seeFair(id), clock.monotonicMs());
    risk.onProfitLoss({ kind: 'account' }, totalMicros);
    for (const [strategy, micros] of profitLossByOwner(totalMicros, ledger, strategies))
      risk.onProfitLoss({ kind: 'strategy', strategy }, micros);
  }

  #noteLag(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    if (this.#tickedMs !== null) this.#parts.risk.guards.onLoopLag(nowMs - this.#tickedMs - TICK_MS);
    this.#tickedMs = nowMs;
  }
}
