import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderBook, TrackedOrder } from '../../../src/account/orders.ts';
import { VenueRejection } from '../../../src/domain/errors.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { CloseRequests } from '../../../src/orders/outcomes/close-requests.ts';
import { Closing } from '../../../src/orders/outcomes/closing.ts';
import type { LookupResult } from '../../../src/orders/outcomes/lookups.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, ORDER_ID, trackedOrder } from '../support/tracked.ts';

type Outcome = Parameters<CloseRequests['ask']>[1];

let rig: PartRig;
let book: OrderBook;
let closing: Closing;
let order: TrackedOrder;
let closes: { readonly id: number; readonly outcome: Outcome; readonly alone: boolean }[];
let questions: { readonly done: (result: LookupResult) => void; readonly once: boolean }[];
let withdrawn: TrackedOrder[];
const facts = { outSinceMs: null as number | null, isAskedAfter: false, mayClose: true, most: 10 };

function begin(...orders: readonly TrackedOrder[]): void {
  [closes, questions, withdrawn] = [[], [], []];
  Object.assign(facts, { outSinceMs: null, isAskedAfter: false, mayClose: true, most: 10 });
  const context: { book?: OrderBook } = {};
  rig = new PartRig({ context });
  book = bookOf(rig.clock, ...orders);
  Object.assign(rig.context, { book });
  const requests = {
    get most() {
      return facts.most;
    },
    ask: (id: number, outcome: Outcome, alone: boolean) => void closes.push({ id, outcome, alone }),
  };
  const lookups = {
    isOut: () => facts.outSinceMs !== null,
    outSinceMs: () => facts.outSinceMs,
    ask: (_: TrackedOrder, done: (result: LookupResult) => void, once: boolean) =>
      void questions.push({ done, once }),
  };
  closing = new Closing(rig.context, requests as never, lookups as never, {
    isAskedAfter: () => facts.isAskedAfter,
    mayClose: () => facts.mayClose,
    withdraw: (tracked) => void withdrawn.push(tracked),
  });
}

beforeEach(() => {
  order = trackedOrder();
  begin(order);
});

const sweptAfter = async (ms: number): Promise<readonly [closes: number, questions: number]> => {
  await rig.clock.advance(ms);
  closing.sweep();
  return [closes.length, questions.length];
};
const settle = (how: keyof Outcome, error: unknown = new Error('no')): void => {
  const { outcome } = closes.shift() ?? {};
  if (how === 'failed') outcome?.failed(error);
  else outcome?.[how]();
};
const tell = (result: LookupResult): void => questions.shift()?.done(result);

describe('an order that is to be closed', () => {
  it('is closed at once, and once while the request is out', async () => {
    closing.want(order, 'drill');
    expect(closes).toMatchObject([{ id: ORDER_ID, alone: false }]);
    expect([order.closeWanted, order.order.state, closing.dueMs]).toEqual([true, 'closing', 2_500]);
    closing.want(order, 'again');
    closing.changed(order);
    expect(await sweptAfter(2_499)).toEqual([1, 0]);
    expect(await sweptAfter(1)).toEqual([2, 0]);
  });

  it.each(['prepared', 'sending', 'unknown'] as const)(
    'is closed as soon as it is shown open: %s',
    (state) => {
      order = trackedOrder({}, { state, orderId: null });
      begin(order);
      closing.want(order, 'drill');
      expect(closes).toEqual([]);
      book.apply(order, 'seen_open', { orderId: ORDER_ID }, 'stream');
      closing.changed(order);
      expect(closes).toHaveLength(1);
    },
  );

  it('is left alone if nobody wants it closed, or while another process may trade it', async () => {
    closing.changed(order);
    expect(await sweptAfter(0)).toEqual([0, 0]);
    facts.mayClose = false;
    closing.want(order, 'drill');
    expect(await sweptAfter(1_000)).toEqual([0, 0]);
    facts.mayClose = true;
    expect(await sweptAfter(0)).toEqual([1, 0]);
  });

  it('is one of all that are closed, and those that wait for their budget are withdrawn', () => {
    const waits = trackedOrder({}, { state: 'prepared', orderId: null, requestUuid: 'second' });
    begin(order, waits);
    closing.wantAll('killed');
    expect([closes.length, withdrawn, waits.closeWanted]).toEqual([1, [order, waits], true]);
  });

  it('is over once it has ended, which is told and timed', async () => {
    closing.want(order, 'drill');
    await rig.clock.advance(700);
    book.apply(order, 'seen_closed', {}, 'stream');
    closing.changed(order);
    closing.changed(order);
    expect(rig.fruitless).toEqual(['close 2026-01-01,1,2|fb|for,h lasted']);
    expect([await sweptAfter(10_000), closing.dueMs]).toEqual([[1, 0], Infinity]);
  });

  it('is over at the next sweep, too', async () => {
    closing.want(order, 'drill');
    book.apply(order, 'seen_closed', {}, 'stream');
    closing.sweep();
    expect([rig.fruitless.length, closing.dueMs]).toEqual([1, Infinity]);
  });
});

describe('a close that fails', () => {
  it('is repeated after pauses that double up to two seconds', async () => {
    closing.want(order, 'drill');
    const pauses: number[] = [];
    for (let failure = 0; failure < 6; failure++) {
      settle('failed');
      const fromMs = rig.clock.monotonicMs();
      pauses.push(closing.dueMs - fromMs);
      await sweptAfter(closing.dueMs - fromMs - 1);
      expect(closes).toEqual([]);
      await sweptAfter(1);
      expect(closes).toHaveLength(1);
    }
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
  });

  it('waits as long as a throttled answer says', () => {
    closing.want(order, 'drill');
    settle('failed', new VenueRejection('throttled', 429, 'no', { retryAfterS: 7 }));
    expect(closing.dueMs).toBe(7_000);
  });

  it('is logged at the first, second, fourth and eighth failure', async () => {
    closing.want(order, 'drill');
    const error = new Error('no');
    for (let failure = 0; failure < 9; failure++) {
      settle('failed', error);
      await sweptAfter(3_000);
    }
    expect(rig.warned).toEqual(
      [1, 2, 4, 8].map((failures) => ({ message: 'close failed', orderId: ORDER_ID, failures, error })),
    );
  });

  it('takes a turn of 200 ms from its repeat on, which as many orders share as fit into a request', async () => {
    const orders = Array.from({ length: 5 }, (_, at) =>
      trackedOrder({}, { requestUuid: `uuid-${at}`, orderId: orderId(at + 1) }),
    );
    begin(...orders);
    facts.most = 2;
    for (const each of orders) closing.want(each, 'drill');
    expect(closes).toHaveLength(5);
    for (const { outcome } of closes.splice(0)) outcome.failed(new Error('no'));
    // The first repeats wait for no turn.
    await sweptAfter(250);
    expect(closes).toHaveLength(5);
    for (const { outcome } of closes.splice(0)) outcome.failed(new Error('no'));
    const counts: number[] = [];
    for (let sweep = 0; sweep < 4; sweep++) {
      await sweptAfter(sweep === 0 ? 500 : 200);
      counts.push(closes.length);
    }
    // One turn is saved up, and each names two orders.
    expect(counts).toEqual([4, 5, 5, 5]);
    expect(closes.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('a close that was acknowledged', () => {
  beforeEach(() => {
    closing.want(order, 'drill');
    settle('closed');
  });

  it('is confirmed by a look-up after half a second, which the client does not repeat', async () => {
    expect(closing.dueMs).toBe(500);
    expect(await sweptAfter(499)).toEqual([0, 0]);
    expect(await sweptAfter(1)).toEqual([0, 1]);
    expect([questions[0]?.once, closing.dueMs]).toEqual([true, 12_500]);
  });

  it.each<[LookupResult, boolean, string[]]>([
    ['open', true, ['close 2026-01-01,1,2|fb|for,h the order is still open']],
    ['failed', true, []],
    ['not_found', false, []],
    ['over', false, []],
  ])('is repeated alone if the look-up says %s: %s', async (result, isRepeated, fruitless) => {
    await sweptAfter(500);
    tell(result);
    expect(rig.fruitless).toEqual(fruitless);
    expect(await sweptAfter(499)).toEqual([0, 0]);
    expect(await sweptAfter(1)).toEqual(isRepeated ? [1, 0] : [0, 1]);
    if (isRepeated) expect(closes[0]?.alone).toBe(true);
  });

  it('is looked up and sent in turn, ever more seldom', async () => {
    await sweptAfter(500);
    tell('open');
    await sweptAfter(500);
    settle('closed');
    expect(await sweptAfter(500)).toEqual([0, 1]);
    tell('open');
    // After the second look-up, another one follows before the next close.
    expect(await sweptAfter(999)).toEqual([0, 0]);
    expect(await sweptAfter(1)).toEqual([0, 1]);
    tell('open');
    expect(await sweptAfter(2_000)).toEqual([1, 0]);
    settle('closed');
    await sweptAfter(500);
    tell('open');
    expect(await sweptAfter(1_999)).toEqual([0, 0]);
    expect(await sweptAfter(1)).toEqual([0, 1]);
  });

  it('is asked after again once the look-up had no answer for twelve seconds', async () => {
    await sweptAfter(500);
    expect(await sweptAfter(11_999)).toEqual([0, 1]);
    expect(await sweptAfter(1)).toEqual([0, 2]);
  });

  it('waits for the answer to a look-up of another part, but for no longer than twelve seconds', async () => {
    facts.outSinceMs = 100;
    expect(closing.dueMs).toBe(12_500);
    expect(await sweptAfter(12_499)).toEqual([0, 0]);
    expect(await sweptAfter(1)).toEqual([1, 0]);
  });

  it('leaves the look-up to the part that asks after overdue orders, and is sent again when that shows it open', async () => {
    facts.isAskedAfter = true;
    expect([closing.dueMs, await sweptAfter(60_000)]).toEqual([Infinity, [0, 0]]);
    closing.again(order, 'shown open');
    expect(await sweptAfter(0)).toEqual([1, 0]);
  });
});

it('an order of which the exchange says that nothing is to be closed is looked up at once', () => {
  closing.want(order, 'drill');
  settle('over');
  expect([closes.length, questions.length]).toEqual([0, 1]);
});

it('an order that is shown open past its end is closed though nobody wanted that yet', () => {
  closing.again(order, 'overdue');
  expect([closes.length, order.closeWanted]).toEqual([1, true]);
});
