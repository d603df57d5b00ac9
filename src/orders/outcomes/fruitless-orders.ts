import { marketOfOrder } from '../../domain/exchange-prices.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import type { BetslipRequest, VenueOrder } from '../../domain/orders.ts';
import { keyOf } from '../betslips/slot.ts';
import { latch, type OrderContext } from '../state/context.ts';
import { type Attempt, FruitlessAttempts, SOON_MS } from '../state/fruitless.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import { FruitlessBets } from './fruitless-bets.ts';

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
  readonly #bets: FruitlessBets;

  constructor(context: OrderContext) {
    this.#context = context;
    this.#bets = new FruitlessBets(context);
  }

  /** Handles a change of an order. */
  changed(tracked: TrackedOrder, before: LiveOrder | null): void {
    const { order, closeWanted } = tracked;
    const attempt = attemptOf(tracked);
    if (attempt === null || before === null) return;
    const { fruitless } = this.#context;
    if (order.filledMicros > before.filledMicros) this.#bets.filled(tracked, attempt.market);
    if (order.state !== 'closed' || before.state === 'closed') return;
    if (order.closeReason === VANISHED) {
      this.#bets.vanished(tracked);
      return fruitless.failed('report', attempt, 'vanished');
    }
    fruitless.lasted('report', attempt);
    if (isOfUse(order, order.filledMicros) || this.#hasRested(tracked))
      return fruitless.lasted('order', attempt);
    // An order that we close so soon shows nothing.
    if (!closeWanted) fruitless.failed('order', attempt, order.closeReason ?? 'closed');
  }

  /** Handles a report on an order, or on a bet of it if `order` is null, once the account has applied it. */
  reported(tracked: TrackedOrder, order: VenueOrder | null): void {
    this.#bets.reported(tracked, order);
  }

  get dueMs(): number {
    return this.#bets.dueMs;
  }

  /** Judges bets by whether they stand. While orders come to nothing, looks for one that rests. */
  sweep(): void {
    const { fruitless, book } = this.#context;
    this.#bets.sweep();
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
    // An order that cannot be closed gets no companion.
    if (fruitless.persists('close', key) || this.#isOpenAgain(key)) return Infinity;
    return Math.max(
      fruitless.untilMs('order', key, () => this.#underWay() + this.#unrested()),
      fruitless.untilMs('bet', key, () => this.#underWay() + this.#bets.unproven),
      fruitless.untilMs('report', key),
    );
  }

  /** Whether an order of the market is open although it was reported closed. */
  #isOpenAgain(key: string): boolean {
    const isIt = ({ closedMs, order }: TrackedOrder): boolean =>
      closedMs !== null && keyOf(marketOfOrder(order)) === key;
    return [...this.#context.book.active()].some(isIt);
  }

  /** The number of orders whose create request has no outcome yet. */
  #underWay(): number {
    const isOut = ({ order }: TrackedOrder): boolean => ['prepared', 'sending'].includes(order.state);
    return [...this.#context.book.active()].filter(isOut).length;
  }

  /** The number of open orders of which it is not known yet whether they rest. */
  #unrested(): number {
    const isNew = (tracked: TrackedOrder): boolean =>
      tracked.order.state === 'live' &&
      !this.#hasRested(tracked) &&
      !isOfUse(tracked.order, tracked.order.filledMicros);
    return [...this.#context.book.active()].filter(isNew).length;
  }

  /** A life of a few seconds cannot last longer, so half of it counts as rest. */
  #hasRested({ sentMonotonicMs, place }: TrackedOrder): boolean {
    const ageMs = this.#now() - (sentMonotonicMs ?? -Infinity);
    return ageMs >= Math.min(SOON_MS, place.durationS * 500);
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

/** The attempt of an order of this run; null for one of an earlier run, whose beginning tells nothing. */
function attemptOf({ order, sentMonotonicMs, recovered }: TrackedOrder): Attempt | null {
  if (recovered || sentMonotonicMs === null) return null;
  return { market: keyOf(marketOfOrder(order)), beganMs: sentMonotonicMs };
}
