import { betslipTypeOf } from '../domain/exchange-prices.ts';
import { priceOf } from '../domain/ladder.ts';
import { type Micros, ROUNDING_MICROS } from '../domain/money.ts';
import { isParlay, isUnmatched, isVoided, type VenueOrder } from '../domain/orders.ts';
import { settlementOf } from '../domain/settlement.ts';
import type { BetBook } from './bets.ts';
import type { BetNews } from './changes.ts';
import { matchedBet } from './fills.ts';
import type { TrackedOrder } from './orders.ts';

/** An order with this status may be reopened: the exchange may report later that some of its bets count after all. */
const TAKEN_BACK = 'full_void';

/** The part of the book that a report is read against. */
type Book = Pick<BetBook, 'fillOf' | 'isTakenBack' | 'resultOf'>;

/**
 * The news of bets in a report of an order, in the order of applying: each piece is derived from the book as the ones before it
 * left it. `atMs`: wall-clock milliseconds of the report.
 */
export function* newsIn(order: VenueOrder, book: Book, atMs: number): Generator<BetNews, void> {
  // A report from before the match also puts a bet in doubt: nothing shows which report is the later.
  for (const bet of order.bets) yield { kind: 'doubt', betId: bet.betId, isUnmatched: isUnmatched(bet) };
  const result = settlementOf(order);
  if (result === null) yield* newsOfUnsettled(order, book);
  else
    yield {
      kind: 'result',
      result,
      isTakenBack: order.status === TAKEN_BACK,
      hasBets: order.bets.length + (order.unreadBets ?? 0) > 0,
      isRecorded: false,
      atMs,
    };
}

/** Reopens a fully voided order of which some bets count after all, or a parlay that waits for other legs again. */
function* newsOfUnsettled(order: VenueOrder, book: Book): Generator<BetNews, void> {
  const { orderId, closed, bets } = order;
  const standing = bets.filter((bet) => matchedBet(bet) !== null);
  const isBack = book.isTakenBack(orderId) || isCorrectedParlay(order, book);
  if (!closed || standing.length === 0 || !isBack) return;
  yield { kind: 'reopened', orderId, isRecorded: false };
  // A bet that was void before the settlement stays void, unless this report shows that it counts.
  for (const { betId } of standing) yield { kind: 'standing', betId, stands: true };
}

/**
 * Whether the losing leg of a settled parlay was corrected. For any other order such a report predates its settlement: a corrected
 * result would follow the first at once.
 */
const isCorrectedParlay = (order: VenueOrder, book: Book): boolean =>
  book.resultOf(order.orderId) !== null &&
  isParlay(order) &&
  order.bets.some(({ reconciled }) => reconciled === false);

/** Which booked bets of a closed order count, as a report shows them. */
export function* standingIn({ closed, bets }: VenueOrder, book: Book): Generator<BetNews, void> {
  if (!closed) return;
  for (const bet of bets) {
    const { betId } = bet;
    if (book.fillOf(betId) !== null && (isVoided(bet) || matchedBet(bet) !== null))
      yield { kind: 'standing', betId, stands: !isVoided(bet) };
  }
}

/**
 * Returns whether an order of the exchange is what we requested: same market, price and stake, within rounding. On the same bet type,
 * a `lay` order is another bet.
 */
export function matches(tracked: TrackedOrder, order: VenueOrder): boolean {
  const { order: ours, place } = tracked;
  return (
    order.betType === ours.betType &&
    order.eventId === ours.eventId &&
    (order.orderType === 'lay') === (betslipTypeOf(ours.betType, ours.priceKind) === 'lay') &&
    Math.abs(order.wantPrice - priceOf(ours.tick)) < 1e-9 &&
    Math.abs(order.wantStakeMicros - place.stakeMicros) < ROUNDING_MICROS
  );
}

/**
 * Returns the reported matched stake minus booked fills and minus stake that was taken back before we
 * received its bet. Returns 0 when no matched stake is reported.
 *
 * A negative result means that too much is booked. Fills whose bets were taken back later do not count in
 * that, since the reported stake may leave them out. Each amount is rounded by itself, so one rounding unit
 * per bet is no difference.
 */
export function missingStake(
  { orderId, stakeMicros, bets }: VenueOrder,
  booked: Pick<BetBook, 'fillOf' | 'filledOf'>,
): Micros {
  if (stakeMicros === null) return 0;
  const takenBack = bets.filter((bet) => isUnmatched(bet) && booked.fillOf(bet.betId) === null);
  const takenBackMicros = takenBack.reduce((sum, bet) => sum + (bet.gotStakeMicros ?? 0), 0);
  const unbookedMicros = stakeMicros - booked.filledOf(orderId);
  const voidMicros = bets
    .filter(isVoided)
    .reduce((sum, { betId }) => sum + (booked.fillOf(betId)?.stakeMicros ?? 0), 0);
  const missingMicros =
    unbookedMicros > 0
      ? Math.max(0, unbookedMicros - takenBackMicros)
      : Math.min(0, unbookedMicros + voidMicros);
  const rounded = bets.filter(({ gotStakeMicros }) => (gotStakeMicros ?? 0) > 0).length;
  return Math.abs(missingMicros) <= ROUNDING_MICROS * rounded ? 0 : missingMicros;
}
