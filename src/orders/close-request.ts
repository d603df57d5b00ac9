import { VenueRejection } from '../domain/errors.ts';
import type { OrderId } from '../domain/ids.ts';
import type { Desk } from './desk.ts';

/** An answer 429 may ask for more; an order that is open costs more than one request too many. */
const LONGEST_THROTTLED_MS = 60_000;

/**
 * Asks once for the close of an order, at once: it is repeated here, where all that are to be closed are known. Rejects as
 * `Venue.closeOrder` does.
 */
export function requestClose({ deps }: Pick<Desk, 'deps'>, orderId: OrderId): Promise<void> {
  return deps.venue.closeOrder(orderId, { priority: 'urgent', once: true });
}

/** Whether the answer to a close says that there is nothing to close. */
export const saysOver = (error: unknown): boolean =>
  error instanceof VenueRejection && (error.code === 'order_closed' || error.status === 404);

/** How long the exchange asks for patience before the next close. */
export function throttledMs(error: unknown): number {
  const retryAfterS = error instanceof VenueRejection ? error.retryAfterS : null;
  return Math.min(LONGEST_THROTTLED_MS, (retryAfterS ?? 0) * 1000);
}
