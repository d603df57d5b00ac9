import { OrderBook, type TrackedOrder } from '../../../src/account/orders.ts';
import { orderId, type OrderId } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { liveOrder } from '../../support/orders.ts';

/** An order of ours that rests, except for what the test sets. */
export const trackedOrder = (
  of: Partial<TrackedOrder> = {},
  order: Parameters<typeof liveOrder>[0] = {},
): TrackedOrder => ({
  owner: 'own',
  order: liveOrder({ orderId: orderId(1), ...order }),
  place: { durationS: 60 } as PlaceOrder,
  key: null,
  lapsesMonotonicMs: 60_000,
  sentMonotonicMs: 0,
  closeWanted: false,
  closedMs: null,
  recovered: false,
  intent: null,
  ...of,
});

export const ORDER_ID: OrderId = orderId(1);

/** A book of these orders that tells nobody of their changes. */
export function bookOf(clock: Pick<Clock, 'monotonicMs'>, ...orders: readonly TrackedOrder[]): OrderBook {
  const book = new OrderBook(
    clock,
    () => undefined,
    () => undefined,
  );
  for (const each of orders) book.add(each, 'test');
  return book;
}
