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
import { matchedBet } from '../state/fills.ts';
import { orderPages } from './resync.ts';

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
export async function readEarlierBets(context: OrderContext, reports: ExecutionReports): Promise<void> {
  const reading: Reading = { context, reports, found: new Map() };
  await readFilled(reading);
  tell(reading);
}

interface Reading {
  readonly context: OrderContext;
  readonly reports: ExecutionReports;
  /** Those of which the journal does not tell. */
  readonly found: Map<OrderId, VenueOrder>;
}

/** The form of an instant in this filter is not published: without it, if it is refused. */
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

async function readPages(reading: Reading, query: OrderQuery): Promise<void> {
  for await (const orders of orderPages(reading.context, query))
    await reading.context.queue.run(() => {
      for (const order of orders.filter(isAtStake)) take(reading, order);
    });
}

function take({ reports, found }: Reading, order: VenueOrder): void {
  if (reports.order(order, 'earlier') === null) found.set(order.orderId, order);
}

const isAtStake = (order: VenueOrder): boolean =>
  FILLED_STATUSES.includes(order.status) && settlementOf(order) === null;

/** In one line, however many. */
function tell({ context, found }: Reading): void {
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
