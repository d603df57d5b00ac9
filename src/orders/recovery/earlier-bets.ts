import { matchedBet } from '../../account/fills.ts';
import { VenueRejection } from '../../domain/errors.ts';
import type { OrderId } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import type { Micros } from '../../domain/money.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import { settlementOf } from '../../domain/settlement.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { OrderQuery } from '../../ports/venue.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { OrderContext } from '../state/context.ts';
import { orderPages } from './resync.ts';

/** Statuses of orders that can no longer be matched and are not settled yet. A `failed` order has no bets. */
const FILLED_STATUSES: readonly string[] = ['done'];
/**
 * Longest time between placing and settling a bet, around a year for the winner of a season. Without a limit,
 * an exchange that keeps settled orders `done` would list every order ever placed.
 */
const BETS_LAST_MS = 366 * DAY_MS;

/**
 * Reports bets that were matched before there was a cursor and are still at stake: updates do not show them
 * until they are settled. Bets that are already paid are left out, since they are no result of this journal's
 * runs. Rejects when the listing cannot be read.
 */
export async function readEarlierBets(context: OrderContext, reports: ExecutionReports): Promise<void> {
  const reading: Reading = { context, reports, found: new Map() };
  await readFilled(reading);
  logFound(reading);
}

interface Reading {
  readonly context: OrderContext;
  readonly reports: ExecutionReports;
  /** Orders that are not in the journal. */
  readonly found: Map<OrderId, VenueOrder>;
}

/**
 * Reads filled orders, filtered by time. The filter's time format is not published, so a refused filter is left
 * out.
 */
async function readFilled(reading: Reading): Promise<void> {
  const { deps, log } = reading.context;
  const fromMs = deps.clock.wallMs() - BETS_LAST_MS;
  try {
    return await readPages(reading, { statuses: FILLED_STATUSES, fromMs });
  } catch (error) {
    if (!(error instanceof VenueRejection) || error.status !== 400) throw error;
    log.warn('orders cannot be listed by the time of their placement: all filled ones are read', {
      error,
    });
    return readPages(reading, { statuses: FILLED_STATUSES });
  }
}

async function readPages({ context, reports, found }: Reading, query: OrderQuery): Promise<void> {
  for await (const { orders } of orderPages(context, query))
    await context.queue.run(() => {
      for (const order of orders.filter(isAtStake))
        if (reports.order(order, 'earlier') === null) found.set(order.orderId, order);
    });
}

const isAtStake = (order: VenueOrder): boolean =>
  FILLED_STATUSES.includes(order.status) && settlementOf(order) === null;

/** Logs all bets in one line, however many. */
function logFound({ context, found }: Reading): void {
  if (found.size === 0) return;
  const orders = [...found.values()];
  context.log.warn('bets from before the journal are at stake', {
    orders: orders.length,
    withOurMark: orders.filter(({ userData }) => markOf(userData) !== null).length,
    stakeMicros: orders.reduce((micros, order) => micros + matchedMicros(order), 0),
  });
}

const matchedMicros = ({ bets }: VenueOrder): Micros =>
  bets.reduce((micros, bet) => micros + (matchedBet(bet)?.stakeMicros ?? 0), 0);
