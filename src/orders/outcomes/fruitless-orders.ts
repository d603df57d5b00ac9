import { marketOfOrder } from '../../domain/exchange-prices.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
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

/** Judges whether our orders bear fruit: whether they rest, are filled, or are closed by us. */
export class FruitlessOrders {
  readonly #context: OrderContext;

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** Handles a change of an order. */
  changed(tracked: TrackedOrder, before: LiveOrder | null): void {
    const { order, closeWanted } = tracked;
    const attempt = attemptOf(tracked);
    if (attempt === null || before === null) return;
    const { fruitless } = this.#context;
    if (order.filledMicros > before.filledMicros) return fruitless.lasted('order', attempt);
    if (order.state !== 'closed' || before.state === 'closed') return;
    if (order.closeReason === VANISHED) return fruitless.failed('report', attempt, 'vanished');
    fruitless.lasted('report', attempt);
    if (order.filledMicros > 0) return;
    if (this.#hasRested(tracked)) return fruitless.lasted('order', attempt);
    // An order that we close so soon shows nothing.
    if (!closeWanted) fruitless.failed('order', attempt, order.closeReason ?? 'closed');
  }

  /** While orders come to nothing, looks for one that rests. */
  sweep(): void {
    const { fruitless, book } = this.#context;
    fruitless.sweep();
    if (!fruitless.isOn('order')) return;
    for (const tracked of book.active()) {
      const attempt = attemptOf(tracked);
      if (attempt !== null && tracked.order.state === 'live' && this.#hasRested(tracked))
        fruitless.lasted('order', attempt);
    }
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

  /** The number of orders of which it is open whether they rest. */
  #unproven(): number {
    return [...this.#context.book.active()].filter(
      (tracked) =>
        ['prepared', 'sending'].includes(tracked.order.state) ||
        (tracked.order.state === 'live' && !this.#hasRested(tracked)),
    ).length;
  }

  /** A life of a few seconds cannot last longer, so half of it counts as rest. */
  #hasRested({ sentMonotonicMs, place }: TrackedOrder): boolean {
    const ageMs = this.#context.deps.clock.monotonicMs() - (sentMonotonicMs ?? -Infinity);
    return ageMs >= Math.min(SOON_MS, place.durationS * 500);
  }
}

/** The attempt of an order of this run; null for one of an earlier run, whose beginning tells nothing. */
function attemptOf({ order, sentMonotonicMs, recovered }: TrackedOrder): Attempt | null {
  if (recovered || sentMonotonicMs === null) return null;
  return { market: keyOf(marketOfOrder(order)), beganMs: sentMonotonicMs };
}
