import { marketOfOrder } from '../../domain/exchange-prices.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import { keyOf } from '../betslips/slot.ts';
import { latch, type OrderContext } from '../state/context.ts';
import { type Attempt, FruitlessAttempts, SOON_MS } from '../state/fruitless.ts';
import type { TrackedOrder } from '../state/own-orders.ts';

/** A look-up told that the exchange does not know the order any more, see `OverdueOrders`. */
const VANISHED = 'not_found';

/** The attempts of an account, with what a person is told about them. `context` is read only once attempts fail. */
export function fruitlessAttemptsOf(now: () => number, context: () => OrderContext): FruitlessAttempts {
  return new FruitlessAttempts({
    now,
    onFruitless: (kind, { market }, reason, pauseMs) => {
      context().metrics.fruitless.inc({ kind });
      context().log.warn('what the exchange had accepted came to nothing', { kind, market, reason, pauseMs });
    },
    onAlarm: (kind, market, rounds) => {
      context().metrics.alarms.inc({ kind: 'fruitless' });
      context().log.error('what the exchange accepts comes to nothing, again and again', {
        ...{ kind, market, rounds },
      });
    },
    onLatch: (kind, rounds) =>
      latch(context(), `${rounds} times in a row the exchange accepted what came to nothing: ${kind}`),
  });
}

/** A smaller part of its stake is no use of an order that was meant to rest. */
const LEAST_PART = 0.1;

/** Whether a fill is of use. Of an order that only takes, any fill is. */
const isOfUse = ({ stakeMicros, mode }: LiveOrder, micros: Micros): boolean =>
  micros > 0 && (mode === 'take_only' || micros >= LEAST_PART * stakeMicros);

/** Judges whether our orders bear fruit: whether they rest, are filled with bets that stand, or are closed by us. */
export class FruitlessOrders {
  readonly #context: OrderContext;
  /** Orders that were filled lately, and the monotonic instant of it. */
  readonly #filled = new Map<TrackedOrder, number>();

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** Handles a change of an order. */
  changed(tracked: TrackedOrder, before: LiveOrder | null): void {
    const { order } = tracked;
    const attempt = attemptOf(tracked);
    if (attempt === null || before === null) return;
    const { fruitless } = this.#context;
    if (order.filledMicros > before.filledMicros && isOfUse(order, order.filledMicros))
      this.#filled.set(tracked, this.#now());
    if (order.state !== 'closed' || before.state === 'closed') return;
    if (order.closeReason === VANISHED) return fruitless.failed('report', attempt, 'vanished');
    fruitless.lasted('report', attempt);
    if (!this.#filled.has(tracked)) this.#judgeUnfilled(tracked, attempt);
  }

  /** An order that we close too soon shows nothing. */
  #judgeUnfilled(tracked: TrackedOrder, attempt: Attempt): void {
    const { fruitless } = this.#context;
    const { order, closeWanted } = tracked;
    if (closeWanted ? this.#hasBegun(tracked) : this.#hasRested(tracked)) fruitless.lasted('order', attempt);
    else if (!closeWanted) fruitless.failed('order', attempt, order.closeReason ?? 'closed');
  }

  /** Filled orders are judged by every sweep. */
  get dueMs(): number {
    return this.#filled.size > 0 ? -Infinity : Infinity;
  }

  /** Judges filled orders by whether their bets stand. While orders come to nothing, looks for one that rests. */
  sweep(): void {
    const { fruitless, book } = this.#context;
    for (const [tracked, filledMs] of this.#filled) this.#judgeFilled(tracked, filledMs);
    fruitless.sweep();
    if (!fruitless.isOn('order')) return;
    for (const tracked of book.active()) {
      const attempt = attemptOf(tracked);
      if (attempt !== null && tracked.order.state === 'live' && this.#hasRested(tracked))
        fruitless.lasted('order', attempt);
    }
  }

  /** A fill bears fruit once its bets have stood for a while: an exchange may void them at once. */
  #judgeFilled(tracked: TrackedOrder, filledMs: number): void {
    const { fruitless, deps } = this.#context;
    const attempt = attemptOf(tracked);
    const { orderId } = tracked.order;
    const standsMicros = orderId === null ? 0 : deps.account.bets.standingOf(orderId);
    const stands = isOfUse(tracked.order, standsMicros);
    if (stands && this.#now() - filledMs < SOON_MS) return;
    this.#filled.delete(tracked);
    if (attempt === null) return;
    if (stands) fruitless.lasted('order', attempt);
    else fruitless.failed('order', attempt, 'its bets do not stand');
  }

  /** Monotonic instant until which no order may begin on the market; Infinity while the outcome of another decides. */
  untilMs(market: BetslipRequest): number {
    const { fruitless } = this.#context;
    const key = keyOf(market);
    const pending = (): number => this.#unproven();
    // An order that cannot be closed gets no companion.
    if (fruitless.persists('close', key)) return Infinity;
    return Math.max(fruitless.untilMs('order', key, pending), fruitless.untilMs('report', key));
  }

  /** The number of orders of which it is open whether they begin to rest, or whether their bets stand. */
  #unproven(): number {
    return (
      [...this.#context.book.active()].filter(
        (tracked) =>
          ['prepared', 'sending'].includes(tracked.order.state) ||
          (tracked.order.state === 'live' && !this.#hasBegun(tracked) && !this.#filled.has(tracked)),
      ).length + this.#filled.size
    );
  }

  /** An order that ends sooner without our asking did not rest: an exchange may end all of them after a few seconds, or a minute. */
  #hasRested(tracked: TrackedOrder): boolean {
    return this.#ageMs(tracked) >= halfLifeMs(tracked);
  }

  /** An order rests so far that another may be tried beside it, and that our own close of it shows no fault of the exchange. */
  #hasBegun(tracked: TrackedOrder): boolean {
    return this.#ageMs(tracked) >= Math.min(SOON_MS, halfLifeMs(tracked));
  }

  #ageMs({ sentMonotonicMs }: TrackedOrder): number {
    return this.#now() - (sentMonotonicMs ?? -Infinity);
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

const halfLifeMs = ({ place }: TrackedOrder): number => place.durationS * 500;

/** The attempt of an order of this run; null for one of an earlier run, whose beginning tells nothing. */
function attemptOf({ order, sentMonotonicMs, recovered }: TrackedOrder): Attempt | null {
  if (recovered || sentMonotonicMs === null) return null;
  return { market: keyOf(marketOfOrder(order)), beganMs: sentMonotonicMs };
}
