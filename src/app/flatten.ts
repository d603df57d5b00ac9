import type { OrderId } from '../domain/ids.ts';
import { OPEN_STATUSES } from '../domain/orders.ts';
import { uuidOfUserData } from '../orders/api.ts';
import { NotFound, OrderClosed, type ExchangeClient, type OrderDetails } from './connect.ts';

/** What became of the wish to close one order. */
export interface CloseResult {
  readonly orderId: OrderId;
  readonly result: 'closed' | 'was closed already' | 'not found';
}

/**
 * Closes orders one by one, those that are closed already included. Rejects when it cannot tell what became of one, once
 * all the others were closed.
 */
export async function closeOrders(
  exchange: ExchangeClient,
  ids: readonly OrderId[],
): Promise<readonly CloseResult[]> {
  const results: CloseResult[] = [];
  const failures: unknown[] = [];
  for (const orderId of ids) {
    try {
      results.push({ orderId, result: await closeOne(exchange, orderId) });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return results;
}

async function closeOne(exchange: ExchangeClient, id: OrderId): Promise<CloseResult['result']> {
  try {
    await exchange.orders.close(id);
    return 'closed';
  } catch (error) {
    if (error instanceof OrderClosed) return 'was closed already';
    if (error instanceof NotFound) return 'not found';
    throw error;
  }
}

/** Closes the open orders that carry the daemon's mark, whichever run placed them; leaves those placed by others. */
export async function closeOurOrders(exchange: ExchangeClient): Promise<readonly CloseResult[]> {
  const ours: OrderDetails[] = [];
  for await (const order of exchange.allOrders({ statuses: OPEN_STATUSES })) {
    if (!order.closed && uuidOfUserData(order.userData) !== null) ours.push(order);
  }
  return closeOrders(
    exchange,
    ours.map(({ orderId }) => orderId),
  );
}

/** Closes every open order of the account, placed by hand or by others included. */
export async function closeWholeAccount(exchange: ExchangeClient): Promise<readonly CloseResult[]> {
  const closed = await exchange.orders.closeAll();
  return closed.map((orderId) => ({ orderId, result: 'closed' }));
}
