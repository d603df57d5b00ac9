import { afterEach, beforeEach, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { ids } from '../../../src/app/exchange/connect.ts';
import { closeOrders, closeOurOrders, closeWholeAccount } from '../../../src/app/operate/close-orders.ts';
import { MOST_CLOSED_AT_ONCE } from '../../../src/ports/venue.ts';
import { EVENT_ID } from '../../contract/venue-subject.ts';
import { markedBy, OTHER, OWN } from '../../support/claims.ts';
import { exchangeOverSockets, type ExchangeOverSockets } from '../../support/exchange-over-sockets.ts';

let rig: ExchangeOverSockets;
let core: ExchangeOverSockets['core'];
let exchange: ExchangeOverSockets['exchange'];

beforeEach(async () => {
  rig = await exchangeOverSockets();
  ({ core, exchange } = rig);
});
afterEach(() => rig.stop());

const MARKET = { sport: ids.sport('fb'), eventId: ids.eventId(EVENT_ID), betType: ids.betType('for,h') };
const uuid = (n: number) => ids.requestUuid(`00000000-0000-4000-8000-00000000000${n}`);

/** Two of our orders by different runs, and one manual order. */
async function threeOrders(): Promise<number[]> {
  const { betslipId } = await exchange.betslips.create(MARKET);
  const tags = [markedBy(OWN, '1', uuid(1)), 'by hand', markedBy(OWN, '2', uuid(3))];
  const orders = [];
  for (const [i, userData] of tags.entries()) {
    const terms = { price: 2.26, stakeMicros: 10_000_000, durationS: 60, userData };
    orders.push(await exchange.orders.place({ ...MARKET, ...terms, betslipId, requestUuid: uuid(i + 1) }));
  }
  return orders.map(({ orderId }) => orderId);
}

/** The terms of another order of ours, whose create is in flight. */
async function late() {
  const { betslipId } = await exchange.betslips.create(MARKET);
  const terms = {
    price: 2.26,
    stakeMicros: 10_000_000,
    durationS: 60,
    userData: markedBy(OWN, '2', uuid(4)),
  };
  return { ...MARKET, ...terms, betslipId, requestUuid: uuid(4) };
}

const openIds = (): number[] => core.inspect().orders.flatMap((o) => (o.closed ? [] : [o.orderId]));

it('closes the orders that the daemon placed, and leaves the others', async () => {
  const [first, byHand, third] = await threeOrders();
  const results = await closeOurOrders(exchange);
  expect(results.map(({ orderId }) => orderId).sort()).toEqual([first, third].sort());
  expect(openIds()).toEqual([byHand]);
});

it('closes the orders of one installation only', async () => {
  const { betslipId } = await exchange.betslips.create(MARKET);
  const terms = { price: 2.26, stakeMicros: 10_000_000, durationS: 60 };
  for (const [n, installation] of [OWN, OTHER].entries()) {
    const userData = markedBy(installation, '1', uuid(n));
    await exchange.orders.place({ ...MARKET, ...terms, userData, betslipId, requestUuid: uuid(n) });
  }
  const results = await closeOurOrders(exchange, { installation: OWN });
  expect(results.map(({ result }) => result)).toEqual(['closed']);
  const open = core.inspect().orders.filter(({ closed }) => !closed);
  expect(open.map(({ userData }) => userData)).toEqual([markedBy(OTHER, '1', uuid(1))]);
});

it('closes orders that were being created while it closed the others', async () => {
  await threeOrders();
  const closeMany = exchange.orders.closeMany.bind(exchange.orders);
  let isFirst = true;
  exchange.orders.closeMany = async (each, options) => {
    if (isFirst) await exchange.orders.place(await late());
    isFirst = false;
    return closeMany(each, options);
  };
  expect((await closeOurOrders(exchange)).map(({ result }) => result)).toEqual([
    'closed',
    'closed',
    'closed',
  ]);
  expect(openIds()).toHaveLength(1);
});

it('reports which orders the exchange still lists after it has closed them', async () => {
  const [first, , third] = await threeOrders();
  exchange.orders.close = () => Promise.resolve();
  exchange.orders.closeMany = (closed) => Promise.resolve({ closed, notFound: [] });
  const results = await closeOurOrders(exchange);
  expect(results.map(({ orderId }) => orderId).sort()).toEqual([first, third].sort());
  expect(results.map(({ result }) => result)).toEqual(['still open', 'still open']);
});

it('closes the whole account on request', async () => {
  await threeOrders();
  expect(await closeWholeAccount(exchange)).toHaveLength(3);
  expect(openIds()).toEqual([]);
});

it('reports what became of each order', async () => {
  const [first] = await threeOrders();
  const id = ids.orderId(first ?? 0);
  expect(await closeOrders(exchange, [id])).toEqual([{ orderId: id, result: 'closed' }]);
  expect(await closeOrders(exchange, [id, ids.orderId(999_999)])).toEqual([
    { orderId: id, result: 'was closed already' },
    { orderId: 999_999, result: 'not found' },
  ]);
});

it('does not hold up other closes for one that hangs', async () => {
  const [first = 0, , third = 0] = await threeOrders();
  const close = exchange.orders.close.bind(exchange.orders);
  let letGo = (): void => undefined;
  const hangs = new Promise<void>((resolve) => (letGo = resolve));
  exchange.orders.close = (id, options) => (id === first ? hangs : close(id, options));
  exchange.orders.closeMany = () => hangs.then(() => ({ closed: [], notFound: [] }));
  const clock = new VirtualClock();
  const closing = closeOrders(exchange, [ids.orderId(first), ids.orderId(third)], clock);
  await clock.advance(2_500);
  await expect.poll(openIds).not.toContain(third);
  letGo();
  expect(await closing).toMatchObject([{ orderId: first }, { orderId: third, result: 'closed' }]);
});

/** The exchange fails every close of one order, or of any. */
function stumbleOver(
  orderId: number | 'any',
  stumbles = (id: number) => orderId === 'any' || id === orderId,
): void {
  const { orders } = exchange;
  const [close, closeMany] = [orders.close.bind(orders), orders.closeMany.bind(orders)];
  const mustNotStumble = (each: readonly number[]): void => {
    if (each.some(stumbles)) throw new Error('the exchange stumbles over it');
  };
  orders.close = async (id, options) => (mustNotStumble([id]), close(id, options));
  orders.closeMany = async (each, options) => (mustNotStumble(each), closeMany(each, options));
}

const WHY = 'the exchange stumbles over it';

it('closes all the others when one close fails, and reports why', async () => {
  const [first = 0, , third = 0] = await threeOrders();
  stumbleOver(first);
  expect(await closeOrders(exchange, [ids.orderId(first), ids.orderId(third)])).toEqual([
    { orderId: third, result: 'closed' },
    { orderId: first, result: 'not known', why: WHY },
  ]);
  expect(openIds()).not.toContain(third);
  expect(openIds()).toContain(first);
});

it('closes all our other orders when one close fails', async () => {
  const [first, , third] = await threeOrders();
  stumbleOver(first ?? 0);
  expect(await closeOurOrders(exchange)).toEqual([
    { orderId: third, result: 'closed' },
    { orderId: first, result: 'still open', why: WHY },
  ]);
});

it('rejects when every close fails', async () => {
  const [first] = await threeOrders();
  stumbleOver('any');
  await expect(closeOrders(exchange, [ids.orderId(first ?? 0)])).rejects.toThrow('stumbles');
  await expect(closeOurOrders(exchange)).rejects.toThrow('stumbles');
});

const UNLISTED = 'the list cannot be read';

/** The exchange lists open orders `times` times, and fails afterwards. */
function listed(times: number): void {
  const list = exchange.allOrders.bind(exchange);
  let left = times;
  exchange.allOrders = (query, options) => {
    if (left-- > 0) return list(query, options);
    throw new Error(UNLISTED);
  };
}

it('reports what it has closed when the list of open orders cannot be read afterwards', async () => {
  const [first, , third] = await threeOrders();
  listed(1);
  expect(await closeOurOrders(exchange)).toEqual([
    { orderId: third, result: 'closed' },
    { orderId: first, result: 'closed' },
    { orderId: null, result: 'not known', why: UNLISTED },
  ]);
});

it('closes an order whose entry cannot be read by its id, and reports one whose id cannot be read', async () => {
  const [first, manual, third] = await threeOrders();
  const { list } = exchange.orders;
  const odd = (orderId: number | null, userData: string) => ({
    at: 0,
    label: 'an odd one',
    orderId: orderId as never,
    userData,
  });
  exchange.orders.list = async (query, options) => {
    const page = await list.call(exchange.orders, query, options);
    const isOpen = openIds().includes(first as number);
    const unread = [odd(manual as number, 'by hand'), odd(null, markedBy(OWN, '2', uuid(5)))];
    if (isOpen) unread.push(odd(first as number, markedBy(OWN, '1', uuid(1))));
    return { orders: page.orders.filter(({ orderId }) => orderId === third), unread };
  };
  expect(await closeOurOrders(exchange)).toEqual([
    { orderId: first, result: 'closed' },
    { orderId: third, result: 'closed' },
    { orderId: null, result: 'not known', why: 'the id of an order of ours cannot be read: an odd one' },
  ]);
  expect(openIds()).toEqual([manual]);
});

it('reports each order that it could not close, and what a later pass closed', async () => {
  const [first, , third] = await threeOrders();
  const { orderId: latest } = await exchange.orders.place(await late());
  // Both refusals come in the first pass: one among others, and one alone.
  let refusals = 2;
  stumbleOver('any', (id) => id === first || (id === latest && refusals-- > 0));
  listed(2);
  const results = await closeOurOrders(exchange);
  expect(results.map(({ orderId, result, why }) => [orderId, result, why])).toEqual([
    [third, 'closed', undefined],
    [latest, 'closed', undefined],
    [first, 'not known', WHY],
    [null, 'not known', UNLISTED],
  ]);
  expect(openIds()).toContain(first);
});

it.each([0, 1])('rejects when the state of no order can be read, listed %i times', async (times) => {
  await threeOrders();
  stumbleOver('any');
  listed(times);
  await expect(closeOurOrders(exchange)).rejects.toThrow(times === 0 ? UNLISTED : WHY);
});

it('closes many orders with one request, and looks up only those that it does not close', async () => {
  const [first = 0, , third = 0] = await threeOrders();
  const { orders } = exchange;
  const [close, closeMany] = [orders.close.bind(orders), orders.closeMany.bind(orders)];
  const sent: (number | readonly number[])[] = [];
  orders.close = (id, options) => (sent.push(id), close(id, options));
  orders.closeMany = (each, options) => (sent.push(each), closeMany(each, options));
  const each = [first, 999_999, third].map(ids.orderId);
  expect((await closeOrders(exchange, each)).map(({ result }) => result)).toEqual([
    'closed',
    'not found',
    'closed',
  ]);
  expect(sent).toEqual([each, 999_999]);
});

it.each([1, 2, 499, 500, 501, 1_000, 1_001])(
  'closes %d orders, each once, in the fewest requests',
  async (count) => {
    const sent: (number | readonly number[])[] = [];
    const orders = {
      close: async (id: number) => void sent.push(id),
      closeMany: async (each: readonly number[]) => (sent.push(each), { closed: each }),
    };
    const each = Array.from({ length: count }, (_, n) => ids.orderId(n + 1));
    const results = await closeOrders({ orders } as unknown as typeof exchange, each, new VirtualClock());
    expect(results).toEqual(each.map((orderId) => ({ orderId, result: 'closed' })));
    expect(sent.flat()).toEqual(each);
    expect(sent).toHaveLength(Math.ceil(count / MOST_CLOSED_AT_ONCE));
    // A single order is closed by its own endpoint.
    const sizes = sent.map((ofOne) => (typeof ofOne === 'number' ? 1 : ofOne.length));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_CLOSED_AT_ONCE);
  },
);
