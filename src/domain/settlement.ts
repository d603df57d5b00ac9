import type { EventName } from './events.ts';
import type { EventId, OrderId, Sport } from './ids.ts';
import type { Micros } from './money.ts';
import { isUnmatched, type VenueBet, type VenueOrder } from './orders.ts';

/** An event, and what it counted with when it was looked at last. Plain data. */
export interface EventTotal extends EventName {
  readonly micros: Micros;
  /** Its results that are in it. */
  readonly results: EventResult;
  /** For how long it has counted so though its results are others by now; null when they were not. */
  readonly heldMs: number | null;
}

/** What the settled orders of an event came to. Plain data. */
export interface EventResult {
  /** How many there are with bets: one that was never matched comes to nothing, as it did before. */
  readonly orders: number;
  readonly micros: Micros;
}

/** The result of an order whose bets the exchange has settled, voids included. Plain data. */
export interface OrderResult {
  readonly orderId: OrderId;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly profitLossMicros: Micros;
}

const SETTLED_STATUSES: readonly string[] = ['reconciled', 'full_void', 'partial_void'];

/** Null while the order's profit or loss is not final: the exchange says so, or its event has a final score. */
export function settlementOf(order: VenueOrder): OrderResult | null {
  const { orderId, sport, eventId, closed } = order;
  const isFinal = closed && (isSettled(order) || isPaid(order));
  return isFinal ? { orderId, sport, eventId, profitLossMicros: profitOf(order) ?? 0 } : null;
}

/** When a bet is taken back before the end, others of its order may be at stake still. */
function isSettled(order: VenueOrder): boolean {
  if (!SETTLED_STATUSES.includes(order.status)) return false;
  const mayStand = order.status === 'partial_void';
  return !mayStand || !matchedBets(order).some((bet) => !isUnmatched(bet) && bet.reconciled === false);
}

/**
 * Whether an order that is merely done has been paid. Before the end there may be the score at half time, and before
 * the settlement the score: without a profit, or with one of 0 from the moment that the order closed, which is final only
 * where every bet is called settled.
 */
function isPaid(order: VenueOrder): boolean {
  const { status, result, profitLossMicros } = order;
  if (status !== 'done' || (result?.fullTime ?? null) === null) return false;
  const bets = payable(order);
  if (bets.some(({ reconciled }) => reconciled === false)) return false;
  if (profitLossMicros === null) return bets.length > 0 && bets.every(hasFinalProfit);
  return profitLossMicros !== 0 || (bets.length > 0 && bets.every(isCalledSettled));
}

/** By the specification a bet always says so; where it says nothing, or an unknown word, its order becomes `reconciled`. */
const isCalledSettled = ({ reconciled }: VenueBet): boolean => reconciled === true;

/** A figure of 0 may be from before. */
const hasFinalProfit = (bet: VenueBet): boolean =>
  bet.profitLossMicros !== null && (bet.profitLossMicros !== 0 || isCalledSettled(bet));

/** The order's own figure; where it has none, what its bets add up to; null where they have none either. */
function profitOf({ bets, profitLossMicros }: VenueOrder): Micros | null {
  const figures = bets.map((bet) => bet.profitLossMicros).filter((micros) => micros !== null);
  return (
    profitLossMicros ?? (figures.length === 0 ? null : figures.reduce((total, micros) => total + micros))
  );
}

/** Bets that stand, where any do: of one that was taken back, as after it was in danger, the exchange need not say that it is paid. */
function payable(order: VenueOrder): readonly VenueBet[] {
  const bets = matchedBets(order);
  const standing = bets.filter((bet) => !isUnmatched(bet));
  return standing.length > 0 ? standing : bets;
}

const matchedBets = ({ bets }: VenueOrder): readonly VenueBet[] =>
  bets.filter(({ gotStakeMicros }) => (gotStakeMicros ?? 0) > 0);
