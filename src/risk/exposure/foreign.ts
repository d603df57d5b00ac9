import type { Micros } from '../../domain/money.ts';
import { isParlay, isUnmatched, type VenueBet, type VenueOrder } from '../../domain/orders.ts';
import { directionOf, selectionIdOf } from '../../domain/selection.ts';
import { type ExposedOrder, foreignKey } from './tracker.ts';

/**
 * An order that we did not place, at its limit price. A settled order can lose nothing more. A bet type without a known
 * direction is given as `for`; the tracker counts a parlay as `for` and an unreadable type in both directions.
 */
export function foreignOrder(order: VenueOrder, settled: boolean): ExposedOrder {
  const { sport, eventId, betType, wantPrice: price, wantStakeMicros: stakeMicros } = order;
  const selectionId = selectionIdOf(order);
  const direction = directionOf(betType) ?? 'for';
  return {
    key: foreignKey(order.orderId),
    orderId: order.orderId,
    bet: { selectionId, sport, eventId, betType, direction, price, stakeMicros },
    filledMicros: settled ? 0 : filledOf(order),
    ended: order.closed,
    origin: 'foreign',
    createdMs: 0,
    closing: false,
    isParlay: isParlay(order),
  };
}

/**
 * Stake that counts as matched. The exchange's total may include voided bets. While the order is open, their stake may be
 * matched again, so it counts as open.
 */
function filledOf({ bets, stakeMicros }: VenueOrder): Micros {
  const unmatched = bets.filter(isUnmatched);
  const valid = bets.filter((bet) => !isUnmatched(bet));
  return Math.max(gotMicros(valid), (stakeMicros ?? 0) - gotMicros(unmatched));
}

const gotMicros = (bets: readonly VenueBet[]): Micros =>
  bets.reduce((total, { gotStakeMicros }) => total + (gotStakeMicros ?? 0), 0);
