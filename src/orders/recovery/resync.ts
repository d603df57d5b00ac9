import type { TrackedOrder } from '../../account/orders.ts';
import type { OrderId } from '../../domain/ids.ts';
import { lastPage, type OrderPage, type UnreadOrder } from '../../domain/order-listing.ts';
import { OPEN_STATUSES, type VenueOrder } from '../../domain/orders.ts';
import { sleep } from '../../ports/clock.ts';
import type { OrderQuery, Priority } from '../../ports/venue.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { ForeignLookups, Lookups } from '../outcomes/lookups.ts';
import type { OrderContext } from '../state/context.ts';

/** Most orders that the exchange lists on one page (published facts). */
const PAGE_SIZE = 1_000;
/** Limit of passes: if others keep placing orders, each pass may show new ones. */
const MOST_PASSES = 4;

type Matching = Pick<OrderQuery, 'statuses' | 'fromMs'>;
type Pages = AsyncGenerator<OrderPage, void, undefined>;

/**
 * Yields the account's matching orders, page by page.
 *
 * Pages are read one after the other and are no snapshot: an order that leaves the list meanwhile moves another
 * to a page that was already read. More than one page are therefore read again until a pass shows nothing new.
 */
export async function* orderPages(
  context: OrderContext,
  query: Matching,
  priority: Priority = 'reducing',
): Pages {
  const seen = new Set<OrderId>();
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const seenBefore = seen.size;
    let pages = 0;
    for await (const page of onePass(context, query, priority)) {
      pages++;
      for (const { orderId } of page.orders) seen.add(orderId);
      yield page;
    }
    if (pages === 1 || seen.size === seenBefore) return;
  }
}

async function* onePass(context: OrderContext, query: Matching, priority: Priority): Pages {
  const isLast = lastPage(PAGE_SIZE);
  for (let page = 1; ; page++) {
    const asked = { ...query, page, pageSize: PAGE_SIZE };
    const listed = await context.deps.venue.orders(asked, { priority });
    yield listed;
    if (isLast(listed)) return;
  }
}

export interface ResyncParts {
  readonly reports: ExecutionReports;
  readonly foreignLookups: ForeignLookups;
  readonly lookups: Lookups;
}

/**
 * Synchronises our orders with the exchange: lists the open orders, then looks up each of ours that is not
 * listed, or whose entry cannot be read. Rejects when the listing cannot be read. A look-up that fails or finds nothing leaves its order
 * unchanged. `priority` is that of the listing. Resolves to what it showed open.
 */
export async function resync(
  context: OrderContext,
  parts: ResyncParts,
  priority: Priority = 'reducing',
): Promise<OrderPage> {
  const before = [...context.book.active()].filter((tracked) => tracked.order.state !== 'prepared');
  const open = await readOpen(context, parts.reports, priority);
  const ids = new Set(open.orders.map((order) => order.orderId));
  const missing = before.filter(({ order }) => order.orderId === null || !ids.has(order.orderId));
  await Promise.all(missing.map((tracked) => settle(tracked, parts)));
  const missingForeign = [...context.book.foreignOpen()].filter(({ orderId }) => !ids.has(orderId));
  await Promise.all(missingForeign.map(({ orderId }) => parts.foreignLookups.ask(orderId)));
  return open;
}

/** Lists the account's open orders, and reports them. Resolves to those and to the entries that cannot be read. */
export async function readOpen(
  context: OrderContext,
  reports: ExecutionReports,
  priority: Priority = 'reducing',
): Promise<OrderPage> {
  const askedMs = context.deps.clock.monotonicMs();
  const open = await listOpen(context, priority);
  await context.queue.run(() => {
    for (const order of open.orders) reports.order(order, 'listing', null, askedMs);
  });
  return open;
}

async function settle(tracked: TrackedOrder, { lookups }: ResyncParts): Promise<void> {
  await lookups.settle(tracked);
}

/** Lists every open order of the account, each as it was listed last, and each entry that cannot be read. */
async function listOpen(context: OrderContext, priority: Priority): Promise<OrderPage> {
  const found = new Map<OrderId, VenueOrder>();
  const unread = new Map<OrderId | string, UnreadOrder>();
  for await (const page of orderPages(context, { statuses: OPEN_STATUSES }, priority)) {
    for (const order of page.orders) if (!order.closed) found.set(order.orderId, order);
    for (const entry of page.unread) unread.set(entry.orderId ?? entry.label, entry);
  }
  return { orders: [...found.values()], unread: [...unread.values()] };
}

/**
 * Repeats `resync` until it succeeds or `abandoned` returns true. Returns whether it succeeded and was not
 * abandoned.
 */
export async function resyncUntilDone(
  context: OrderContext,
  parts: ResyncParts,
  abandoned: () => boolean,
): Promise<boolean> {
  for (let pauseMs = 500; !abandoned(); pauseMs = Math.min(2 * pauseMs, 10_000)) {
    try {
      await resync(context, parts);
      return !abandoned();
    } catch (error) {
      context.log.warn('resync failed', { error });
    }
    await sleep(context.deps.clock, pauseMs);
  }
  return false;
}
