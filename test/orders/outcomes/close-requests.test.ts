import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { ProtocolError, TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { type OrderId, orderId } from '../../../src/domain/ids.ts';
import { CloseRequests, throttledMs } from '../../../src/orders/outcomes/close-requests.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { type ClosedMany, MOST_CLOSED_AT_ONCE } from '../../../src/ports/venue.ts';

const ids = (count: number, from = 0): OrderId[] =>
  Array.from({ length: count }, (_, at) => orderId(from + at));

/** Requests whose answers the test gives, one after the other. `open` are our open orders. */
function rig(open: readonly OrderId[] = []) {
  const clock = new VirtualClock();
  const sent: (readonly OrderId[])[] = [];
  /** The orders of which a request went to the endpoint of a single order. */
  const single: OrderId[] = [];
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
    closeOrder: async (id: OrderId) => (single.push(id), request([id])),
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
  };
  /** The closes of one turn, which ends. */
  const turn = (named: readonly OrderId[], alone = false): void => {
    ask(named, alone);
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
  return { clock, venue, closes, sent, single, told, ask, turn, answer, fail };
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
    ['a fault of ours', 40, new Error('oh'), 10],
    ['a failure of few', 3, rejected(500), 1],
    ['no answer for one', 1, new TransportError('unknown', 'cut'), MOST_CLOSED_AT_ONCE],
    ['a request that was not sent', 40, new TransportError('not-sent', 'cut'), MOST_CLOSED_AT_ONCE],
    ['a refused key', 40, rejected(401), MOST_CLOSED_AT_ONCE],
    ['a throttled request', 40, rejected(429), MOST_CLOSED_AT_ONCE],
  ])('after %s', async (_, count, error, most) => {
    const { closes, turn, fail, told } = rig();
    turn(ids(count));
    await fail(error);
    expect([closes.most, told.length]).toEqual([most, count]);
  });

  it('is one for a minute after a refusal, then as before', async () => {
    const { clock, closes, turn, fail, sent } = rig();
    turn(ids(40));
    await fail(rejected(400));
    await clock.advance(59_999);
    expect(closes.most).toBe(1);
    turn(ids(3));
    await clock.advance(1);
    expect(closes.most).toBe(MOST_CLOSED_AT_ONCE);
    turn(ids(3, 3));
    expect(sent.map(({ length }) => length)).toEqual([40, 1, 1, 1, 3]);
  });

  it('grows to twice of what succeeded, and up to the most', async () => {
    const { closes, turn, fail, answer, sent } = rig();
    turn(ids(40));
    await fail(rejected(500));
    const grown: number[] = [];
    for (let round = 0; round < 7; round++) {
      const named = ids(closes.most);
      turn(named);
      await answer(named);
      grown.push(closes.most);
    }
    expect(grown).toEqual([20, 40, 80, 160, 320, 500, 500]);
    expect(sent.map(({ length }) => length)).toEqual([40, 10, 20, 40, 80, 160, 320, 500]);
  });

  it('does not shrink by a success of fewer', async () => {
    const { closes, turn, answer } = rig();
    turn(ids(2));
    await answer(ids(1), ids(1, 1));
    expect(closes.most).toBe(MOST_CLOSED_AT_ONCE);
  });

  it('shrinks once for a batch of which orders are asked again before its answer', async () => {
    const { closes, turn, fail, answer } = rig();
    turn(ids(40));
    turn(ids(40));
    expect(closes.most).toBe(10);
    await fail(rejected(500));
    expect(closes.most).toBe(10);
    await answer(ids(10));
  });

  it.each(['answered', 'failed'] as const)('forgets a batch that was %s', async (end) => {
    const { closes, turn, fail, answer } = rig();
    turn(ids(40));
    await (end === 'failed' ? fail(rejected(429)) : answer(ids(40)));
    turn(ids(40));
    expect(closes.most).toBe(MOST_CLOSED_AT_ONCE);
  });

  it('shrinks for an answer that does not name an order', async () => {
    const { closes, turn, answer, told } = rig();
    turn(ids(8));
    await answer(ids(7));
    expect([closes.most, told.at(-1)]).toEqual([2, `${orderId(7)} not named`]);
  });
});

describe('a request', () => {
  it('tells each order its own outcome', async () => {
    const { turn, answer, told } = rig();
    turn(ids(3));
    await answer([orderId(2)], [orderId(1)]);
    expect(told).toEqual([`${orderId(0)} not named`, `${orderId(1)} over`, `${orderId(2)} closed`]);
  });

  it('names all orders of a turn, those alone of which that is asked, and none twice', () => {
    const { closes, ask, turn, sent, single } = rig();
    ask(ids(2));
    ask(ids(1));
    ask(ids(2, 2), true);
    closes.flush();
    expect(sent).toEqual([ids(2), [orderId(2)], [orderId(3)]]);
    expect(single).toEqual(ids(2, 2));
    turn([]);
    expect(sent).toHaveLength(3);
  });

  it.each([
    [rejected(409, 'order_closed'), 'over'],
    [rejected(404), 'over'],
    [rejected(409), 'failed'],
    [new TransportError('unknown', 'cut'), 'failed'],
  ])('for one order is over with %s as %s', async (error, outcome) => {
    const { turn, fail, told } = rig();
    turn(ids(1));
    await fail(error);
    await Promise.resolve();
    expect(told).toEqual([`${orderId(0)} ${outcome}`]);
  });
});

describe('while the key is refused', () => {
  const refused = (open: readonly OrderId[]) => {
    const made = rig(open);
    made.venue.keyRefusal = rejected(401, 'auth_error');
    return made;
  };

  it('the client sends one request a second that names all open orders, those first that were not named yet', async () => {
    const { clock, turn, sent } = refused(ids(700));
    turn(ids(1));
    turn([]);
    await clock.advance(999);
    turn([]);
    expect(sent).toEqual([ids(500)]);
    for (const waitMs of [1, 1_000]) {
      await clock.advance(waitMs);
      turn([]);
    }
    expect(sent).toEqual([ids(500), ids(200, 500), ids(500)]);
  });

  it.each([1, 3])(
    '%i open orders are closed together, whoever asked, and each outcome is told once',
    async (count) => {
      const { clock, venue, closes, ask, turn, answer, sent, single, told } = refused(ids(count));
      ask(ids(1));
      ask(ids(1, 1), true);
      closes.flush();
      await answer(ids(1), ids(count - 1, 1));
      expect([sent, single]).toEqual([[ids(count)], []]);
      expect(told).toEqual([`${orderId(0)} closed`, ...(count > 1 ? [`${orderId(1)} over`] : [])]);
      // Once the key works again, only what was not open is asked for.
      venue.keyRefusal = null;
      await clock.advance(10);
      turn([]);
      expect(single).toEqual(count > 1 ? [] : ids(1, 1));
    },
  );

  it('none leaves while nothing is open, and who asked is told once something is', async () => {
    const open: OrderId[] = [];
    const { turn, sent, answer, told } = refused(open);
    turn(ids(1));
    expect(sent).toEqual([]);
    open.push(orderId(0));
    turn([]);
    await answer(ids(1));
    expect([sent, told]).toEqual([[ids(1)], [`${orderId(0)} closed`]]);
  });

  it('the next request names as many orders as before, however often it is refused', async () => {
    const { clock, closes, turn, fail, told } = refused(ids(3));
    for (const _ of [1, 2, 3]) {
      turn(ids(1));
      await fail(rejected(401, 'auth_error'));
      await clock.advance(1_000);
    }
    expect(told).toEqual(Array(3).fill(`${orderId(0)} failed`));
    expect(closes.most).toBe(MOST_CLOSED_AT_ONCE);
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
