import { type ForeignOrder, GIVEN_UP_AFTER, type TrackedOrder } from '../../account/orders.ts';
import type { OrderId } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import { Pacer, pauseOf, type Repetition } from '../state/backoff.ts';
import type { OrderContext } from '../state/context.ts';
import { reportGivenUp } from '../state/sweeps.ts';
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

type Subject = TrackedOrder | ForeignOrder;

/** Number of look-ups of an order, and of "not found" answers in a row. */
interface Owed {
  tries: number;
  unknownTimes: number;
  nextMs: number;
}

/**
 * Looks up orders whose end the exchange has not reported in full: closed with matched stake whose bets we
 * have not received, or past their lapse without a report. Foreign orders are included. They stay in exposure
 * until the report comes.
 */
export class OverdueOrders {
  readonly #context: OrderContext;
  readonly #lookups: Lookups;
  readonly #foreignLookups: ForeignLookups;
  readonly #close: (tracked: TrackedOrder) => void;
  readonly #owed = new Map<Subject, Owed>();
  readonly #pacer = new Pacer();

  /** `close` closes an order that may be open past its lapse. */
  constructor(
    context: OrderContext,
    lookups: Lookups,
    foreignLookups: ForeignLookups,
    close: (tracked: TrackedOrder) => void,
  ) {
    [this.#context, this.#lookups, this.#foreignLookups, this.#close] = [
      context,
      lookups,
      foreignLookups,
      close,
    ];
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
    // This leaves out orders of unknown outcome, too: `UnknownOutcomes` looks them up.
    for (const subject of Array.from(this.#owed.keys()))
      if (this.#isTold(subject)) this.#owed.delete(subject);
    const waiting = [...this.#owed].sort(oursFirst);
    for (const [subject, state] of waiting) if (this.#isDue(subject, state)) this.#ask(subject, state);
  }

  #isTold(subject: Subject): boolean {
    return isOurs(subject)
      ? !['live', 'closing'].includes(subject.order.state)
      : !this.#context.book.isOverdue(subject);
  }

  #isDue(subject: Subject, state: Owed): boolean {
    const nowMs = this.#now();
    return nowMs >= state.nextMs && (!needsTurn(subject, state) || this.#pacer.take(nowMs, TURN_MS));
  }

  /** The client does not repeat a look-up, because its repeats would crowd out others. */
  #ask(subject: Subject, state: Owed): void {
    state.nextMs = this.#now() + pauseOf(isOurs(subject) ? ASKED : OTHERS_ASKED, state.tries++);
    if (state.tries === ALARM_TRIES) this.#alarm(isOurs(subject) ? subject.order.orderId : subject.orderId);
    if (isOurs(subject)) this.#lookups.ask(subject, (result) => this.#answered(subject, result, state), true);
    else void this.#foreignLookups.ask(subject.orderId, true);
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
    const overdue = this.#context.book.isOverdue(tracked);
    const toBeClosed = tracked.closeWanted || (overdue && state.tries >= CLOSE_TRIES);
    if (overdue && state.unknownTimes >= GIVEN_UP_AFTER) this.#giveUp(tracked);
    else if (toBeClosed && MAY_BE_OPEN.has(result)) this.#close(tracked);
  }

  #giveUp(tracked: TrackedOrder): void {
    reportGivenUp(this.#context, tracked.order.orderId);
    this.#context.book.apply(tracked, 'proven_absent', { closeReason: 'not_found' }, 'look-up');
  }

  #addOverdue(): void {
    const { book } = this.#context;
    for (const subject of [...book.active(), ...book.foreignOpen()])
      if (book.isOverdue(subject) && !this.#owed.has(subject)) this.#owe(subject);
  }

  #owe(subject: Subject): void {
    this.#owed.set(subject, { tries: 0, unknownTimes: 0, nextMs: this.#now() });
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

const isOurs = (subject: Subject): subject is TrackedOrder => subject.owner === 'own';

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
