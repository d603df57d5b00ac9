import type { OrderId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { VenueOrder } from '../domain/orders.ts';

/** The result of an order whose bets the exchange has settled, voids included. Plain data. */
export interface Settlement {
  readonly orderId: OrderId;
  readonly profitLossMicros: Micros;
}

const SETTLED_STATUSES: readonly string[] = ['reconciled', 'full_void', 'partial_void'];

/** Null while the order's profit or loss is not final: the exchange says so, or its event has a final score. */
export function settlementOf(order: VenueOrder): Settlement | null {
  const { orderId, closed, status, result } = order;
  const profitLossMicros = profitOf(order);
  // Before the end there may be the score at half time, and before the settlement the score without the profit.
  const isPaid = status === 'done' && (result?.fullTime ?? null) !== null && profitLossMicros !== null;
  const isFinal = closed && (SETTLED_STATUSES.includes(status) || isPaid);
  return isFinal ? { orderId, profitLossMicros: profitLossMicros ?? 0 } : null;
}

/** The order's own figure; where it has none, what its bets add up to; null where they have none either. */
function profitOf({ bets, profitLossMicros }: VenueOrder): Micros | null {
  const figures = bets.map((bet) => bet.profitLossMicros).filter((micros) => micros !== null);
  return (
    profitLossMicros ?? (figures.length === 0 ? null : figures.reduce((total, micros) => total + micros))
  );
}
