import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { ProtocolError, TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { type OrderId, orderId } from '../../../src/domain/ids.ts';
import { CloseRequests, throttledMs } from '../../../src/orders/outcomes/close-requests.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { type ClosedMany, MOST_CLOSED_AT_ONCE } from '../../../src/ports/venue.ts';

const ids = (count: number, from = 0): OrderId[] =>
  Array.from({ length: count }, (_, at) => orderId(from + at));

/** Requests whose answers the test gives, one after the other. */
function rig(open: readonly OrderId[] = []) {
  const clock = new VirtualClock();
  const sent: (readonly OrderId[])[] = [];
  const waiting: PromiseWithResolvers<ClosedMany>[] = [];
  const request = async (named: readonly OrderId[]): Promise<ClosedMany> => {
    sent.push(named);
    const answer = Promise.withResolvers<ClosedMany>();
    waiting.push(answer);
    return answer.promise;
  };
  const venue = {
    keyRefusal: null as unknown,
    closeMany: request,
    closeOrder: async (id: OrderId) => request([id]),
  };
  const queue = {
    call: (start: () => Promise<unknown>, done: (value: unknown) => void, failed: (error: unknown) => void) =>
      void start().then(done, failed),
  };
  const closes = new CloseRequests(
    { deps: { clock, venue }, queue } as unknown as Pick<OrderContext, 'deps' | 'queue'>,
    () => open,
  );
  const told: string[] = [];
  const ask = (named: readonly OrderId[], alone = false): void => {
    for (const id of named) {
      const tell = (what: string) => void told.push(`${id} ${what}`);
      const failed = (error: unknown) => tell(error instanceof ProtocolError ? 'not named' : 'failed');
      closes.ask(id, { closed: () => tell('closed'), over: () => tell('over'), failed }, alone);
    }
    closes.flush();
  };
  const settle = async (give: (answer: PromiseWithResolvers<ClosedMany>) => void): Promise<void> => {
    const next = waiting.shift();
    if (next === undefined) throw new Error('nothing was asked');
    give(next);
    await clock.advance(0);
  };
  const answer = (closed: readonly OrderId[], notFound: readonly OrderId[] = []) =>
    settle(({ resolve }) => resolve({ closed, notFound }));
  const fail = (error: unknown) => settle(({ reject }) => reject(error as Error));
  return { clock, venue, closes, sent, told, ask, answer, fail };
}

const rejected = (status: number, code = 'error') => new VenueRejection(code, status, 'no');

describe('the size of the next requests', () => {
  it.each([
    ['a refusal of several', 40, rejected(400), 1],
    ['a refusal of several, unknown path', 2, rejected(404), 1],
    ['a refusal of one', 1, rejected(400), MOST_CLOSED_AT_ONCE],
    ['a failing server', 40, rejected(500), 10],
    ['a failing server, an odd number', 41, rejected(503), 11],
    ['no answer', 40, new TransportError('unknown', 'cut'), 10],
    ['no answer for one', 1, new TransportError('unknown', 'cut'), MOST_CLOSED_AT_ONCE],
    ['a request that was not sent', 40, new TransportError('not-sent', 'cut'), MOST_CLOSED_AT_ONCE],
    ['a refused key', 40, rejected(401), MOST_CLOSED_AT_ONCE],
    ['a throttled request', 40, rejected(429), MOST_CLOSED_AT_ONCE],
  ])('after %s', async (_, count, error, most) => {
    const { closes, ask, fail, told } = rig();
    ask(ids(count));
    await fail(error);
    expect([closes.most, told.length]).toEqual([most, count]);
  });

  it('is one for a minute after a refusal, then as before', async () => {
    const { clock, closes, ask, fail } = rig();
    ask(ids(40));
    await fail(rejected(400));
    await clock.advance(59_999);
    expect(closes.most).toBe(1);
    await clock.advance(1);
    expect(closes.most).toBe(MOST_CLOSED_AT_ONCE);
  });

  it('grows to twice of what succeeded, and up to the most', async () => {
    const { closes, ask, fail, answer, sent } = rig();
    ask(ids(40));
    await fail(rejected(500));
    const grown: number[] = [];
    for (let round = 0; round < 7; round++) {
      const named = ids(closes.most);
      ask(named);
      await answer(named);
      grown.push(closes.most);
    }
    expect(grown).toEqual([20, 40, 80, 160, 320, 500, 500]);
    expect(sent.map(({ length }) => length)).toEqual([40, 10, 20, 40, 80, 160, 320, 500]);
  });

  it('does not shrink by a success of fewer', async () => {
    const { closes, ask, answer } = rig();
    ask(ids(2));
    await answer(ids(1), ids(1, 1));
    expect(closes.most).toBe(MOST_CLOSED_AT_ONCE);
  });

  it('shrinks once for a batch of which orders are asked again before its answer', async () => {
    const { closes, ask, fail, answer } = rig();
    ask(ids(40));
    ask(ids(40));
    expect(closes.most).toBe(10);
    await fail(rejected(500));
    expect(closes.most).toBe(10);
    await answer(ids(10));
  });

  it.each(['answered', 'failed'] as const)('forgets a batch that was %s', async (end) => {
    const { closes, ask, fail, answer } = rig();
    ask(ids(40));
    await (end === 'failed' ? fail(rejected(429)) : answer(ids(40)));
    ask(ids(40));
    expect(closes.most).toBe(MOST_CLOSED_AT_ONCE);
  });

  it('shrinks for an answer that does not name an order', async () => {
    const { closes, ask, answer, told } = rig();
    ask(ids(8));
    await answer(ids(7));
    expect([closes.most, told.at(-1)]).toEqual([2, `${orderId(7)} not named`]);
  });
});

describe('a request', () => {
  it('tells each order its own outcome', async () => {
    const { ask, answer, told } = rig();
    ask(ids(3));
    await answer(ids(1), ids(1, 1));
    expect(told).toEqual([`${orderId(0)} closed`, `${orderId(1)} over`, `${orderId(2)} not named`]);
  });

  it('names an order alone where that is asked, and once where it is asked twice', () => {
    const { closes, ask, sent } = rig();
    for (const _ of [1, 2]) closes.ask(orderId(0), { closed() {}, over() {}, failed() {} });
    ask([orderId(1)]);
    ask(ids(2, 2), true);
    expect(sent).toEqual([ids(2), [orderId(2)], [orderId(3)]]);
    closes.flush();
    expect(sent).toHaveLength(3);
  });

  it.each([
    [rejected(409, 'order_closed'), 'over'],
    [rejected(404), 'over'],
    [rejected(409), 'failed'],
    [new TransportError('unknown', 'cut'), 'failed'],
  ])('for one order is over with %s as %s', async (error, outcome) => {
    const { ask, fail, told } = rig();
    ask(ids(1));
    await fail(error);
    await Promise.resolve();
    expect(told).toEqual([`${orderId(0)} ${outcome}`]);
  });
});

describe('while the key is refused', () => {
  it('the client sends one request a second that names all open orders, those first that were not named yet', async () => {
    const { clock, venue, ask, sent, closes } = rig(ids(700));
    venue.keyRefusal = 'refused';
    ask(ids(1));
    closes.flush();
    await clock.advance(999);
    closes.flush();
    expect(sent).toEqual([ids(500)]);
    for (const _ of [1, 2]) {
      await clock.advance(_ === 1 ? 1 : 1_000);
      closes.flush();
    }
    expect(sent).toEqual([ids(500), ids(200, 500), ids(500)]);
  });

  it('none leaves while nothing is open, and who asked is told', async () => {
    const open: OrderId[] = [];
    const { venue, ask, sent, answer, told } = rig(open);
    venue.keyRefusal = 'refused';
    ask(ids(1));
    expect(sent).toEqual([]);
    open.push(orderId(0));
    ask(ids(1));
    await answer(ids(1));
    expect([sent, told]).toEqual([[ids(1)], [`${orderId(0)} closed`]]);
  });
});

it.each([
  [rejected(429), 0],
  [new VenueRejection('throttled', 429, 'no', { retryAfterS: 2 }), 2_000],
  [new VenueRejection('throttled', 429, 'no', { retryAfterS: 60 }), 60_000],
  [new VenueRejection('throttled', 429, 'no', { retryAfterS: 3_600 }), 60_000],
  [new TransportError('unknown', 'cut'), 0],
])('waits as the exchange asks, a minute at most: %#', (error, ms) => {
  expect(throttledMs(error)).toBe(ms);
});
