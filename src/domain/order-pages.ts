import type { OrderId } from './ids.ts';

/** The default page size of the exchange's order list (published facts). */
const USUAL_PAGE = 25;

/**
 * Returns a function that decides for each page of the order list whether it is the last. The exchange may cut a page below
 * the size that was asked for. A short page is the last only if it is shorter than the default size, too, or holds no
 * new order.
 */
export function lastPage(asked: number): (page: readonly { readonly orderId: OrderId }[]) => boolean {
  const seen = new Set<OrderId>();
  return (page) => {
    const before = seen.size;
    for (const { orderId } of page) seen.add(orderId);
    return page.length < Math.min(asked, USUAL_PAGE) || seen.size === before;
  };
}
