import { ProtocolError } from '../../domain/errors.ts';
import {
  lastPage,
  MOST_PAGES,
  type OrderPage,
  type UnreadOrder,
  type UpdatesWindow,
  updateWindows,
} from '../../domain/order-listing.ts';
import type { Offer } from '../../domain/stream.ts';
import type { CallOptions } from '../../ports/venue.ts';
import type { EventDetails, OrderDetails } from '../wire/resources.ts';
import {
  type EventFilter,
  EVENTS_PER_OFFERS_CALL,
  type MarketDataApi,
  type OfferFilter,
  type Page,
} from './market-data.ts';
import type { OrderFilter, OrdersApi } from './orders.ts';

const ORDERS_PER_PAGE = 1000;

/** Follows cursors to the last page. Throws ProtocolError when the exchange's cursor does not advance, or leads to no end. */
async function* pages<T>(
  load: (after: string | null) => Promise<Page<T>>,
  onUnread: (count: number) => void = () => undefined,
): AsyncGenerator<T, void, undefined> {
  let after: string | null = null;
  let read = 0;
  do {
    if (++read > MOST_PAGES) throw new ProtocolError('the list does not end', { pages: MOST_PAGES });
    const page: Page<T> = await load(after);
    yield* page.items;
    onUnread(page.unread);
    if (page.next !== null && page.next === after)
      throw new ProtocolError('the cursor of the next page does not advance');
    after = page.next;
  } while (after !== null);
}

/**
 * All events that match, page by page. Pages are read one after the other, so the result is no snapshot. `onUnread` receives how many items
 * of a page cannot be read.
 */
export function allEvents(
  api: MarketDataApi,
  filter: EventFilter = {},
  options?: CallOptions,
  onUnread?: (count: number) => void,
) {
  return pages<EventDetails>((after) => api.events(filter, { after }, options), onUnread);
}

/** All offers of any number of events of one sport. */
export async function* allOffers(
  api: MarketDataApi,
  filter: OfferFilter,
  options?: CallOptions,
): AsyncGenerator<Offer, void, undefined> {
  for (let from = 0; from < filter.eventIds.length; from += EVENTS_PER_OFFERS_CALL) {
    const eventIds = filter.eventIds.slice(from, from + EVENTS_PER_OFFERS_CALL);
    yield* pages<Offer>((after) => api.offers({ ...filter, eventIds }, { after }, options));
  }
}

/**
 * All orders that match, each once, even when orders are placed between pages and shift them. Orders that leave a status
 * between pages, such as those that the reader closes, shift others to pages already read. With a filter by status, all
 * pages are therefore read again until nothing new comes.
 *
 * An entry that cannot be read is left out, and given to `onUnread`, perhaps repeatedly: its order is not absent.
 */
export async function* allOrders(
  api: OrdersApi,
  filter: OrderFilter = {},
  options?: CallOptions,
  onUnread: (entry: UnreadOrder) => void = () => undefined,
): AsyncGenerator<OrderDetails, void, undefined> {
  const seen = new Set<number>();
  let seenBefore = 0;
  let pagesRead = 0;
  do {
    seenBefore = seen.size;
    pagesRead = 0;
    for await (const { orders, unread } of orderPages(api, filter, options)) {
      unread.forEach(onUnread);
      const fresh = orders.filter((order) => !seen.has(order.orderId));
      for (const order of fresh) seen.add(order.orderId);
      yield* fresh;
      pagesRead++;
    }
  } while (filter.statuses !== undefined && pagesRead > 1 && seen.size > seenBefore);
}

async function* orderPages(
  api: OrdersApi,
  filter: OrderFilter,
  options: CallOptions | undefined,
): AsyncGenerator<OrderPage<OrderDetails>, void, undefined> {
  const pageSize = filter.pageSize ?? ORDERS_PER_PAGE;
  const isLast = lastPage(pageSize);
  for (let page = filter.page ?? 1; ; page++) {
    const listed = await api.list({ ...filter, page, pageSize }, options);
    yield listed;
    if (isLast(listed)) return;
  }
}

export interface UpdatesPage extends UpdatesWindow, OrderPage<OrderDetails> {}

/**
 * Orders updated between two instants, window by window, so that a caller can store its progress. `toMs` must be 60 s
 * past by the exchange's clock. An order can be in several windows.
 */
export async function* orderUpdatePages(
  api: OrdersApi,
  fromMs: number,
  toMs: number,
  options?: CallOptions,
): AsyncGenerator<UpdatesPage, void, undefined> {
  for (const window of updateWindows(fromMs, toMs)) {
    yield { ...window, ...(await api.updates(window.fromMs, window.toMs, options)) };
  }
}

/** All items of an async iterable in one array. */
export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
