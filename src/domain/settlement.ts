import type { EventName } from './events.ts';
import type { EventId, OrderId, Sport } from './ids.ts';
import type { Micros } from './money.ts';
import { isUnmatched, type VenueBet, type VenueOrder } from './orders.ts';

/** An event, and the total with which it last counted. Plain data. */
export interface EventTotal extends EventName {
  readonly micros: Micros;
  /** The results that the total contains. */
  readonly results: EventResult;
  /** How long the total has counted although the results changed since; null when they did not change. */
  readonly heldMs: number | null;
}

/** The result of the settled orders of an event. Plain data. */
export interface EventResult {
  /** The number of settled orders with bets. An order that was never matched changes no result. */
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

/** Null until the order's profit or loss is final: by the exchange's status, or by the final score of its event. */
export function settlementOf(order: VenueOrder): OrderResult | null {
  const { orderId, sport, eventId, closed } = order;
  const isFinal = closed && (isSettled(order) || isPaid(order));
  return isFinal ? { orderId, sport, eventId, profitLossMicros: profitOf(order) ?? 0 } : null;
}

/** When a bet is voided before the end, other bets of its order may still be at stake. */
function isSettled(order: VenueOrder): boolean {
  if (!SETTLED_STATUSES.includes(order.status)) return false;
  const isPartial = order.status === 'partial_void';
  return !isPartial || !matchedBets(order).some((bet) => !isUnmatched(bet) && bet.reconciled === false);
}

/**
 * Whether an order with status `done` has been paid. The score at half time may appear before the end, and the final score
 * before the settlement. Until then the order has no profit, or a profit of 0 since it closed: a 0 is final only if the
 * exchange reports every bet as settled. A result of another form (sets, periods, places) grows during the event, and does not
 * show its end: only the bets do.
 */
function isPaid(order: VenueOrder): boolean {
  const { status, result, profitLossMicros } = order;
  if (status !== 'done' || result === null) return false;
  const bets = payable(order);
  if (result.fullTime === null)
    return result.halfTime === null && bets.length > 0 && bets.every(isReportedSettled);
  if (bets.some(({ reconciled }) => reconciled === false)) return false;
  if (profitLossMicros === null) return bets.length > 0 && bets.every(hasFinalProfit);
  return profitLossMicros !== 0 || (bets.length > 0 && bets.every(isReportedSettled));
}

/** By the specification a bet always has the flag. If it is missing or unknown, the order becomes `reconciled` later. */
const isReportedSettled = ({ reconciled }: VenueBet): boolean => reconciled === true;

/** A profit of 0 may date from before the settlement. */
const hasFinalProfit = (bet: VenueBet): boolean =>
  bet.profitLossMicros !== null && (bet.profitLossMicros !== 0 || isReportedSettled(bet));

/** The order's own profit, else the sum of its bets' profits; null when no bet has one either. */
function profitOf({ bets, profitLossMicros }: VenueOrder): Micros | null {
  const figures = bets.map((bet) => bet.profitLossMicros).filter((micros) => micros !== null);
  return (
    profitLossMicros ?? (figures.length === 0 ? null : figures.reduce((total, micros) => total + micros))
  );
}

/** The valid bets if there are any. The exchange need not report a voided bet as paid, for example after it was in danger. */
function payable(order: VenueOrder): readonly VenueBet[] {
  const bets = matchedBets(order);
  const valid = bets.filter((bet) => !isUnmatched(bet));
  return valid.length > 0 ? valid : bets;
}

const matchedBets = ({ bets }: VenueOrder): readonly VenueBet[] =>
  bets.filter(({ gotStakeMicros }) => (gotStakeMicros ?? 0) > 0);
