import type { OrderId } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import { Pacer, pauseOf, type Repetition } from '../state/backoff.ts';
import type { OrderContext } from '../state/context.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import { GIVEN_UP_AFTER, OVERDUE_MS, reportGivenUp } from '../state/sweeps.ts';
import type { ForeignOrders } from './foreign-orders.ts';
import { type ForeignLookups, type LookupResult, type Lookups, MAY_BE_OPEN } from './lookups.ts';

const ASKED: Repetition = { firstMs: 250, longestMs: 10_000 };
/** Look-ups of foreign orders are rare, because no order of ours waits for them. */
const OTHERS_ASKED: Repetition = { firstMs: 10_000, longestMs: 10_000 };
/** Pause between two repeated look-ups, whatever the order: betslips and quotes use the same budget. */
const TURN_MS = 500;
/** Number of look-ups after which an alarm is raised. */
const ALARM_TRIES = 6;
/** Number of look-ups of an overdue order before it is closed if shown open. */
const CLOSE_TRIES = 3;

/** An order of ours, or the id of an order that is not in the journal. */
type Subject = TrackedOrder | OrderId;

/** Number of look-ups of an order, and of "not found" answers in a row. */
interface Owed {
  tries: number;
  unknownTimes: number;
  nextMs: number;
}

export interface OverdueOrdersParts {
  readonly lookups: Lookups;
  readonly foreign: ForeignOrders;
  readonly foreignLookups: ForeignLookups;
  /** Closes an order that may be open past its lapse. */
  close(tracked: TrackedOrder): void;
}

/**
 * Looks up orders whose end the exchange has not reported in full: closed with matched stake whose bets we
 * have not received, or past their lapse without a report. Foreign orders are included. They stay in exposure
 * until the report comes.
 */
export class OverdueOrders {
  readonly #context: OrderContext;
  readonly #parts: OverdueOrdersParts;
  readonly #owed = new Map<Subject, Owed>();
  readonly #pacer = new Pacer();

  constructor(context: OrderContext, parts: OverdueOrdersParts) {
    [this.#context, this.#parts] = [context, parts];
  }

  owes(tracked: TrackedOrder): boolean {
    return this.#owed.has(tracked);
  }

  /** Looks up an order that the exchange showed closed, but without all of its bets. */
  want(tracked: TrackedOrder): void {
    if (!this.#owed.has(tracked)) this.#owe(tracked);
  }

  get dueMs(): number {
    let dueMs = Infinity;
    for (const [subject, state] of this.#owed) dueMs = Math.min(dueMs, this.#dueMs(subject, state));
    return dueMs;
  }

  #dueMs(subject: Subject, state: Owed): number {
    return needsTurn(subject, state) ? Math.max(state.nextMs, this.#pacer.freeMs) : state.nextMs;
  }

  sweep(): void {
    this.#addOverdue();
    for (const subject of [...this.#owed.keys()]) if (this.#isTold(subject)) this.#owed.delete(subject);
    const waiting = [...this.#owed].sort(oursFirst);
    for (const [subject, state] of waiting) if (this.#isDue(subject, state)) this.#ask(subject, state);
  }

  #isTold(subject: Subject): boolean {
    return isOurs(subject)
      ? !['live', 'closing'].includes(subject.order.state)
      : !this.#parts.foreign.isOverdue(subject);
  }

  #isDue(subject: Subject, state: Owed): boolean {
    const nowMs = this.#now();
    return nowMs >= state.nextMs && (!needsTurn(subject, state) || this.#pacer.take(nowMs, TURN_MS));
  }

  /** The client does not repeat a look-up, because its repeats would crowd out others. */
  #ask(subject: Subject, state: Owed): void {
    state.nextMs = this.#now() + pauseOf(isOurs(subject) ? ASKED : OTHERS_ASKED, state.tries++);
    if (state.tries === ALARM_TRIES) this.#alarm(isOurs(subject) ? subject.order.orderId : subject);
    const { lookups, foreignLookups } = this.#parts;
    if (isOurs(subject)) lookups.ask(subject, (result) => this.#answered(subject, result, state), true);
    else void foreignLookups.ask(subject, true);
  }

  #alarm(orderId: OrderId | null): void {
    this.#context.metrics.alarms.inc({ kind: 'incomplete' });
    this.#context.log.error('the exchange does not report all bets of an order', { orderId });
  }

  /**
   * An overdue order that look-ups keep showing open is closed. It is also closed while look-ups fail, since
   * closes may work.
   *
   * An overdue order with several "not found" answers in a row cannot be open, and is given up. While an order
   * is to be closed, only this class looks it up.
   */
  #answered(tracked: TrackedOrder, result: LookupResult, state: Owed): void {
    if (result === 'open' || result === 'over') state.unknownTimes = 0;
    if (result === 'not_found') state.unknownTimes++;
    if (isTerminal(tracked.order.state)) return;
    const overdue = this.#now() >= (tracked.lapsesMonotonicMs ?? Infinity) + OVERDUE_MS;
    const toBeClosed = tracked.closeWanted || (overdue && state.tries >= CLOSE_TRIES);
    if (overdue && state.unknownTimes >= GIVEN_UP_AFTER) this.#giveUp(tracked);
    else if (toBeClosed && MAY_BE_OPEN.has(result)) this.#parts.close(tracked);
  }

  #giveUp(tracked: TrackedOrder): void {
    reportGivenUp(this.#context, tracked.order.orderId);
    this.#context.book.apply(tracked, 'proven_absent', { closeReason: 'not_found' }, 'look-up');
  }

  #addOverdue(): void {
    const now = this.#now();
    for (const tracked of this.#context.book.active()) {
      if (tracked.order.state !== 'live' && tracked.order.state !== 'closing') continue;
      if (now < (tracked.lapsesMonotonicMs ?? Infinity) + OVERDUE_MS || this.#owed.has(tracked)) continue;
      this.#owe(tracked);
    }
    for (const orderId of this.#parts.foreign.overdue()) if (!this.#owed.has(orderId)) this.#owe(orderId);
  }

  #owe(subject: Subject): void {
    this.#owed.set(subject, { tries: 0, unknownTimes: 0, nextMs: this.#now() });
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

const isOurs = (subject: Subject): subject is TrackedOrder => typeof subject === 'object';

/**
 * Sorts our orders first, because closes wait for their look-ups. Within each group, the order that has
 * waited longest comes first: otherwise the first of many would take every turn.
 */
function oursFirst(
  [a, { nextMs: aMs }]: readonly [Subject, Owed],
  [b, { nextMs: bMs }]: readonly [Subject, Owed],
): number {
  return Number(isOurs(b)) - Number(isOurs(a)) || aMs - bMs;
}

/** Every look-up needs a turn, except the first one of an order of ours. */
const needsTurn = (subject: Subject, { tries }: Owed): boolean => tries > 0 || !isOurs(subject);
