import type { SelectionId } from '../../domain/ids.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { Direction } from '../../domain/selection.ts';
import { DIRECTIONS, directionOf, selectionOf } from '../../domain/selection.ts';
import type { TrackedOrder } from './tracker.ts';
import { foreignKey } from './tracker.ts';

/**
 * An order that we did not place, at its limit price. A bet type without a known direction (a parlay, or one that we
 * cannot read) counts in both directions, which is the most that it can lose.
 */
export function foreignOrders(order: VenueOrder): readonly TrackedOrder[] {
  const direction = directionOf(order.betType);
  if (direction !== null) return [foreignOrder(order, direction, foreignKey(order.orderId))];
  return DIRECTIONS.map((each) => foreignOrder(order, each, `${foreignKey(order.orderId)} ${each}`));
}

function foreignOrder(order: VenueOrder, direction: Direction, key: string): TrackedOrder {
  const { sport, eventId, betType, wantPrice: price, wantStakeMicros: stakeMicros } = order;
  const selectionId =
    selectionOf(sport, eventId, betType)?.id ?? (`${sport}|${eventId}|${betType}` as SelectionId);
  return {
    key,
    orderId: order.orderId,
    bet: { selectionId, sport, eventId, betType, direction, price, stakeMicros },
    filledMicros: filledOf(order),
    ended: order.closed,
    origin: 'foreign',
    createdMs: 0,
    closing: false,
  };
}

function filledOf({ bets, stakeMicros }: VenueOrder): number {
  const matched = bets.reduce((total, { gotStakeMicros }) => total + (gotStakeMicros ?? 0), 0);
  return Math.max(matched, stakeMicros ?? 0);
}
