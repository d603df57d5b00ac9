import { matchedBet } from '../../account/fills.ts';
import type { TrackedOrder } from '../../account/orders.ts';
import { marketOfOrder, marketKey } from '../../domain/exchange-prices.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import type { BetslipRequest, VenueOrder } from '../../domain/orders.ts';
import { latch, type OrderContext } from '../state/context.ts';
import { type Attempt, FruitlessAttempts, SOON_MS } from '../state/fruitless.ts';

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
        kind,
        market,
        rounds,
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
  /** What was matched of them. It is told each report. */
  readonly bets: FruitlessBets;

  constructor(context: OrderContext) {
    this.#context = context;
    this.bets = new FruitlessBets(context);
  }

  /** Handles a change of an order. */
  changed(tracked: TrackedOrder, before: LiveOrder | null): void {
    const { order } = tracked;
    const attempt = attemptOf(tracked);
    if (attempt === null || before === null) return;
    const { fruitless } = this.#context;
    if (order.filledMicros > before.filledMicros) this.bets.filled(tracked, attempt.market);
    if (order.state !== 'closed' || before.state === 'closed') return;
    if (order.closeReason === VANISHED) {
      this.bets.vanished(tracked);
      return fruitless.failed('report', attempt, 'vanished');
    }
    fruitless.lasted('report', attempt);
    if (isOfUse(order, order.filledMicros)) fruitless.lasted('order', attempt);
    else this.#judgeUnfilled(tracked, attempt);
  }

  /** An order that we close too soon shows nothing. */
  #judgeUnfilled(tracked: TrackedOrder, attempt: Attempt): void {
    const { fruitless } = this.#context;
    const { order, closeWanted } = tracked;
    if (closeWanted ? this.#hasBegun(tracked) : this.#hasRested(tracked)) fruitless.lasted('order', attempt);
    else if (!closeWanted) fruitless.failed('order', attempt, order.closeReason ?? 'closed');
  }

  get dueMs(): number {
    return this.bets.dueMs;
  }

  /** Judges bets by whether they stand. While orders come to nothing, looks for one that rests. */
  sweep(): void {
    const { fruitless, book } = this.#context;
    this.bets.sweep();
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
    const key = marketKey(market);
    // An order that cannot be closed gets no companion, nor does one that was reported closed.
    if (fruitless.persists('close', key)) return Infinity;
    for (const { closedMs, order } of this.#context.book.active())
      if (closedMs !== null && marketKey(marketOfOrder(order)) === key) return Infinity;
    return Math.max(
      fruitless.untilMs('order', key, () => this.#underWay() + this.#unrested()),
      fruitless.untilMs('bet', key, () => this.#underWay() + this.bets.unproven),
      fruitless.untilMs('report', key),
    );
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
      !this.#hasBegun(tracked) &&
      !isOfUse(tracked.order, tracked.order.filledMicros);
    return [...this.#context.book.active()].filter(isNew).length;
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
    return this.#context.deps.clock.monotonicMs() - (sentMonotonicMs ?? -Infinity);
  }
}

/** Half of the life that the order was given. One that rests for a minute has rested, however long it was to live. */
const halfLifeMs = ({ place }: TrackedOrder): number => Math.min(60_000, place.durationS * 500);

/** The attempt of an order of this run; null for one of an earlier run, whose beginning tells nothing. */
function attemptOf({ order, sentMonotonicMs, recovered }: TrackedOrder): Attempt | null {
  if (recovered || sentMonotonicMs === null) return null;
  return { market: marketKey(marketOfOrder(order)), beganMs: sentMonotonicMs };
}

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
class FruitlessBets {
  readonly #context: OrderContext;
  readonly #matched = new Map<TrackedOrder, Matched>();

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** More of an order is matched. `market` names it as attempts do. */
  filled(tracked: TrackedOrder, market: string): void {
    const filledMs = this.#context.deps.clock.monotonicMs();
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
    const nowMs = this.#context.deps.clock.monotonicMs();
    if (nowMs - matched.filledMs >= STOOD_MS) return this.#lasted(tracked, matched);
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
    const nowMs = this.#context.deps.clock.monotonicMs();
    for (const [tracked, matched] of this.#matched)
      if (nowMs - matched.filledMs >= STOOD_MS) this.#lasted(tracked, matched);
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
}

const areMostRevoked = (filled: readonly Matched[]): boolean =>
  2 * filled.filter(({ isRevoked }) => isRevoked).length >= filled.length;

/** Whether a report shows an order as never matched. */
const showsNoBet = (order: VenueOrder): boolean =>
  order.closed &&
  order.status === 'failed' &&
  (order.stakeMicros ?? 0) === 0 &&
  (order.unreadBets ?? 0) === 0 &&
  order.bets.every((bet) => matchedBet(bet) === null);
