import { sleep } from '../../ports/clock.ts';
import type { OrderId } from '../../domain/ids.ts';
import { OPEN_STATUSES, type VenueOrder } from '../../domain/orders.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import type { OrderContext } from '../state/context.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { ForeignLookups } from '../outcomes/foreign-lookups.ts';
import type { ForeignOrders } from '../outcomes/foreign-orders.ts';
import { orderPages } from './listing.ts';
import type { Lookups } from '../outcomes/lookups.ts';

export interface ResyncParts {
  readonly reports: ExecutionReports;
  readonly foreign: ForeignOrders;
  readonly foreignLookups: ForeignLookups;
  readonly lookups: Lookups;
}

/**
 * Brings our view of the account up to the exchange's: lists what is open, then looks up each order of ours that is not
 * among it. Rejects when the listing cannot be read; single look-ups that fail leave their order as it was.
 */
export async function resync(context: OrderContext, parts: ResyncParts): Promise<void> {
  const before = [...context.book.active()].filter((tracked) => tracked.order.state !== 'prepared');
  const open = await listOpen(context);
  const ids = new Set(open.map((order) => order.orderId));
  await context.queue.run(() => {
    for (const order of open) parts.reports.order(order, 'listing');
  });
  const missing = before.filter(({ order }) => order.orderId === null || !ids.has(order.orderId));
  await Promise.all(missing.map((tracked) => settle(tracked, parts)));
  const missingForeign = parts.foreign.open().filter(({ orderId }) => !ids.has(orderId));
  await Promise.all(missingForeign.map(({ orderId }) => parts.foreignLookups.ask(orderId)));
}

async function settle(tracked: TrackedOrder, { lookups }: ResyncParts): Promise<void> {
  await lookups.settle(tracked);
}

/** Every open order of the account, as it was listed last. */
async function listOpen(context: OrderContext): Promise<readonly VenueOrder[]> {
  const found = new Map<OrderId, VenueOrder>();
  for await (const orders of orderPages(context, { statuses: OPEN_STATUSES }))
    for (const order of orders) if (!order.closed) found.set(order.orderId, order);
  return [...found.values()];
}

/** Repeats `resync` until it succeeds or `abandoned` says that it is no longer asked for. */
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
