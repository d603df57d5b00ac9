import { lastPage } from '../domain/order-pages.ts';
import type { VenueOrder } from '../domain/orders.ts';
import type { OrderQuery } from '../ports/venue.ts';
import type { Desk } from './desk.ts';

/** The most that the exchange lists at once (published facts). */
const PAGE_SIZE = 1_000;

/** The account's orders that match, page by page. Pages are read one after the other, so the whole is no snapshot. */
export async function* orderPages(
  desk: Desk,
  query: Pick<OrderQuery, 'statuses' | 'fromMs'>,
): AsyncGenerator<readonly VenueOrder[], void, undefined> {
  const isLast = lastPage(PAGE_SIZE);
  for (let page = 1; ; page++) {
    const asked = { ...query, page, pageSize: PAGE_SIZE };
    const orders = await desk.deps.venue.orders(asked, { priority: 'reducing' });
    yield orders;
    if (isLast(orders)) return;
  }
}
