import type { SelectionId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { Direction } from '../../domain/selection.ts';
import { DIRECTIONS, directionOf, selectionOf } from '../../domain/selection.ts';
import type { TrackedOrder } from './tracker.ts';
import { foreignKey } from './tracker.ts';

/**
 * An order that we did not place, at its limit price. A bet type without a known direction (a parlay, or one that we
 * cannot read) counts in both directions, which is the most that it can lose. A settled
 * one can lose nothing more.
 */
export function foreignOrders(order: VenueOrder, settled: boolean): readonly TrackedOrder[] {
  const filledMicros = settled ? 0 : filledOf(order);
  const direction = directionOf(order.betType);
  if (direction !== null) return [foreignOrder(order, direction, foreignKey(order.orderId), filledMicros)];
  return DIRECTIONS.map((each) =>
    foreignOrder(order, each, `${foreignKey(order.orderId)} ${each}`, filledMicros),
  );
}

function foreignOrder(
  order: VenueOrder,
  direction: Direction,
  key: string,
  filledMicros: Micros,
): TrackedOrder {
  const { sport, eventId, betType, wantPrice: price, wantStakeMicros: stakeMicros } = order;
  const selectionId =
    selectionOf(sport, eventId, betType)?.id ?? (`${sport}|${eventId}|${betType}` as SelectionId);
  return {
    key,
    orderId: order.orderId,
    bet: { selectionId, sport, eventId, betType, direction, price, stakeMicros },
    filledMicros,
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
