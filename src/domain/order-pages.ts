import type { OrderId } from './ids.ts';

/** Orders on a page of the exchange's list where nothing else is asked for (published facts). */
const USUAL_PAGE = 25;

/**
 * Tells of each page of the order list whether it is the last. How many orders it takes for a page is the exchange's to
 * say: one with fewer than were asked for is the last only where it is shorter than any list is cut to, or says nothing
 * new.
 */
export function lastPage(asked: number): (page: readonly { readonly orderId: OrderId }[]) => boolean {
  const seen = new Set<OrderId>();
  return (page) => {
    const before = seen.size;
    for (const { orderId } of page) seen.add(orderId);
    return page.length < Math.min(asked, USUAL_PAGE) || seen.size === before;
  };
}
