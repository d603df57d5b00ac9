import type { AccountChange } from '../../account/changes.ts';
import { eventKey, type EventName, eventNameOf, isSameEvent } from '../../domain/events.ts';
import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Balance } from '../../domain/orders.ts';
import type { Micros } from '../../domain/money.ts';
import { DIRECTIONS } from '../../domain/selection.ts';
import type { StreamSignal } from '../../domain/stream.ts';
import type { Core } from '../core.ts';
import { ClockLead } from '../../lib/clock-lead.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import type { Venue } from '../../ports/venue.ts';
import type { OrderOutcome, RiskNotice, Scope } from '../../risk/index.ts';
import { ClosingWatch } from '../kill/kill-latch.ts';
import { latchedOf, reportOf, resume, type ResumeObstacle, type ResumeReport } from '../kill/resume.ts';
import { profitLossByOwner } from '../strategy-profit.ts';
import { latchedStrategies, type LatchedStrategy } from '../strategy-latch.ts';
import { AccountWatch, OF_MONEY } from './account-watch.ts';
import { GridLookups } from './grid-lookups.ts';
import { KeptRisk } from './kept-risk.ts';
import { PastEvents } from './past-events.ts';
import { QuoteReasons, type PresentFaults } from './quote-reasons.ts';
import { createRiskMetrics } from './risk-metrics.ts';

/** A guard tolerates a few digits; more would only look exact. */
const DIGITS = 4;

/** A figure of a guard for people. */
export const figure = <T>(value: T): T | number =>
  typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value;

/**
 * The outcome of an order's create request, as a change of state shows it. Each outcome is returned once; null while there is
 * none.
 */
export function outcomeOf(before: OrderState | null, now: OrderState): OrderOutcome | null {
  if (now === before) return null;
  if (now === 'unknown') return 'unknown';
  if (now === 'refused') return 'refused';
  const wasOut = before === 'sending' || before === 'unknown';
  return wasOut && (now === 'live' || now === 'closed') ? 'accepted' : null;
}

export interface RiskInputsParts {
  readonly venue: Venue;
  readonly journal: Journal;
  /** The permit to trade, a file beside the journal. */
  readonly permit: SmallFile;
  /** Whether journal and permit end with this process. Default: no. */
  readonly inMemory?: boolean;
  /** The operator's kill file; null if none is configured. */
  readonly killFile: SmallFile | null;
  readonly core: Core;
  /** See `KeptRisk`. */
  readonly alsoValued?: () => readonly SelectionId[];
  readonly orders: OrderManager;
  readonly faults: PresentFaults;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Requests a decision before the market changes: for one event, or (null) for all. */
export type Wake = (event: EventName | null) => void;

export interface ReportedBalance extends Balance {
  /** Monotonic instant of the report. */
  readonly reportedMs: number;
}

/** Expected interval of housekeeping. Any excess is event-loop lag. */
const TICK_MS = 1_000;

/**
 * Feeds risk with what the rest of the daemon learns, and carries out what risk demands. The kill switch closes orders, a guard
 * or a halt wakes the engine, and `kept` writes down what must survive a restart.
 */
export class RiskInputs {
  readonly kept: KeptRisk;
  readonly #parts: RiskInputsParts;
  readonly #grids: GridLookups;
  readonly #account: AccountWatch;
  readonly #closing: ClosingWatch;
  readonly #past: PastEvents;
  readonly #reasons: QuoteReasons;
  readonly #clockLead = new ClockLead();
  readonly #metrics;
  #wake: Wake = () => undefined;
  #tickedMs: number | null = null;
  #profits: ReadonlyMap<string, Micros> = new Map();
  #balance: ReportedBalance | null = null;

  constructor(parts: RiskInputsParts) {
    this.#parts = parts;
    const { venue, core, orders, clock, logger } = parts;
    this.kept = new KeptRisk({ ...parts, fairValues: core.fairValues });
    this.#grids = new GridLookups(venue, core, clock, logger);
    this.#account = new AccountWatch(venue, core, clock, logger);
    this.#closing = new ClosingWatch(clock);
    this.#past = new PastEvents(core, clock);
    this.#reasons = new QuoteReasons(core, orders, parts.faults);
    this.#metrics = createRiskMetrics(parts.metrics, core.risk, core.strategies.names);
  }

  /** Restores the state of earlier runs. Call it before the order manager starts. */
  restore(wake: Wake): void {
    this.#wake = wake;
    this.kept.restore();
    const { core, orders, logger } = this.#parts;
    const { risk } = core;
    this.#metrics.updateKilled();
    if (risk.killed === null) return;
    logger.error('still killed since an earlier run; only a person resumes', { ...risk.killed });
    orders.stopQuoting(`killed: ${risk.killed.reason}`);
  }

  /** Resumes on a person's command. */
  resume(reason: string, by: string): ResumeReport {
    return resume(this.#parts.core, this.#parts.orders, this.kept, reason, by);
  }

  /**
   * The judged profit of each strategy that runs or owns an event, as of the last housekeeping. They add up to the account's. All are
   * 0 until recovery has found every bet.
   */
  get profitByStrategy(): ReadonlyMap<string, Micros> {
    if (this.#profits.size > 0) return this.#profits;
    return new Map(this.#parts.core.strategies.names.map((name) => [name, 0]));
  }

  /** The conditions that a person has to confirm or repair before everything may be traded. */
  obstacles(): readonly ResumeObstacle[] {
    const now = latchedOf(this.#parts.core, this.#parts.orders, this.kept);
    return reportOf(now, now).remaining;
  }

  /** The account's balance as the exchange last reported it; null before that. */
  get balance(): ReportedBalance | null {
    return this.#balance;
  }

  /** Whether closing after a kill has failed. The heartbeat must then be left to expire. */
  get closingFailed(): boolean {
    return this.#closing.failed;
  }

  /** Whether nothing may rest on an event, or on one of its selections, whatever the market shows. */
  isHalted(event: EventName): boolean {
    const { risk, strategies } = this.#parts.core;
    const { killed, states } = risk;
    const quoter = strategies.quoterOf(event);
    const concerns = (scope: Scope): boolean =>
      scope.kind === 'strategy'
        ? scope.strategy === quoter
        : !('eventId' in scope) || isSameEvent(scope, event);
    return killed !== null || states.some(({ scope, state }) => state === 'halted' && concerns(scope));
  }

  /** The strategies that hung and are not called until a person resumes. */
  latchedStrategies(): readonly LatchedStrategy[] {
    return latchedStrategies(this.#parts.core.risk);
  }

  onNotice(notice: RiskNotice): void {
    if ('alarm' in notice) {
      // A restart must not forget that a score went back.
      if (notice.alarm.guard === 'score_change') this.kept.saveSoon();
      return this.#onAlarm(notice);
    }
    this.#metrics.updateKilled();
    if (notice.kind === 'killed' || notice.kind === 'kill_explained')
      this.#parts.orders.stopQuoting(`killed: ${notice.record.reason}`);
    this.#parts.logger.warn(`risk: ${notice.kind}`, { ...notice.record });
    if (notice.kind === 'killed') this.kept.keepKill(notice.record);
    else if (notice.kind === 'kill_explained') this.kept.explainKill(notice.record);
    else if (notice.kind === 'resumed') this.kept.keepResume(notice.record);
    else if (!this.kept.save())
      this.#kill(`a trading state was not written down: ${notice.record.why}`, 'journal');
    return this.#wake(null);
  }

  /** The order manager latched itself off, and the journal has no record of it. */
  onUnwrittenLatch(reason: string): void {
    this.#kill(`latched without being written down: ${reason}`, 'order manager');
  }

  onRefusal(codes: readonly string[]): void {
    for (const code of codes) this.#metrics.refused(code);
  }

  /** A change of the account, after risk and ledger know it. */
  onChange(change: AccountChange): void {
    switch (change.kind) {
      case 'order': {
        const { order, before } = change;
        this.#grids.want(order.sport, order.betType);
        if (before !== order.state && OF_MONEY.test(order.closeReason ?? '')) this.#account.onWantOfMoney();
        const outcome = outcomeOf(before, order.state);
        if (outcome !== null) this.#parts.core.apply({ kind: 'order_outcome', outcome });
        return undefined;
      }
      case 'foreign_order':
        return change.isSettled ? undefined : this.#grids.want(change.order.sport, change.order.betType);
      case 'booked':
        return this.#onBooked(change.fill);
      case 'balance':
        this.#balance = { ...change.balance, reportedMs: this.#parts.clock.monotonicMs() };
        return undefined;
      case 'moved':
      case 'result':
      case 'reopened':
        return this.kept.bets.keep(change);
      case 'owned':
      case 'other_account':
        return undefined;
    }
  }

  #onBooked(fill: Fill): void {
    // The first bet of an event: its totals are saved soon. Without them the next run would count the result of each of its bets
    // separately.
    if (this.#parts.core.ledger.openBets(fill) <= 1) this.kept.saveSoon();
    this.#grids.want(fill.sport, fill.betType);
  }

  onSignal(signal: StreamSignal): void {
    if (signal.kind !== 'frame') return;
    const { clock, core } = this.#parts;
    const { sentMs, receivedMonotonicMs: receivedMs } = signal;
    if (sentMs !== null) {
      const offsetMs = this.#clockLead.observe(sentMs, receivedMs, clock.wallMs(), clock.monotonicMs());
      core.apply({ kind: 'clock_offset', offsetMs });
    }
    for (const entry of signal.entries) {
      if (entry.tag === 'clear_events') core.apply({ kind: 'feed_cleared' });
      else if (entry.tag === 'balance')
        this.#parts.core.account.apply({ kind: 'balance', balance: entry.balance });
    }
  }

  /** Work that depends on time alone, every second. `chosen` are the quoted selections of these events. */
  housekeeping(events: readonly EventName[], chosen: ReadonlyMap<EventKey, readonly SelectionId[]>): void {
    this.#noteLag();
    this.#noteClockOffset();
    this.kept.watchKills();
    for (const name of events) {
      const selectionIds = chosen.get(eventKey(name)) ?? [];
      this.#parts.core.apply({ kind: 'seen', event: name });
      for (const id of selectionIds) this.#wantGrids(id);
    }
    this.#grids.retry();
    this.#past.look(events);
    this.#reasons.look(new Set([...chosen.values()].flat()));
    this.#parts.core.apply({ kind: 'second' });
    this.#closing.see(this.#parts.core.risk.killed !== null, this.#parts.orders.openOrders());
    this.#account.tick();
    this.#parts.core.ledger.advance(this.#parts.clock.wallMs());
    this.#noteProfitLoss();
    this.#metrics.update();
    this.kept.housekeeping();
  }

  #kill(why: string, by: string): void {
    this.#parts.core.apply({ kind: 'kill', why, by });
  }

  #onAlarm({ kind, alarm }: Extract<RiskNotice, { readonly alarm: unknown }>): void {
    const { guard, scope, effect, why, actual, limit } = alarm;
    const fields = { guard, scope, effect, why, actual: figure(actual), limit: figure(limit) };
    if (kind === 'alarm') this.#metrics.raised(guard);
    if (kind === 'alarm') this.#parts.logger.warn('guard in force', fields);
    else this.#parts.logger.info('guard over', fields);
    this.#wake('eventId' in scope ? eventNameOf(scope) : null);
  }

  #wantGrids(id: SelectionId): void {
    const state = this.#parts.core.market.selection(id);
    if (state === undefined) return;
    for (const direction of DIRECTIONS) {
      const betType = state.betTypes[direction];
      // The payoff grid of either direction covers both.
      if (betType !== null) return this.#grids.want(state.selection.sport, betType);
    }
  }

  #noteProfitLoss(): void {
    if (!this.kept.knowsAllBets) return;
    const { core, clock } = this.#parts;
    const { ledger, strategies } = core;
    const totalMicros = ledger.judgedMicros((id) => core.fairValues.seeFair(id), clock.monotonicMs());
    core.apply({ kind: 'profit', of: { kind: 'account' }, totalMicros });
    this.#profits = profitLossByOwner(totalMicros, ledger, strategies);
    for (const [strategy, micros] of this.#profits)
      core.apply({ kind: 'profit', of: { kind: 'strategy', strategy }, totalMicros: micros });
    this.#metrics.updateProfits(this.#profits);
  }

  /** Our wall clock may be set while no frame arrives: our monotonic clock shows what the exchange's is now. */
  #noteClockOffset(): void {
    const { clock, core } = this.#parts;
    const exchangeMs = this.#clockLead.exchangeMs(clock.monotonicMs());
    if (exchangeMs !== null) core.apply({ kind: 'clock_offset', offsetMs: clock.wallMs() - exchangeMs });
  }

  #noteLag(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    if (this.#tickedMs !== null)
      this.#parts.core.apply({ kind: 'loop_lag', lagMs: nowMs - this.#tickedMs - TICK_MS });
    this.#tickedMs = nowMs;
  }
}
