import { ProtocolError } from './errors.ts';
import type { OrderId } from './ids.ts';
import type { VenueOrder } from './orders.ts';

/**
 * An entry of a list of orders that cannot be read. It proves nothing: neither that its order is open nor that it is over. An order of
 * which an entry cannot be read is not absent from the list.
 */
export interface UnreadOrder {
  /** The entry's place on its page, from 0. */
  readonly at: number;
  /** The text in the place of its id, for people. At most 64 characters. */
  readonly label: string;
  /** Its id, if that much can be read. */
  readonly orderId: OrderId | null;
  /** The caller's tag on it, if that much can be read. */
  readonly userData: string | null;
}

/** A page of a list of orders. Entries that cannot be read cost no other entry. The page is as long as both lists together. */
export interface OrderPage<T extends { readonly orderId: OrderId } = VenueOrder> {
  readonly orders: readonly T[];
  readonly unread: readonly UnreadOrder[];
}

/** The default page size of the exchange's order list (published facts). */
const USUAL_PAGE = 25;

/** No list has more pages. An exchange that always has another one would be read forever. */
export const MOST_PAGES = 1_000;

/**
 * Returns a function that decides for each page of the order list whether it is the last. The exchange may cut a page below
 * the size that was asked for. A short page is the last only if it is shorter than the default size, too, or holds no
 * new order. Entries that cannot be read count like others. Throws ProtocolError when the list does not end.
 */
export function lastPage(asked: number): (page: OrderPage<{ readonly orderId: OrderId }>) => boolean {
  const seen = new Set<OrderId | string>();
  let pages = 0;
  return ({ orders, unread }) => {
    if (++pages > MOST_PAGES)
      throw new ProtocolError('the list of orders does not end', { pages: MOST_PAGES });
    const before = seen.size;
    for (const { orderId } of orders) seen.add(orderId);
    for (const { orderId, label } of unread) seen.add(orderId ?? label);
    return orders.length + unread.length < Math.min(asked, USUAL_PAGE) || seen.size === before;
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
