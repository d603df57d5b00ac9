import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { toMicros } from '../../../src/domain/money.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { DIRECTIONS } from '../../../src/domain/selection.ts';
import { DEFAULT_LIMITS } from '../../../src/simulator/core/settings.ts';
import { patient } from '../../support/patience.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { type Fault, isClose, type VenueMethod } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { ACCOUNT, SimulatedRig } from '../../support/simulated-rig.ts';

const [OURS, OTHERS, LEVELS] = [200, 3, 20];
/** A bucket of 100 requests, refilled by 20 a second. */
const LIMITS = { ...DEFAULT_LIMITS, generalBurst: { burst: 100, perSecond: 20 } };

const quotesOf = (rig: SimulatedRig, event: number): QuoteIntent[] =>
  DIRECTIONS.flatMap((direction) =>
    Array.from({ length: LEVELS }, (_, level) => ({
      selectionId: rig.selection('h', event),
      direction,
      level,
      stakeMicros: toMicros(2),
      tick: direction === 'for' ? 110 + level : 80 - level,
    })),
  );

/** Places manual orders on the same account. */
async function placeByHand(rig: SimulatedRig, count: number): Promise<void> {
  const headers = { 'x-api-key': 'by-hand', 'content-type': 'application/json' };
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const request = { method: 'POST', path, headers, body: JSON.stringify(body), timeoutMs: 5_000 } as const;
    const pending = rig.wires.http.send(request);
    await rig.clock.advance(3_000);
    return (JSON.parse((await pending).body) as { data: Record<string, unknown> }).data;
  };
  const bet = { sport: 'fb', event_id: rig.events[0], bet_type: 'for,h' };
  const { betslip_id } = await ask('/v2/betslips/', { ...bet, betslip_type: 'normal' });
  const order = { betslip_id, price: 3, stake: ['USDT', 5], duration: 3_600 };
  for (let placed = 0; placed < count; placed++) await ask('/v2/orders/', order);
}

/** Close requests, as they leave. */
function closesSent({ wires: { http } }: SimulatedRig): readonly string[] {
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
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'], events, settings, options: { durationS: 3_600 } });
  const sent = closesSent(rig);
  rig.begin();
  await rig.clock.advance(3_000);
  await placeByHand(rig, OTHERS);
  for (let event = 0; event < events; event++) rig.desire(quotesOf(rig, event), event);
  for (let waitedS = 0; rig.openOrders().length < OURS && waitedS < 120; waitedS++)
    await rig.clock.advance(1_000);
  expect([rig.openOrders().length, sent]).toEqual([OURS, []]);

  rig.manager!.stopQuoting('killed');
  await rig.clock.advance(1_000);
  expect([rig.openOrders(), rig.manager!.openOrders()]).toEqual([[], 0]);
  expect(sent).toEqual(['/v2/orders/close_many/']);
  const { orders, accounts } = rig.inspect();
  expect(orders.filter(({ closed }) => !closed)).toHaveLength(OTHERS);
  expect(accounts.find(({ accountId }) => accountId === ACCOUNT)?.throttledCount).toBe(0);
});

/** A manager with `orders` open orders. `requests` lists the close requests since then. */
async function rigWith(orders: number) {
  const rig = new OrderManagerRig({ options: { durationS: 3_600 }, venue: { betslipCap: 10_000 } });
  await rig.startQuoting(
    ...Array.from({ length: orders }, (_, level) => quote({ level, tick: 110 + (level % 200) })),
  );
  expect(rig.venue.open()).toHaveLength(orders);
  const requests: (readonly OrderId[])[] = [];
  const { venue } = rig;
  const [one, many] = [venue.closeOrder.bind(venue), venue.closeMany.bind(venue)];
  venue.closeOrder = (id, options) => (requests.push([id]), one(id, options));
  venue.closeMany = (ids, options) => (requests.push(ids), many(ids, options));
  const ids = venue.open().map(({ view }) => view.orderId);
  return { rig, requests, ids };
}

const sizes = (requests: readonly (readonly OrderId[])[]): number[] => requests.map(({ length }) => length);

it('closes a single order with the single-order request', async () => {
  const { rig, requests } = await rigWith(1);
  rig.manager.stopQuoting('test');
  await rig.advance(1_000);
  expect([rig.venue.open(), sizes(requests)]).toEqual([[], [1]]);
  expect(rig.venue.calls.some(({ method }) => method === 'closeMany')).toBe(false);
});

it('names no more orders in a request than the exchange accepts', async () => {
  const { rig, requests } = await rigWith(700);
  rig.manager.stopQuoting('test');
  await rig.advance(1_000);
  expect([rig.venue.open(), sizes(requests)]).toEqual([[], [500, 200]]);
});

it('sends them in the turn that closes everything', async () => {
  const { rig, requests } = await rigWith(40);
  rig.manager.stopQuoting('test');
  await Promise.resolve();
  await Promise.resolve();
  expect(sizes(requests)).toEqual([40]);
});

it('closes with one request what a failing journal leaves', async () => {
  const { rig, requests } = await rigWith(40);
  rig.manager.journalFailed(new Error('disk full'));
  await rig.advance(1_000);
  expect([rig.venue.open(), sizes(requests)]).toEqual([[], [40]]);
});

it('closes with one request what several new quotes replace at once', async () => {
  const { rig, requests, ids } = await rigWith(8);
  rig.desire(...ids.map((_, level) => quote({ level, tick: 130 + level })));
  await rig.advance(3_000);
  expect(requests).toEqual([ids]);
  expect(rig.venue.open()).toHaveLength(8);
});

/** A manager that does not know its own open orders, because its journal is damaged. */
function rigWithStrays(orders: number): OrderManagerRig {
  const rig = new OrderManagerRig();
  rig.loseJournal();
  for (let at = 0; at < orders; at++)
    rig.venue.placeByHand({ ...BY_HAND, durationS: 600, userData: markedBy(OWN, '7', `lost-${at}`) });
  return rig;
}

it('closes all strays with one request', async () => {
  const rig = rigWithStrays(30);
  await rig.start();
  await rig.advance(1_000);
  expect(rig.venue.open()).toEqual([]);
  expect(rig.venue.calls.map(({ method }) => method).filter(isClose)).toEqual(['closeMany']);
});

it.each([
  ['fails', { kind: 'lost' } as const],
  ['is ignored', null],
])('retries closing strays where the first request for all of them %s', async (_, fault) => {
  const rig = rigWithStrays(10);
  if (fault === null) rig.venue.closeMany = (closed) => Promise.resolve({ closed, notFound: [] });
  else rig.venue.fault = (method) => (method === 'closeMany' ? fault : null);
  await rig.start();
  await rig.advance(30_000);
  expect(rig.venue.open()).toEqual([]);
});

it.each([
  ['refuses', new VenueRejection('validation_error', 400, 'order_ids: not a field')],
  ['does not know', new VenueRejection('not_found', 404, 'no such path')],
])('closes each order by itself where the exchange %s a request that names several', async (_, error) => {
  const { rig, requests } = await rigWith(40);
  rig.venue.fault = (method) => (method === 'closeMany' ? { kind: 'reject', error } : null);
  rig.manager.stopQuoting('test');
  await rig.advance(1_000);
  expect(rig.venue.open()).toEqual([]);
  expect(sizes(requests)).toEqual([40, ...Array<number>(40).fill(1)]);
});

it.each([
  ['fails', () => Promise.reject(new VenueRejection('error', 500, 'no'))],
  ['is not answered', () => new Promise<never>(() => undefined)],
])('closes the others soon when each request that names a certain order %s', async (_, answer) => {
  const { rig, requests, ids } = await rigWith(200);
  const bad = ids[77] as OrderId;
  const { closeOrder, closeMany } = rig.venue;
  rig.venue.closeMany = (named, options) =>
    named.includes(bad) ? (requests.push(named), answer()) : closeMany(named, options);
  rig.venue.closeOrder = (id, options) =>
    id === bad ? (requests.push([id]), answer()) : closeOrder(id, options);
  rig.manager.stopQuoting('test');
  await rig.advance(20_000);
  expect(rig.venue.open().map(({ view }) => view.orderId)).toEqual([bad]);
  expect(requests.length).toBeLessThan(50);
  Object.assign(rig.venue, { closeOrder, closeMany });
  await rig.advance(5_000);
  expect(rig.venue.open()).toEqual([]);
});

it('closes all soon once an outage is over in which nothing could be closed', async () => {
  const { rig, requests } = await rigWith(200);
  rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  rig.manager.stopQuoting('test');
  await rig.advance(120_000);
  rig.venue.fault = () => null;
  const before = requests.length;
  await rig.advance(10_000);
  expect(rig.venue.open()).toEqual([]);
  expect(requests.length - before).toBeLessThan(40);
});

it('names all again where requests are not sent, or exceed the rate', async () => {
  const { rig, requests } = await rigWith(40);
  const throttled = new VenueRejection('throttled', 429, 'too many requests', { retryAfterS: 1 });
  const faults: Fault[] = [{ kind: 'not-sent' }, { kind: 'reject', error: throttled }];
  rig.venue.fault = (method) => (isClose(method) ? (faults.shift() ?? null) : null);
  rig.manager.stopQuoting('test');
  await rig.advance(3_000);
  expect([rig.venue.open(), sizes(requests)]).toEqual([[], [40, 40, 40]]);
});

it('looks up each order that the exchange reports it cannot close', async () => {
  const { rig, requests, ids } = await rigWith(10);
  const { closeMany } = rig.venue;
  let isFirst = true;
  rig.venue.closeMany = (named, options) => {
    if (!isFirst) return closeMany(named, options);
    isFirst = false;
    return Promise.resolve({ closed: [], notFound: named });
  };
  const questions = () => rig.venue.calls.filter(({ method }) => method === 'order').length;
  const before = questions();
  rig.manager.stopQuoting('test');
  await rig.advance(100);
  expect(questions() - before).toBe(10);
  await rig.advance(10_000);
  expect(rig.venue.open()).toEqual([]);
  expect(requests.flat().toSorted()).toEqual(ids.toSorted());
});

it('closes an order again that the answer does not name', async () => {
  const { rig, requests, ids } = await rigWith(10);
  const { closeMany } = rig.venue;
  const [left] = ids;
  rig.venue.closeMany = (named, options) =>
    closeMany(
      named.filter((id) => id !== left),
      options,
    );
  rig.manager.stopQuoting('test');
  await rig.advance(1_000);
  expect([rig.venue.open(), sizes(requests)]).toEqual([[], [9, 1]]);
});

it.each([
  ['names none of them', () => ({ closed: [], notFound: [] })],
  ['reports that none of them can be closed', (notFound: readonly OrderId[]) => ({ closed: [], notFound })],
  ['acknowledges each, and closes none', (closed: readonly OrderId[]) => ({ closed, notFound: [] })],
])('closes each by itself when the answer for several %s', async (_, answer) => {
  const { rig } = await rigWith(20);
  rig.venue.closeMany = (ids) => Promise.resolve(answer(ids));
  rig.manager.stopQuoting('test');
  await rig.advance(15_000);
  expect(rig.venue.open()).toEqual([]);
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

it(
  'closes all of our orders and no others, whatever happens to the first requests',
  async () => {
    const fates = fc.array(fc.constantFrom(...FAULTS), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fates, async (orders, planned) => {
        const { rig, requests } = await rigWith(orders);
        const byHand = rig.venue.placeByHand(BY_HAND);
        const left = [...planned];
        const isConcerned = (method: VenueMethod): boolean => isClose(method) || method === 'order';
        rig.venue.fault = (method) => (isConcerned(method) ? (left.shift() ?? null) : null);
        rig.manager.stopQuoting('test');
        for (let waitedS = 0; left.length > 0 && rig.venue.open().length > 1; waitedS++) {
          expect(waitedS).toBeLessThan(400);
          await rig.advance(1_000);
        }
        await rig.advance(30_000);
        expect(rig.venue.open().map(({ view }) => view.orderId)).toEqual([byHand.orderId]);
        expect([rig.states(), rig.fatals]).toEqual([[], []]);
        for (const ids of requests) expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 60 },
    );
  },
  patient(60_000),
);
