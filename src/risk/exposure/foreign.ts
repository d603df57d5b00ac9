import type { Micros } from '../../domain/money.ts';
import { isParlay, isUnmatched, type VenueBet, type VenueOrder } from '../../domain/orders.ts';
import { directionOf, selectionIdOf } from '../../domain/selection.ts';
import { type ExposedOrder, foreignKey } from './tracker.ts';

/**
 * An order that we did not place, at its limit price. A settled one can lose nothing more. A bet type without a known
 * direction is told as `for`: so a parlay is counted, and one that we cannot read in both.
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
 * Stake that counts as matched. The exchange may count bets that it has taken back in the order's; while the order works
 * they may be matched once more, and are open.
 */
function filledOf({ bets, stakeMicros }: VenueOrder): Micros {
  const [takenBack, standing] = [bets.filter(isUnmatched), bets.filter((bet) => !isUnmatched(bet))];
  return Math.max(gotMicros(standing), (stakeMicros ?? 0) - gotMicros(takenBack));
}

const gotMicros = (bets: readonly VenueBet[]): Micros =>
  bets.reduce((total, { gotStakeMicros }) => total + (gotStakeMicros ?? 0), 0);
