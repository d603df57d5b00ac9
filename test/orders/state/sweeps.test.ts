import { beforeEach, expect, it } from 'vitest';
import { OVERDUE_MS, type TrackedOrder } from '../../../src/account/orders.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { DEFAULT_ORDER_OPTIONS } from '../../../src/orders/options.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { Halts } from '../../../src/orders/state/halts.ts';
import { Sweeps } from '../../../src/orders/state/sweeps.ts';
import { WorkQueue } from '../../../src/orders/state/work-queue.ts';

const { sweepMs, calmSweepMs, renewLeadMs } = DEFAULT_ORDER_OPTIONS;

let clock: VirtualClock;
let halts: Halts;
let orders: TrackedOrder[];
let due: { dueMs: number; sweep(): void };
let queue: WorkQueue;
let sweeps: Sweeps;
let sweptMs: number[];
let early: number;
let withoutKey: number;
const key: { keyRefusal: Error | null } = { keyRefusal: null };

beforeEach(() => {
  clock = new VirtualClock();
  halts = new Halts();
  orders = [];
  due = { dueMs: Infinity, sweep: () => void sweptMs.push(clock.monotonicMs()) };
  sweptMs = [];
  early = 0;
  withoutKey = 0;
  key.keyRefusal = null;
  const hooks = { onOverflow: () => undefined, onFatal: () => undefined };
  queue = new WorkQueue({ ...hooks, afterTurn: () => sweeps.plan() });
  const book = { active: () => orders };
  const rig = {
    book,
    halts,
    queue,
    deps: { clock, venue: key },
    options: DEFAULT_ORDER_OPTIONS,
  } as unknown as OrderContext;
  sweeps = new Sweeps(rig, [due], { sweep: () => void early++ }, [{ sweep: () => void withoutKey++ }]);
  sweeps.start();
});

const order = (state: string, lapsesMonotonicMs: number | null, closeWanted = false): TrackedOrder =>
  ({ order: { state }, lapsesMonotonicMs, closeWanted }) as TrackedOrder;

const gaps = (): number[] => sweptMs.slice(1).map((ms, at) => ms - (sweptMs[at] ?? 0));

it('sweeps seldom while nothing is under way', async () => {
  orders = [order('live', 60_000)];
  await clock.advance(5_000);
  expect(sweptMs[0]).toBe(sweepMs);
  expect(new Set(gaps())).toEqual(new Set([calmSweepMs]));
});

it.each([
  ['nothing may be placed', () => halts.set('stream', 'stream_closed', 'down')],
  ['a part has work under way', () => void (due.dueMs = -Infinity)],
  ['a part is overdue', () => void (due.dueMs = 0)],
  ['an order is being created', () => void (orders = [order('sending', null)])],
  ['an outcome is unknown', () => void (orders = [order('live', 60_000), order('unknown', 60_000)])],
  ['an order is to be closed', () => void (orders = [order('live', 60_000, true)])],
  ['an order should have been renewed', () => void (orders = [order('live', renewLeadMs)])],
])('sweeps often while %s', async (_, begin) => {
  begin();
  await clock.advance(2_000);
  expect(new Set(gaps())).toEqual(new Set([sweepMs]));
});

it.each(['live', 'closing'])('sweeps a %s order long past its end when a part is due', async (state) => {
  orders = [order(state, 0, true)];
  await clock.advance(OVERDUE_MS + sweepMs);
  sweptMs = [];
  due.dueMs = 4_270;
  await clock.advance(2_500);
  expect(sweptMs).toContain(4_270);
  expect(sweptMs.filter((ms) => ms < 4_270).length).toBeLessThanOrEqual(5);
});

it('sweeps only closes until recovery is done', async () => {
  halts.set('start', 'not_started');
  await clock.advance(2_000);
  expect([sweptMs, early]).toEqual([[], 2_000 / sweepMs]);
});

it.each([true, false])(
  'sweeps only what closes while the key is refused (recovered: %s), and all again after',
  async (recovered) => {
    if (!recovered) halts.set('start', 'not_started');
    else halts.set('orphan_guard', 'key_refused');
    key.keyRefusal = new Error('refused');
    await clock.advance(2_000);
    expect([sweptMs, early, withoutKey]).toEqual([[], 0, 2_000 / sweepMs]);
    key.keyRefusal = null;
    await clock.advance(2_000);
    expect([sweptMs.length, early, withoutKey]).toEqual(recovered ? [20, 0, 20] : [0, 20, 20]);
  },
);

it('sweeps in time for due work', async () => {
  due.dueMs = 1_350;
  orders = [order('live', renewLeadMs + 870)];
  await clock.advance(1_400);
  expect(sweptMs).toContain(870);
  orders = [];
  sweptMs = [];
  due.dueMs = 2_130;
  await clock.advance(1_000);
  expect(sweptMs).toContain(2_130);
});

it('brings the next sweep forward when a turn starts new work', async () => {
  await clock.advance(150);
  orders = [order('prepared', null)];
  queue.post(() => undefined);
  await clock.advance(120);
  expect(sweptMs).toEqual([sweepMs, 150 + sweepMs]);
});

it('plans nothing after its end', async () => {
  await clock.advance(250);
  sweeps.stop();
  queue.post(() => undefined);
  await clock.advance(2_000);
  expect(sweptMs).toEqual([sweepMs]);
});

it('is not put off by turns of the queue, however many there are', async () => {
  halts.set('stream', 'stream_closed', 'down');
  for (let turn = 0; turn < 100; turn++) {
    queue.post(() => undefined);
    await clock.advance(20);
  }
  expect(sweptMs).toEqual(Array.from({ length: 20 }, (_, at) => (at + 1) * sweepMs));
});

it('ends with a stop, whatever the queue still does', async () => {
  await clock.advance(sweepMs);
  sweeps.stop();
  queue.post(() => undefined);
  await clock.advance(5_000);
  expect(sweptMs).toEqual([sweepMs]);
});

it('leaves an order out only once it is overdue by more than is allowed', async () => {
  orders = [order('live', 0)];
  await clock.advance(OVERDUE_MS);
  sweptMs = [];
  await clock.advance(2 * sweepMs);
  expect(sweptMs).toEqual([OVERDUE_MS + sweepMs]);
});
