import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderBook, TrackedOrder } from '../../../src/account/orders.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import type { LookupResult } from '../../../src/orders/outcomes/lookups.ts';
import { OverdueOrders } from '../../../src/orders/outcomes/overdue-orders.ts';
import { UnknownOutcomes } from '../../../src/orders/outcomes/unknown-outcomes.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

interface Question {
  readonly tracked: TrackedOrder;
  readonly done: (result: LookupResult) => void;
  readonly once: boolean;
}

let rig: PartRig;
let book: OrderBook;
let questions: Question[];
let isOut: boolean;

const lookups = {
  isOut: () => isOut,
  ask: (tracked: TrackedOrder, done: Question['done'], once: boolean) =>
    void questions.push({ tracked, done, once }),
};

function begin(...orders: readonly TrackedOrder[]): void {
  [questions, isOut] = [[], false];
  rig = new PartRig({
    options: { latestLandingMs: 30_000 },
    metrics: createPrometheusMetrics({ processMetrics: false }),
  });
  book = bookOf(rig.clock, ...orders);
  Object.assign(rig.context, { book });
}

const numbered = (count: number, state: 'unknown' | 'live', lapsesMonotonicMs: number | null = 60_000) =>
  Array.from({ length: count }, (_, at) =>
    trackedOrder(
      { lapsesMonotonicMs },
      { requestUuid: `uuid-${at}`, state, orderId: state === 'live' ? orderId(at + 1) : null },
    ),
  );

describe('an order of unknown outcome', () => {
  let outcomes: UnknownOutcomes;
  let repeated: number;
  let repeats: boolean;
  let order: TrackedOrder;

  const start = (...orders: readonly TrackedOrder[]): void => {
    begin(...orders);
    [repeated, repeats] = [0, true];
    outcomes = new UnknownOutcomes(rig.context, lookups as never, () => (repeated++, repeats));
  };
  const sweptAfter = async (ms: number): Promise<number> => {
    await rig.clock.advance(ms);
    outcomes.sweep();
    return questions.length;
  };

  beforeEach(() => {
    [order] = numbered(1, 'unknown') as [TrackedOrder];
    start(order);
  });

  it('is looked up at once, then after pauses that double up to eight seconds, never by the client itself', async () => {
    const gaps: number[] = [];
    for (let tries = 0, lastMs = 0; gaps.length < 7; await rig.clock.advance(100)) {
      outcomes.sweep();
      if (questions.length === tries) continue;
      tries++;
      gaps.push(rig.clock.monotonicMs() - lastMs);
      lastMs = rig.clock.monotonicMs();
    }
    expect(gaps).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(questions.every(({ once }) => once)).toBe(true);
  });

  it('is not looked up while a look-up is out, nor once it is known', async () => {
    isOut = true;
    expect(await sweptAfter(0)).toBe(0);
    isOut = false;
    expect(await sweptAfter(0)).toBe(1);
    book.apply(order, 'seen_open', { orderId: orderId(1) }, 'stream');
    expect(await sweptAfter(60_000)).toBe(1);
  });

  it('is one of those that share a turn of 400 ms from their second look-up on, the longest wait first', async () => {
    const orders = numbered(4, 'unknown');
    start(...orders);
    expect(await sweptAfter(0)).toBe(4);
    questions = [];
    expect(await sweptAfter(500)).toBe(2);
    expect(await sweptAfter(399)).toBe(2);
    expect(await sweptAfter(1)).toBe(3);
    expect(await sweptAfter(400)).toBe(4);
    expect(questions.map(({ tracked }) => tracked)).toEqual(orders);
    await sweptAfter(0);
    questions = [];
    await sweptAfter(5_000);
    expect(questions[0]?.tracked).toBe(orders[0]);
  });

  it('is proven absent only by a look-up that was asked after the last instant at which it could be open', async () => {
    expect(outcomes.absenceProvenFromMs(order)).toBe(90_000);
    expect(outcomes.absenceProvenFromMs({ ...order, sentMonotonicMs: 1_000 })).toBe(91_000);
    expect(outcomes.absenceProvenFromMs({ ...order, sentMonotonicMs: null })).toBe(90_000);
    await sweptAfter(89_999);
    await rig.clock.advance(5_000);
    questions.shift()?.done('not_found');
    expect([order.order.state, repeated]).toEqual(['unknown', 1]);
    await sweptAfter(0);
    questions.shift()?.done('not_found');
    expect([order.order.state, repeated]).toEqual(['absent', 1]);
  });

  it('is requested again at most twice, and only where no order was found', async () => {
    for (const result of ['open', 'failed', 'over', 'not_found', 'not_found', 'not_found'] as const) {
      await sweptAfter(8_000);
      questions.shift()?.done(result);
    }
    expect(repeated).toBe(2);
  });

  it('is asked about again for a repeat that could not begin', async () => {
    repeats = false;
    for (let times = 0; times < 4; times++) {
      await sweptAfter(8_000);
      questions.shift()?.done('not_found');
    }
    expect(repeated).toBe(4);
  });

  it('is left alone by a late answer once it is known', async () => {
    await sweptAfter(90_000);
    book.apply(order, 'seen_open', { orderId: orderId(1) }, 'stream');
    questions.shift()?.done('not_found');
    expect([order.order.state, repeated]).toEqual(['live', 0]);
  });
});

describe('an order whose end is not reported', () => {
  let overdue: OverdueOrders;
  let order: TrackedOrder;
  let closed: TrackedOrder[];
  let foreign: (readonly [number, boolean])[];

  const start = (...orders: readonly TrackedOrder[]): void => {
    begin(...orders);
    [closed, foreign] = [[], []];
    const foreignLookups = {
      ask: async (id: number, once: boolean) => void foreign.push([id, once]),
    };
    overdue = new OverdueOrders(
      rig.context,
      lookups as never,
      foreignLookups as never,
      (each) => void closed.push(each),
    );
  };
  const sweptAfter = async (ms: number): Promise<number> => {
    await rig.clock.advance(ms);
    overdue.sweep();
    return questions.length;
  };
  const asked = async (ms: number, result: LookupResult): Promise<void> => {
    await sweptAfter(ms);
    questions.shift()?.done(result);
  };

  beforeEach(() => {
    [order] = numbered(1, 'live', 10_000) as [TrackedOrder];
    start(order);
  });

  it('is looked up two seconds after its lapse, then ever more seldom, up to ten seconds', async () => {
    expect(await sweptAfter(11_999)).toBe(0);
    expect([overdue.owes(order), overdue.dueMs]).toEqual([false, Infinity]);
    const gaps: number[] = [];
    for (let tries = 0, lastMs = 11_999; gaps.length < 8; await rig.clock.advance(1)) {
      overdue.sweep();
      if (questions.length === tries) continue;
      tries++;
      gaps.push(rig.clock.monotonicMs() - lastMs);
      lastMs = rig.clock.monotonicMs();
      expect(overdue.dueMs).toBeGreaterThan(lastMs);
    }
    expect(gaps).toEqual([1, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]);
    expect([questions.every(({ once }) => once), overdue.owes(order)]).toEqual([true, true]);
  });

  it('is looked up once it is wanted, as long as it has not ended', async () => {
    overdue.want(order);
    expect([overdue.owes(order), overdue.dueMs, await sweptAfter(0)]).toEqual([true, 0, 1]);
    overdue.want(order);
    expect([overdue.dueMs, await sweptAfter(249)]).toEqual([250, 1]);
    book.apply(order, 'seen_closed', {}, 'stream');
    expect([await sweptAfter(10_000), overdue.owes(order), overdue.dueMs]).toEqual([1, false, Infinity]);
  });

  it('shares a turn of half a second with the others from its second look-up on', async () => {
    start(...numbered(4, 'live', 0));
    expect(await sweptAfter(2_000)).toBe(4);
    expect(await sweptAfter(300)).toBe(6);
    expect(overdue.dueMs).toBe(2_800);
    expect(await sweptAfter(499)).toBe(6);
    expect(await sweptAfter(1)).toBe(7);
    expect(await sweptAfter(500)).toBe(8);
    expect(questions.slice(4).map(({ tracked }) => tracked.order.requestUuid)).toEqual([
      'uuid-0',
      'uuid-1',
      'uuid-2',
      'uuid-3',
    ]);
  });

  it('is alarmed at the sixth look-up, once', async () => {
    const { metrics } = rig.context;
    const alarms: string[] = [];
    metrics.alarms.inc = (labels) => void alarms.push(labels?.kind ?? '');
    const counts: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      await asked(12_000, 'open');
      counts.push(alarms.length);
    }
    expect([counts, alarms]).toEqual([[0, 0, 0, 0, 0, 1, 1, 1], ['incomplete']]);
  });

  it('is given up after three answers in a row that it is not found, and is told', async () => {
    for (const result of [
      'not_found',
      'not_found',
      'open',
      'not_found',
      'failed',
      'not_found',
      'over',
    ] as const)
      await asked(12_000, result);
    expect(order.order.state).toBe('live');
    for (let times = 0; times < 2; times++) await asked(12_000, 'not_found');
    expect(order.order.state).toBe('live');
    await asked(12_000, 'not_found');
    expect(order.order).toMatchObject({ state: 'closed', closeReason: 'not_found' });
  });

  it('is not given up before it is overdue, however often it is not found', async () => {
    overdue.want(order);
    for (let times = 0; times < 5; times++) await asked(2_000, 'not_found');
    expect(order.order.state).toBe('live');
  });

  it.each<[what: string, isWanted: boolean, atMs: number, results: LookupResult[], closes: number]>([
    ['after three look-ups past its end', false, 12_000, ['open', 'failed', 'open'], 1],
    ['not after two', false, 12_000, ['open', 'open'], 0],
    ['while look-ups fail', false, 12_000, ['failed', 'failed', 'failed'], 1],
    ['at once if it is to be closed', true, 0, ['open'], 1],
    ['not if it is not found', true, 0, ['not_found'], 0],
    ['not if it is over', true, 0, ['over'], 0],
    ['not before its end', false, 0, ['open', 'open', 'open'], 0],
  ])('is closed if it may be open: %s', async (_, isWanted, atMs, results, closes) => {
    order.closeWanted = isWanted;
    await rig.clock.advance(atMs);
    overdue.want(order);
    for (const result of results) await asked(2_000, result);
    expect(closed).toHaveLength(closes);
  });

  it('is left alone by a late answer once it has ended', async () => {
    order.closeWanted = true;
    await sweptAfter(12_000);
    book.apply(order, 'seen_closed', {}, 'stream');
    questions.shift()?.done('open');
    expect(closed).toEqual([]);
  });
});
