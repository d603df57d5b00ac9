import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { toMicros } from '../../../src/domain/money.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { DIRECTIONS } from '../../../src/domain/selection.ts';
import { DEFAULT_LIMITS } from '../../../src/simulator/core/settings.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { type Fault, isClose, type VenueMethod } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';
import { ACCOUNT, SimDesk } from '../../support/sim-desk.ts';

const [OURS, OTHERS, LEVELS] = [200, 3, 20];
/** A bucket of 100 requests, refilled by 20 a second. */
const LIMITS = { ...DEFAULT_LIMITS, generalBurst: { burst: 100, perSecond: 20 } };

const quotesOf = (desk: SimDesk, event: number): QuoteIntent[] =>
  DIRECTIONS.flatMap((direction) =>
    Array.from({ length: LEVELS }, (_, level) => ({
      ...{ selectionId: desk.selection('h', event), direction, level, stakeMicros: toMicros(2) },
      tick: direction === 'for' ? 110 + level : 80 - level,
    })),
  );

/** Places manual orders on the same account. */
async function placeByHand(desk: SimDesk, count: number): Promise<void> {
  const headers = { 'x-api-key': 'by-hand', 'content-type': 'application/json' };
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const request = { method: 'POST', path, headers, body: JSON.stringify(body), timeoutMs: 5_000 } as const;
    const pending = desk.wires.http.send(request);
    await desk.clock.advance(3_000);
    return (JSON.parse((await pending).body) as { data: Record<string, unknown> }).data;
  };
  const bet = { sport: 'fb', event_id: desk.events[0], bet_type: 'for,h' };
  const { betslip_id } = await ask('/v2/betslips/', { ...bet, betslip_type: 'normal' });
  const order = { betslip_id, price: 3, stake: ['USDT', 5], duration: 3_600 };
  for (let placed = 0; placed < count; placed++) await ask('/v2/orders/', order);
}

/** Close requests, as they leave. */
function closesSent({ wires: { http } }: SimDesk): readonly string[] {
  const paths: string[] = [];
  const send = http.send.bind(http);
  http.send = (request) => {
    if (/\/orders\/.*close/.test(request.path)) paths.push(request.path);
    return send(request);
  };
  return paths;
}

it('closes 200 of our orders with a handful of requests, and leaves others’ orders open', async () => {
  const events = OURS / (2 * LEVELS);
  const settings = { limits: LIMITS };
  const desk = new SimDesk({ seed: 1, outcomes: ['h'], events, settings, options: { durationS: 3_600 } });
  const sent = closesSent(desk);
  desk.begin();
  await desk.clock.advance(3_000);
  await placeByHand(desk, OTHERS);
  for (let event = 0; event < events; event++) desk.desire(quotesOf(desk, event), event);
  for (let waitedS = 0; desk.openOrders().length < OURS && waitedS < 120; waitedS++)
    await desk.clock.advance(1_000);
  expect([desk.openOrders().length, sent]).toEqual([OURS, []]);

  desk.manager!.stopQuoting('killed');
  await desk.clock.advance(1_000);
  expect([desk.openOrders(), desk.manager!.openOrders()]).toEqual([[], 0]);
  expect(sent).toEqual(['/v2/orders/close_many/']);
  const { orders, accounts } = desk.inspect();
  expect(orders.filter(({ closed }) => !closed)).toHaveLength(OTHERS);
  expect(accounts.find(({ accountId }) => accountId === ACCOUNT)?.throttledCount).toBe(0);
});

/** A manager with `orders` open orders. `told` lists the close requests since then. */
async function deskWith(orders: number) {
  const desk = new TestDesk({ options: { durationS: 3_600 }, venue: { betslipCap: 10_000 } });
  await desk.startQuoting(
    ...Array.from({ length: orders }, (_, level) => quote({ level, tick: 110 + (level % 200) })),
  );
  expect(desk.venue.open()).toHaveLength(orders);
  const told: (readonly OrderId[])[] = [];
  const { venue } = desk;
  const [one, many] = [venue.closeOrder.bind(venue), venue.closeMany.bind(venue)];
  venue.closeOrder = (id, options) => (told.push([id]), one(id, options));
  venue.closeMany = (ids, options) => (told.push(ids), many(ids, options));
  const ids = venue.open().map(({ view }) => view.orderId);
  return { desk, told, ids };
}

const sizes = (told: readonly (readonly OrderId[])[]): number[] => told.map(({ length }) => length);

it('closes a single order with the single-order request', async () => {
  const { desk, told } = await deskWith(1);
  desk.manager.stopQuoting('test');
  await desk.advance(1_000);
  expect([desk.venue.open(), sizes(told)]).toEqual([[], [1]]);
  expect(desk.venue.calls.some(({ method }) => method === 'closeMany')).toBe(false);
});

it('names no more orders in a request than the exchange accepts', async () => {
  const { desk, told } = await deskWith(700);
  desk.manager.stopQuoting('test');
  await desk.advance(1_000);
  expect([desk.venue.open(), sizes(told)]).toEqual([[], [500, 200]]);
});

it('sends them in the turn that closes everything', async () => {
  const { desk, told } = await deskWith(40);
  desk.manager.stopQuoting('test');
  await Promise.resolve();
  await Promise.resolve();
  expect(sizes(told)).toEqual([40]);
});

it('closes with one request what a failing journal leaves', async () => {
  const { desk, told } = await deskWith(40);
  desk.manager.journalFailed(new Error('disk full'));
  await desk.advance(1_000);
  expect([desk.venue.open(), sizes(told)]).toEqual([[], [40]]);
});

it('closes with one request what several new quotes replace at once', async () => {
  const { desk, told, ids } = await deskWith(8);
  desk.desire(...ids.map((_, level) => quote({ level, tick: 130 + level })));
  await desk.advance(3_000);
  expect(told).toEqual([ids]);
  expect(desk.venue.open()).toHaveLength(8);
});

/** A manager that does not know its own open orders, because its journal is damaged. */
function deskWithStrays(orders: number): TestDesk {
  const desk = new TestDesk();
  desk.loseJournal();
  for (let at = 0; at < orders; at++)
    desk.venue.placeByHand({ ...BY_HAND, durationS: 600, userData: markedBy(OWN, '7', `lost-${at}`) });
  return desk;
}

it('closes all strays with one request', async () => {
  const desk = deskWithStrays(30);
  await desk.start();
  await desk.advance(1_000);
  expect(desk.venue.open()).toEqual([]);
  expect(desk.venue.calls.map(({ method }) => method).filter(isClose)).toEqual(['closeMany']);
});

it.each([
  ['fails', { kind: 'lost' } as const],
  ['is ignored', null],
])('retries closing strays where the first request for all of them %s', async (_, fault) => {
  const desk = deskWithStrays(10);
  if (fault === null) desk.venue.closeMany = (closed) => Promise.resolve({ closed, notFound: [] });
  else desk.venue.fault = (method) => (method === 'closeMany' ? fault : null);
  await desk.start();
  await desk.advance(30_000);
  expect(desk.venue.open()).toEqual([]);
});

it.each([
  ['refuses', new VenueRejection('validation_error', 400, 'order_ids: not a field')],
  ['does not know', new VenueRejection('not_found', 404, 'no such path')],
])('closes each order by itself where the exchange %s a request that names several', async (_, error) => {
  const { desk, told } = await deskWith(40);
  desk.venue.fault = (method) => (method === 'closeMany' ? { kind: 'reject', error } : null);
  desk.manager.stopQuoting('test');
  await desk.advance(1_000);
  expect(desk.venue.open()).toEqual([]);
  expect(sizes(told)).toEqual([40, ...Array<number>(40).fill(1)]);
});

it.each([
  ['fails', () => Promise.reject(new VenueRejection('error', 500, 'no'))],
  ['is not answered', () => new Promise<never>(() => undefined)],
])('closes the others soon when each request that names a certain order %s', async (_, answer) => {
  const { desk, told, ids } = await deskWith(200);
  const bad = ids[77] as OrderId;
  const { closeOrder, closeMany } = desk.venue;
  desk.venue.closeMany = (named, options) =>
    named.includes(bad) ? (told.push(named), answer()) : closeMany(named, options);
  desk.venue.closeOrder = (id, options) =>
    id === bad ? (told.push([id]), answer()) : closeOrder(id, options);
  desk.manager.stopQuoting('test');
  await desk.advance(20_000);
  expect(desk.venue.open().map(({ view }) => view.orderId)).toEqual([bad]);
  expect(told.length).toBeLessThan(50);
  Object.assign(desk.venue, { closeOrder, closeMany });
  await desk.advance(5_000);
  expect(desk.venue.open()).toEqual([]);
});

it('closes all soon once an outage is over in which nothing could be closed', async () => {
  const { desk, told } = await deskWith(200);
  desk.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  desk.manager.stopQuoting('test');
  await desk.advance(120_000);
  desk.venue.fault = () => null;
  const before = told.length;
  await desk.advance(10_000);
  expect(desk.venue.open()).toEqual([]);
  expect(told.length - before).toBeLessThan(40);
});

it('names all again where requests are not sent, or exceed the rate', async () => {
  const { desk, told } = await deskWith(40);
  const throttled = new VenueRejection('throttled', 429, 'too many requests', { retryAfterS: 1 });
  const faults: Fault[] = [{ kind: 'not-sent' }, { kind: 'reject', error: throttled }];
  desk.venue.fault = (method) => (isClose(method) ? (faults.shift() ?? null) : null);
  desk.manager.stopQuoting('test');
  await desk.advance(3_000);
  expect([desk.venue.open(), sizes(told)]).toEqual([[], [40, 40, 40]]);
});

it('looks up each order that the exchange reports it cannot close', async () => {
  const { desk, told, ids } = await deskWith(10);
  const { closeMany } = desk.venue;
  let isFirst = true;
  desk.venue.closeMany = (named, options) => {
    if (!isFirst) return closeMany(named, options);
    isFirst = false;
    return Promise.resolve({ closed: [], notFound: named });
  };
  const questions = () => desk.venue.calls.filter(({ method }) => method === 'order').length;
  const before = questions();
  desk.manager.stopQuoting('test');
  await desk.advance(100);
  expect(questions() - before).toBe(10);
  await desk.advance(10_000);
  expect(desk.venue.open()).toEqual([]);
  expect(told.flat().toSorted()).toEqual(ids.toSorted());
});

it('closes an order again that the answer does not name', async () => {
  const { desk, told, ids } = await deskWith(10);
  const { closeMany } = desk.venue;
  const [left] = ids;
  desk.venue.closeMany = (named, options) =>
    closeMany(
      named.filter((id) => id !== left),
      options,
    );
  desk.manager.stopQuoting('test');
  await desk.advance(1_000);
  expect([desk.venue.open(), sizes(told)]).toEqual([[], [9, 1]]);
});

it.each([
  ['names none of them', () => ({ closed: [], notFound: [] })],
  ['reports that none of them can be closed', (notFound: readonly OrderId[]) => ({ closed: [], notFound })],
  ['acknowledges each, and closes none', (closed: readonly OrderId[]) => ({ closed, notFound: [] })],
])('closes each by itself when the answer for several %s', async (_, answer) => {
  const { desk } = await deskWith(20);
  desk.venue.closeMany = (ids) => Promise.resolve(answer(ids));
  desk.manager.stopQuoting('test');
  await desk.advance(15_000);
  expect(desk.venue.open()).toEqual([]);
});

const FAULTS: readonly (Fault | null)[] = [
  null,
  { kind: 'lost' },
  { kind: 'not-sent' },
  { kind: 'answer-lost' },
  { kind: 'late', ms: 4_000 },
  { kind: 'slow-connection', ms: 1_500 },
  { kind: 'reject', error: new VenueRejection('error', 503, 'unavailable') },
  { kind: 'reject', error: new VenueRejection('error', 500, 'an error'), carriedOut: true },
  { kind: 'reject', error: new VenueRejection('validation_error', 400, 'refused') },
  { kind: 'reject', error: new VenueRejection('throttled', 429, 'too many', { retryAfterS: 2 }) },
];

it('closes all of our orders and no others, whatever happens to the first requests', async () => {
  const fates = fc.array(fc.constantFrom(...FAULTS), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fates, async (orders, planned) => {
      const { desk, told } = await deskWith(orders);
      const byHand = desk.venue.placeByHand(BY_HAND);
      const left = [...planned];
      const isConcerned = (method: VenueMethod): boolean => isClose(method) || method === 'order';
      desk.venue.fault = (method) => (isConcerned(method) ? (left.shift() ?? null) : null);
      desk.manager.stopQuoting('test');
      for (let waitedS = 0; left.length > 0 && desk.venue.open().length > 1; waitedS++) {
        expect(waitedS).toBeLessThan(400);
        await desk.advance(1_000);
      }
      await desk.advance(30_000);
      expect(desk.venue.open().map(({ view }) => view.orderId)).toEqual([byHand.orderId]);
      expect([desk.states(), desk.fatals]).toEqual([[], []]);
      for (const ids of told) expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 60 },
  );
}, 60_000);
