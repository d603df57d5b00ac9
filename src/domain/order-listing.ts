import { ProtocolError } from './errors.ts';
import type { OrderId } from './ids.ts';

/** The default page size of the exchange's order list (published facts). */
const USUAL_PAGE = 25;

/** No list has more pages. An exchange that always has another one would be read forever. */
export const MOST_PAGES = 1_000;

/**
 * Returns a function that decides for each page of the order list whether it is the last. The exchange may cut a page below
 * the size that was asked for. A short page is the last only if it is shorter than the default size, too, or holds no
 * new order. Throws ProtocolError when the list does not end.
 */
export function lastPage(asked: number): (page: readonly { readonly orderId: OrderId }[]) => boolean {
  const seen = new Set<OrderId>();
  let pages = 0;
  return (page) => {
    if (++pages > MOST_PAGES)
      throw new ProtocolError('the list of orders does not end', { pages: MOST_PAGES });
    const before = seen.size;
    for (const { orderId } of page) seen.add(orderId);
    return page.length < Math.min(asked, USUAL_PAGE) || seen.size === before;
  };
}

/** An interval of wall-clock instants for which updated orders are requested. */
export interface UpdatesWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Both bounds of a window must be this far in the past (specification, orders/updates). */
export const SETTLED_MS = 60_000;
/** The longest window that the updates endpoint takes (specification, orders/updates). */
export const LONGEST_WINDOW_MS = 70 * 60_000;
/** Windows overlap because the exactness of the bounds is not documented: an update at a seam is in at least one window. */
export const WINDOW_OVERLAP_MS = 5_000;

/** Windows that cover `[fromMs, toMs]` without a gap, overlapping, none longer than the exchange takes. Pure. */
export function* updateWindows(fromMs: number, toMs: number): Generator<UpdatesWindow, void, undefined> {
  for (let start = fromMs; start < toMs; start += LONGEST_WINDOW_MS - WINDOW_OVERLAP_MS) {
    const end = Math.min(toMs, start + LONGEST_WINDOW_MS);
    yield { fromMs: start, toMs: end };
    if (end === toMs) return;
  }
}
