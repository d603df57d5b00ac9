/**
 * The first order on an account: it rests far from the market, is seen on the stream, and is closed. At the end the account's
 * money must be as before, to the cent.
 */
import { TouchlineError } from '../../domain/errors.ts';
import type { BetslipId, BetType, OrderId, RequestUuid, Sport } from '../../domain/ids.ts';
import { fromMicros, type Micros } from '../../domain/money.ts';
import { ceilTick, priceOf } from '../../domain/ladder.ts';
import { type Balance, isUnmatched, type VenueOrder } from '../../domain/orders.ts';
import { bestPrice } from '../../domain/price-list.ts';
import { directionOf } from '../../domain/selection.ts';
import type { Offer } from '../../domain/stream.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { type ExchangeClient, ids, NotFound, type RequestPattern } from '../exchange/connect.ts';
import { StreamWatch } from '../exchange/stream-watch.ts';

export interface SmokeOptions {
  /** The stake of the order: it cannot lose more. */
  readonly maxLossMicros: Micros;
  /** Empty: all. */
  readonly sports: readonly Sport[];
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A finished step: what happened, and how long it took. */
export interface SmokeStep {
  readonly step: string;
  readonly found: string;
  readonly tookMs: number;
}

/** Every request of the smoke test. Its client can send no other. */
export const SMOKE_REQUESTS: readonly RequestPattern[] = [
  'GET /v2/balance/',
  'GET /v2/events/',
  'GET /v2/offers/',
  'POST /v2/betslips/',
  'DELETE /v2/betslips/{betslip_id}/',
  'POST /v2/orders/',
  'GET /v2/orders/tracked/{uuid}/',
  'POST /v2/orders/{order_id}/close/',
];

/** A price this many times the market's best is no bet that anybody takes. */
const FAR = 3;
/** Prices in this range leave room for a price that is far above. */
const [LEAST_PRICE, MOST_PRICE] = [1.2, 10];
const EVENTS_TRIED = 20;
/** An event that starts sooner may go in play meanwhile. */
const LEAST_TIME_TO_START_MS = 600_000;
/** Should everything fail, the exchange ends the order after this time. */
const DURATION_S = 60;
const STREAM_WITHIN_MS = 20_000;
const WATCHED: ReadonlySet<string> = new Set(['sync', 'pmm', 'order']);

/**
 * Runs the steps and yields each as it is done. Throws TouchlineError `smoke` that names the step that failed; the order is then
 * closed as far as the exchange answers, and expires after a minute at the latest.
 */
export async function* smoke(exchange: ExchangeClient, options: SmokeOptions): AsyncGenerator<SmokeStep> {
  const { clock } = options;
  const watch = new StreamWatch(exchange.entries(), {
    clock,
    code: 'smoke',
    withinMs: STREAM_WITHIN_MS,
    keeps: ({ tag }) => WATCHED.has(tag),
  });
  const timed = async <T>(step: string, work: () => Promise<T>, told: (result: T) => string) => {
    const startedMs = clock.monotonicMs();
    const result = await work();
    return { result, step: { step, found: told(result), tookMs: clock.monotonicMs() - startedMs } };
  };
  try {
    const before = await timed('balance', () => exchange.account.balance(), inWords);
    yield before.step;
    const chosen = await timed(
      'market',
      () => choose(exchange, options),
      ({ offer, price }) =>
        `${offer.eventId} ${offer.betType}: best price ${bestPrice('for', offer.priceList)}, ours ${price}`,
    );
    yield chosen.step;
    const { offer, price } = chosen.result;
    const slip = await timed(
      'betslip',
      () => openBetslip(exchange, watch, offer),
      (id) => `${id}, its quote is on the stream`,
    );
    yield slip.step;
    const order = await timed(
      'order',
      () => place(exchange, watch, { offer, price, betslipId: slip.result }, options),
      ({ orderId }) => `${orderId}, open on the stream, stake ${usdt(options.maxLossMicros)}`,
    );
    yield order.step;
    const closed = await timed('close', () => close(exchange, watch, order.result.orderId), closedInWords);
    yield closed.step;
    await exchange.betslips.delete(slip.result);
    yield (
      await timed(
        'money',
        () => compare(exchange, before.result, closed.result),
        (text) => text,
      )
    ).step;
  } finally {
    await watch.end();
  }
}

const usdt = (micros: Micros): string => `${fromMicros(micros).toFixed(2)} USDT`;

const inWords = ({ balanceMicros, openStakeMicros }: Balance): string =>
  `${usdt(balanceMicros)}, of which ${usdt(openStakeMicros)} at stake`;

interface Chosen {
  readonly offer: Offer;
  readonly price: number;
}

/** The first market whose price leaves room for one that nobody takes. Events that start soonest are asked last. */
async function choose(exchange: ExchangeClient, { sports, clock }: SmokeOptions): Promise<Chosen> {
  const startFromMs = clock.wallMs() + LEAST_TIME_TO_START_MS;
  const filter = { startFromMs, irStatuses: ['pre_event'], ...(sports.length === 0 ? {} : { sports }) };
  let tried = 0;
  for await (const { sport, eventId } of exchange.allEvents(filter)) {
    if (tried++ === EVENTS_TRIED) break;
    for await (const offer of exchange.allOffers({ sport, eventIds: [eventId] })) {
      const price = farPrice(offer);
      if (price !== null) return { offer, price };
    }
  }
  throw failed('market', `none of ${tried} events that start in ten minutes or later has a usable price`);
}

function farPrice({ betType, priceList, inRunning }: Offer): number | null {
  const best = directionOf(betType) === 'for' && !inRunning ? bestPrice('for', priceList) : null;
  if (best === null || best < LEAST_PRICE || best > MOST_PRICE) return null;
  const tick = ceilTick(best * FAR);
  return tick === null ? null : priceOf(tick);
}

async function openBetslip(
  exchange: ExchangeClient,
  watch: StreamWatch,
  { sport, eventId, betType }: Offer,
): Promise<BetslipId> {
  await watch.until('sync', ({ entry }) => entry.tag === 'sync');
  const { betslipId } = await exchange.betslips.create({ sport, eventId, betType });
  await watch.until(
    'the betslip’s quote',
    ({ entry }) => entry.tag === 'pmm' && entry.quote.betslipId === betslipId,
  );
  return betslipId;
}

interface Terms extends Chosen {
  readonly betslipId: BetslipId;
}

async function place(
  exchange: ExchangeClient,
  watch: StreamWatch,
  { offer: { sport, eventId, betType }, price, betslipId }: Terms,
  { maxLossMicros: stakeMicros, ids: unique }: SmokeOptions,
): Promise<VenueOrder> {
  const market: { sport: Sport; eventId: typeof eventId; betType: BetType } = { sport, eventId, betType };
  const terms = { price, stakeMicros, durationS: DURATION_S, keepOpenInRunning: false, userData: 'smoke' };
  const requestUuid = ids.requestUuid(unique.uuid());
  try {
    const { orderId } = await exchange.orders.place({ ...market, ...terms, betslipId, requestUuid });
    return await orderOn(watch, 'the order', orderId, () => true);
  } catch (error) {
    throw failed('order', `${reasonOf(error)}; ${await withdrawn(exchange, requestUuid)}`);
  }
}

/** Closes the order of a failed request, if there is one, and tells what is known of it. */
async function withdrawn(exchange: ExchangeClient, requestUuid: RequestUuid): Promise<string> {
  try {
    const { orderId } = await exchange.orders.tracked(requestUuid);
    await exchange.orders.close(orderId);
    return `order ${orderId} is closed`;
  } catch (error) {
    if (error instanceof NotFound) return 'there is no order';
    return `it may be open (${reasonOf(error)}), and expires after ${DURATION_S} s at the latest: check with touchline exchange orders`;
  }
}

async function close(exchange: ExchangeClient, watch: StreamWatch, orderId: OrderId): Promise<VenueOrder> {
  await exchange.orders.close(orderId);
  return orderOn(watch, 'the closed order', orderId, ({ closed }) => closed);
}

async function orderOn(
  watch: StreamWatch,
  what: string,
  orderId: OrderId,
  accepts: (order: VenueOrder) => boolean,
): Promise<VenueOrder> {
  const { entry } = await watch.until(
    what,
    ({ entry: each }) => each.tag === 'order' && each.order.orderId === orderId && accepts(each.order),
  );
  if (entry.tag !== 'order') throw failed(what, 'another entry came');
  return entry.order;
}

const matchedMicros = ({ bets }: VenueOrder): Micros =>
  bets.reduce((sum, bet) => sum + (isUnmatched(bet) ? 0 : (bet.gotStakeMicros ?? 0)), 0);

function closedInWords(order: VenueOrder): string {
  const matched = matchedMicros(order);
  return `${order.closeReason ?? order.status}, ${matched === 0 ? 'nothing was matched' : `${usdt(matched)} was matched`}`;
}

/** Throws unless the money is as before; what was matched stays at stake until its event is settled. */
async function compare(exchange: ExchangeClient, before: Balance, order: VenueOrder): Promise<string> {
  const after = await exchange.account.balance();
  const matched = matchedMicros(order);
  if (matched > 0)
    return `${inWords(after)}; the matched bet may lose ${usdt(matched)}, and is yours until it is settled`;
  const isSame =
    after.balanceMicros === before.balanceMicros && after.openStakeMicros === before.openStakeMicros;
  if (!isSame)
    throw failed('money', `${inWords(before)} before, ${inWords(after)} after, though nothing was matched`);
  return `${inWords(after)}: the same to the cent`;
}

const failed = (step: string, why: string): TouchlineError => new TouchlineError('smoke', `${step}: ${why}`);
