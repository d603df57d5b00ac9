import { describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import type { OrderPage } from '../../../src/domain/order-listing.ts';
import type { ExecutionReports } from '../../../src/orders/outcomes/execution-reports.ts';
import { EndCheck } from '../../../src/orders/recovery/end-check.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { liveOrder } from '../../support/orders.ts';

const STAKE = 10_000_000;

/** A check whose listings the test answers. */
function rig() {
  const clock = new VirtualClock();
  const listed: number[] = [];
  const waiting: PromiseWithResolvers<OrderPage>[] = [];
  const orders = async (): Promise<OrderPage> => {
    listed.push(clock.monotonicMs());
    const answer = Promise.withResolvers<OrderPage>();
    waiting.push(answer);
    return answer.promise;
  };
  const queue = {
    call: (start: () => Promise<unknown>, done: (value: unknown) => void, failed: (error: unknown) => void) =>
      void start().then(done, failed),
    run: async (work: () => unknown) => void work(),
  };
  const context = { deps: { clock, venue: { orders } }, queue, log: { debug: () => undefined } };
  const check = new EndCheck(context as unknown as OrderContext, {} as ExecutionReports);
  const settle = async (give: (answer: PromiseWithResolvers<OrderPage>) => void): Promise<void> => {
    const next = waiting.shift();
    if (next !== undefined) give(next);
    await clock.advance(0);
  };
  const ended = (of: Partial<TrackedOrder> = {}, order: Partial<LiveOrder> = {}): TrackedOrder => {
    const tracked = {
      closeWanted: false,
      closedMs: null,
      lapsesMonotonicMs: Infinity,
      ...of,
      order: liveOrder({ state: 'closed', stakeMicros: STAKE, ...order }),
    } as TrackedOrder;
    check.closed(tracked);
    return tracked;
  };
  /** Sweeps each 100 ms. */
  const live = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      await clock.advance(100);
      check.sweep();
      await clock.advance(0);
    }
  };
  return {
    clock,
    listed,
    check,
    ended,
    live,
    answer: () => settle(({ resolve }) => resolve({ orders: [], unread: [] })),
    fail: () => settle(({ reject }) => reject(new Error('unavailable'))),
  };
}

describe('an order that ended', () => {
  it.each<[string, Partial<TrackedOrder>, Partial<LiveOrder>, boolean]>([
    ['before its time, and without our request', {}, {}, true],
    ['without our request, with stake left', {}, { filledMicros: STAKE - 1 }, true],
    ['filled', {}, { filledMicros: STAKE }, false],
    ['filled beyond its stake', {}, { filledMicros: STAKE + 1 }, false],
    ['more than 2 s before its lapse', { lapsesMonotonicMs: 2_001 }, {}, true],
    ['2 s before its lapse', { lapsesMonotonicMs: 2_000 }, {}, false],
    ['after its lapse', { lapsesMonotonicMs: -1 }, {}, false],
    ['and was never sent', { lapsesMonotonicMs: null }, {}, false],
  ])('%s is looked for: %s', async (_, of, order, isLookedFor) => {
    const { clock, check, ended, live, listed } = rig();
    const startMs = clock.monotonicMs();
    const lapsesMonotonicMs =
      of.lapsesMonotonicMs === undefined || of.lapsesMonotonicMs === null
        ? of.lapsesMonotonicMs
        : startMs + of.lapsesMonotonicMs;
    ended({ ...of, ...(lapsesMonotonicMs === undefined ? {} : { lapsesMonotonicMs }) }, order);
    expect(check.dueMs).toBe(isLookedFor ? startMs + 3_500 : Infinity);
    await live(20_000);
    expect(listed).toEqual(isLookedFor ? [startMs + 3_500] : []);
  });
});

describe('the list of open orders', () => {
  it('is read once for all orders that ended before, and at most once in ten seconds', async () => {
    const { clock, check, ended, live, answer, listed } = rig();
    const startMs = clock.monotonicMs();
    ended();
    await live(3_500);
    await answer();
    for (let at = 0; at < 3; at++) {
      ended();
      await live(100);
    }
    expect(check.dueMs).toBe(startMs + 13_500);
    await live(9_700);
    await answer();
    expect(listed.map((atMs) => atMs - startMs)).toEqual([3_500, 13_500]);
    await live(30_000);
    ended();
    expect(check.dueMs).toBe(clock.monotonicMs() + 3_500);
  });

  it('is not read again while its answer is awaited', async () => {
    const { check, ended, live, answer, listed } = rig();
    ended();
    await live(3_500);
    ended();
    expect(check.dueMs).toBe(Infinity);
    await live(30_000);
    expect(listed).toHaveLength(1);
    await answer();
    await live(100);
    expect(listed).toHaveLength(2);
  });

  it('is read again ten seconds later if it could not be read', async () => {
    const { ended, live, fail, answer, listed } = rig();
    ended();
    await live(3_500);
    await fail();
    await live(9_900);
    expect(listed).toHaveLength(1);
    await live(100);
    expect(listed).toHaveLength(2);
    await answer();
    await live(30_000);
    expect(listed).toHaveLength(2);
  });
});
