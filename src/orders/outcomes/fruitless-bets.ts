import type { Micros } from '../../domain/money.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import { matchedBet } from '../../account/fills.ts';
import type { OrderContext } from '../state/context.ts';
import type { Attempt } from '../state/fruitless.ts';
import type { TrackedOrder } from '../state/own-orders.ts';

/** Bets that stood for so long after their match bear fruit. */
const STOOD_MS = 60_000;

/** What was matched of an order, while it has to prove itself. */
interface Matched {
  readonly attempt: Attempt;
  /** Monotonic instant of the order's last fill. */
  filledMs: number;
  /** Matched stake that did not stand before, and is judged already. */
  readonly fallenMicros: Micros;
  isRevoked: boolean;
}

/**
 * Judges whether what was matched of our orders stands. The exchange may void bets long after their match, when the next order was filled
 * already: each fill looks like a success, so creates would follow without end.
 *
 * A void now and then is no failure. Bets fail if most of the orders that were filled in the last minute, up to theirs, were revoked: of
 * their market, and for the account of all markets. Only fills that are at least as old count, since younger ones prove nothing yet.
 */
export class FruitlessBets {
  readonly #context: OrderContext;
  readonly #matched = new Map<TrackedOrder, Matched>();

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** More of an order is matched. `market` names it as attempts do. */
  filled(tracked: TrackedOrder, market: string): void {
    const filledMs = this.#now();
    const known = this.#matched.get(tracked);
    if (known !== undefined) return void (known.filledMs = filledMs);
    const attempt = { market, beganMs: filledMs };
    const fallenMicros = this.#fallenOf(tracked);
    this.#matched.set(tracked, { attempt, filledMs, fallenMicros, isRevoked: false });
  }

  /** Handles a report on an order or on one of its bets, once the account has applied it. */
  reported(tracked: TrackedOrder, order: VenueOrder | null): void {
    const matched = this.#matched.get(tracked);
    if (matched === undefined || matched.isRevoked) return;
    if (this.#now() - matched.filledMs >= STOOD_MS) return this.#lasted(tracked, matched);
    if (this.#fallenOf(tracked) > matched.fallenMicros)
      return this.#revoked(matched, 'its bets do not stand');
    if (order !== null && showsNoBet(order)) return this.#revoked(matched, 'its bets are gone');
    if (this.#isSettled(tracked)) this.#lasted(tracked, matched);
  }

  /** The exchange no longer knows the order. */
  vanished(tracked: TrackedOrder): void {
    const matched = this.#matched.get(tracked);
    if (matched?.isRevoked === false) this.#revoked(matched, 'vanished');
  }

  /** The number of orders of which it is open whether their bets stand. */
  get unproven(): number {
    return [...this.#matched.values()].filter(({ isRevoked }) => !isRevoked).length;
  }

  /** Monotonic instant at which the next bets have stood for long enough. */
  get dueMs(): number {
    let dueMs = Infinity;
    for (const { filledMs } of this.#matched.values()) dueMs = Math.min(dueMs, filledMs + STOOD_MS);
    return dueMs;
  }

  sweep(): void {
    for (const [tracked, matched] of this.#matched)
      if (this.#now() - matched.filledMs >= STOOD_MS) this.#lasted(tracked, matched);
  }

  /** A revoked order is kept for as long as others, so that it counts beside them. */
  #lasted(tracked: TrackedOrder, { attempt, isRevoked }: Matched): void {
    this.#matched.delete(tracked);
    if (!isRevoked) this.#context.fruitless.lasted('bet', attempt);
  }

  #revoked(matched: Matched, reason: string): void {
    matched.isRevoked = true;
    const { attempt } = matched;
    const asOld = [...this.#matched.values()].filter((other) => other.attempt.beganMs <= attempt.beganMs);
    const ofMarket = asOld.filter((other) => other.attempt.market === attempt.market);
    if (areMostRevoked(ofMarket))
      this.#context.fruitless.failed('bet', attempt, reason, areMostRevoked(asOld));
  }

  /** Matched stake that does not stand. */
  #fallenOf({ order: { orderId } }: TrackedOrder): Micros {
    const { bets } = this.#context.deps.account;
    return orderId === null ? 0 : bets.filledOf(orderId) - bets.standingOf(orderId);
  }

  #isSettled({ order: { orderId } }: TrackedOrder): boolean {
    return orderId !== null && this.#context.deps.account.bets.resultOf(orderId) !== null;
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

const areMostRevoked = (filled: readonly Matched[]): boolean =>
  2 * filled.filter(({ isRevoked }) => isRevoked).length >= filled.length;

/** Whether a report shows an order as never matched. */
const showsNoBet = (order: VenueOrder): boolean =>
  order.closed &&
  order.status === 'failed' &&
  (order.stakeMicros ?? 0) === 0 &&
  order.bets.every((bet) => matchedBet(bet) === null);
