import type { OrderId } from '../../domain/ids.ts';
import { lastPage } from '../../domain/order-pages.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { OrderQuery } from '../../ports/venue.ts';
import type { OrderContext } from '../state/context.ts';

/** The most that the exchange lists at once (published facts). */
const PAGE_SIZE = 1_000;
/** On an account on which others place orders all the time, a pass may always bring something new. */
const MOST_PASSES = 4;

type Matching = Pick<OrderQuery, 'statuses' | 'fromMs'>;
type Pages = AsyncGenerator<readonly VenueOrder[], void, undefined>;

/**
 * The account's orders that match, page by page. Pages are read one after the other, so the whole is no snapshot: an order that
 * leaves the list meanwhile moves another to a page that was read. More than one page are therefore read again until that brings
 * nothing new.
 */
export async function* orderPages(context: OrderContext, query: Matching): Pages {
  const seen = new Set<OrderId>();
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const seenBefore = seen.size;
    let pages = 0;
    for await (const orders of onePass(context, query)) {
      pages++;
      for (const { orderId } of orders) seen.add(orderId);
      yield orders;
    }
    if (pages === 1 || seen.size === seenBefore) return;
  }
}

async function* onePass(context: OrderContext, query: Matching): Pages {
  const isLast = lastPage(PAGE_SIZE);
  for (let page = 1; ; page++) {
    const asked = { ...query, page, pageSize: PAGE_SIZE };
    const orders = await context.deps.venue.orders(asked, { priority: 'reducing' });
    yield orders;
    if (isLast(orders)) return;
  }
}
