import { VenueRejection } from '../domain/errors.ts';
import type { VenueOrder } from '../domain/orders.ts';
import { settlementOf } from '../domain/settlement.ts';
import { DAY_MS } from '../lib/time.ts';
import type { OrderQuery } from '../ports/venue.ts';
import type { Desk } from './desk.ts';
import type { Evidence } from './evidence.ts';
import { orderPages } from './listing.ts';

/** Of orders that can be matched no more and are not settled yet; a `failed` order has no bets. */
const FILLED_STATUSES: readonly string[] = ['done'];
/**
 * How long before they are settled bets are placed, at most: those on the winner of a season, around a year. An exchange
 * that calls settled orders `done` for good would list all that there ever were.
 */
const BETS_LAST_MS = 366 * DAY_MS;

/**
 * Tells the evidence of bets that were matched before there was a cursor and are at stake: no updates window would tell of
 * them until they are settled. What is paid already is no result of this journal's runs, and is left out. Rejects when the
 * listing cannot be read.
 */
export async function readEarlierBets(desk: Desk, evidence: Evidence): Promise<void> {
  const pages = await readFilled(desk, evidence);
  // An order that is settled between two pages draws one that was not read yet to a page that was.
  if (pages > 1) await readFilled(desk, evidence);
}

/** Answers how many pages there were. The form of an instant in this filter is not published: without it, if it is refused. */
async function readFilled(desk: Desk, evidence: Evidence): Promise<number> {
  const fromMs = desk.deps.clock.wallMs() - BETS_LAST_MS;
  try {
    return await readPages(desk, evidence, { statuses: FILLED_STATUSES, fromMs });
  } catch (error) {
    if (!(error instanceof VenueRejection) || error.status !== 400) throw error;
    desk.log.warn('orders cannot be listed by the time of their placement: all filled ones are read', {
      error,
    });
    return readPages(desk, evidence, { statuses: FILLED_STATUSES });
  }
}

async function readPages(desk: Desk, evidence: Evidence, query: OrderQuery): Promise<number> {
  let pages = 0;
  for await (const orders of orderPages(desk, query)) {
    pages++;
    await desk.queue.run(() => {
      for (const order of orders.filter(isAtStake)) evidence.order(order, 'listing');
    });
  }
  return pages;
}

const isAtStake = (order: VenueOrder): boolean =>
  FILLED_STATUSES.includes(order.status) && settlementOf(order) === null;
