import type { OrderId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { VenueOrder } from '../domain/orders.ts';

/** The result of an order whose bets the exchange has settled, voids included. Plain data. */
export interface Settlement {
  readonly orderId: OrderId;
  readonly profitLossMicros: Micros;
}

const SETTLED_STATUSES: readonly string[] = ['reconciled', 'full_void', 'partial_void'];

/** Null while the order's profit or loss is not final: the exchange says so, or its event has a result. */
export function settlementOf(order: VenueOrder): Settlement | null {
  const { orderId, closed, status, result } = order;
  const isFinal = closed && (SETTLED_STATUSES.includes(status) || (status === 'done' && result !== null));
  return isFinal ? { orderId, profitLossMicros: profitOf(order) } : null;
}

/** The order's own figure; where it has none, what its bets add up to. */
function profitOf({ bets, profitLossMicros }: VenueOrder): Micros {
  if (profitLossMicros !== null) return profitLossMicros;
  return bets.reduce((total, bet) => total + (bet.profitLossMicros ?? 0), 0);
}
