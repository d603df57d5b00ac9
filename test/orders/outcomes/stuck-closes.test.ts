import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { EventId, OrderId, SelectionId } from '../../../src/domain/ids.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import { isClose, type VenueMethod } from '../../support/faulty-calls.ts';
import { BY_HAND, EVENT_NAME, OWNER, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const ORDERS = 40;

type Answer = (id: OrderId, close: (id: OrderId) => Promise<void>, atMs: number) => Promise<void>;

const acknowledged = (): Promise<void> => Promise.resolve();
const failed = (): Promise<void> => Promise.reject(new Error('unavailable'));
const unanswered = (): Promise<void> => new Promise(() => undefined);
/** Half of the account’s sustained requests a second. */
const HALF_PER_S = 10;

/** Every sweep asks whether the engine makes progress. */
let sweeps = 0;
/** The offers of others in both directions. */
const best = { price: 2 };

/** A rig with orders whose closes get this answer. */
async function rigWithStuck(
  orders: number,
  answer: Answer = acknowledged,
  options: { readonly durationS?: number; readonly sweepMs?: number } = {},
): Promise<OrderManagerRig> {
  best.price = 2;
  const prices = (): PriceList =>
    packLevels([{ price: best.price, minMicros: null, maxMicros: 500_000_000 }]);
  const rig = new OrderManagerRig({
    options: { durationS: 600, ...options },
    progressing: () => (sweeps++, true),
    market: () => ({ for: prices(), against: prices() }),
    venue: { quote: prices },
  });
  await rig.startQuoting(
    ...Array.from({ length: orders }, (_, level) => quote({ level, tick: 110 + level })),
  );
  expect(rig.venue.open()).toHaveLength(orders);
  answerCloses(rig, answer);
  rig.desire();
  return rig;
}

/** A request that names several orders fails, or stays unanswered, when a close of one of them would. */
function answerCloses({ venue, clock }: OrderManagerRig, answer: Answer): void {
  const close = venue.closeOrder.bind(venue);
  const asked = (method: VenueMethod): number => {
    venue.calls.push({ method, atMs: clock.monotonicMs() });
    return clock.monotonicMs();
  };
  venue.closeOrder = (id) => answer(id, close, asked('closeOrder'));
  venue.closeMany = async (ids) => {
    const atMs = asked('closeMany');
    const closes = ids.map((id) => answer(id, close, atMs).then(() => true, saidOver));
    await Promise.allSettled(closes);
    const closed = await Promise.all(closes);
    return { closed: ids.filter((_, at) => closed[at]), notFound: ids.filter((_, at) => !closed[at]) };
  };
}

function saidOver(error: unknown): boolean {
  if (error instanceof VenueRejection && error.status < 429) return false;
  throw error;
}

/** Closes work again. */
function closesWork({ venue }: OrderManagerRig): void {
  for (const method of ['closeOrder', 'closeMany']) Reflect.deleteProperty(venue, method);
}

/** Counts the sweeps in `ms`. */
async function sweepsIn(rig: OrderManagerRig, ms: number): Promise<number> {
  const before = sweeps;
  await rig.advance(ms);
  return sweeps - before;
}

/** Counts close and lookup requests a second between two instants. */
function perSecond({ venue: { calls } }: OrderManagerRig, fromMs: number, toMs: number): number {
  const about: readonly VenueMethod[] = ['closeOrder', 'closeMany', 'order'];
  const within = calls.filter(({ method, atMs }) => about.includes(method) && atMs >= fromMs && atMs < toMs);
  return within.length / ((toMs - fromMs) / 1000);
}

it.each([
  ['acknowledged', acknowledged],
  ['failing', failed],
  ['unanswered', unanswered],
])('sweeps seldom over orders that stay open past their end, and whose closes are %s', async (_, answer) => {
  const rig = await rigWithStuck(1, answer, { durationS: 10 });
  rig.venue.endsNothing = true;
  best.price = 3;
  rig.desire(quote({ tick: 180 }), quote({ direction: 'against', tick: 112 }));
  await rig.advance(60_000);
  expect(new Set(rig.states())).toEqual(new Set(['closing']));
  const waiting = rig.manager.status().waiting.map(({ code }) => code);
  expect(waiting.toSorted()).toEqual(['replacing', 'would_cross_own']);
  expect(await sweepsIn(rig, 60_000)).toBeLessThan(240);
});

it('sweeps no more often than it sends requests while many orders stay open', async () => {
  const rig = await rigWithStuck(ORDERS, acknowledged, { durationS: 10 });
  rig.venue.endsNothing = true;
  await rig.advance(120_000);
  const sentBefore = rig.venue.calls.length;
  const swept = await sweepsIn(rig, 60_000);
  expect(swept).toBeLessThan(2 * (rig.venue.calls.length - sentBefore));
});

it.each([
  ['fail', failed, 2_000],
  ['are not answered', unanswered, 2_500],
])(
  'closes an order whose time is over no later, and not more often, where closes %s',
  async (_, answer, everyMs) => {
    const rig = await rigWithStuck(1, answer, { durationS: 10 });
    rig.venue.endsNothing = true;
    await rig.advance(60_000);
    const fromMs = rig.clock.monotonicMs();
    await rig.advance(60_000);
    const closedMs = rig.venue.calls.flatMap(({ method, atMs }) =>
      isClose(method) && atMs >= fromMs ? [atMs] : [],
    );
    const gaps = closedMs.slice(1).map((atMs, at) => atMs - (closedMs[at] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(everyMs + 100);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(everyMs);
  },
);

it('leaves most of the budget to others while many orders stay open', async () => {
  const rig = await rigWithStuck(ORDERS);
  const closedMs = rig.clock.monotonicMs();
  await rig.advance(120_000);
  expect(perSecond(rig, closedMs + 20_000, closedMs + 120_000)).toBeLessThan(6);
});

it('leaves most of the budget to others while many orders have just begun to stay open', async () => {
  const rig = await rigWithStuck(65);
  const closedMs = rig.clock.monotonicMs();
  await rig.advance(60_000);
  expect(perSecond(rig, closedMs, closedMs + 60_000)).toBeLessThan(7);
});

it('sends fewer lookups when their time is over as well', async () => {
  const rig = await rigWithStuck(ORDERS, acknowledged, { durationS: 10 });
  rig.venue.endsNothing = true;
  const closedMs = rig.clock.monotonicMs();
  await rig.advance(300_000);
  expect(perSecond(rig, closedMs + 200_000, closedMs + 300_000)).toBeLessThan(5);
});

it.each([
  ['lasts', 600],
  ['is over', 10],
])('looks up many in turn, not all at once, while their time %s', async (_, durationS) => {
  const rig = await rigWithStuck(100, acknowledged, { durationS });
  rig.venue.endsNothing = true;
  const closedMs = rig.clock.monotonicMs();
  await rig.advance(200_000);
  for (let fromMs = closedMs + 60_000; fromMs < closedMs + 200_000; fromMs += 5_000)
    expect(perSecond(rig, fromMs, fromMs + 5_000)).toBeLessThan(HALF_PER_S);
});

const refuseQuestions = ({ venue, clock }: OrderManagerRig): void => {
  venue.order = () => {
    venue.calls.push({ method: 'order', atMs: clock.monotonicMs() });
    return Promise.reject(new Error('unavailable'));
  };
};

it.each([
  ['acknowledged without effect', acknowledged],
  [
    'answered as if nothing could be closed',
    () => Promise.reject(new VenueRejection('order_closed', 400, 'closed')),
  ],
  [
    'reported not found by mistake',
    () => Promise.reject(new VenueRejection('not_found', 404, 'no such order')),
  ],
])('closes again what may be open while lookups fail, its first close being %s', async (_, answer) => {
  let closes = 0;
  const rig = await rigWithStuck(1, (id, close) => (closes++ === 0 ? answer() : close(id)), {
    durationS: 3_600,
  });
  refuseQuestions(rig);
  await rig.advance(3_000);
  expect(rig.venue.open()).toEqual([]);
  expect(closes).toBe(2);
});

it('leaves most of the budget to others while many stay open and lookups fail, and closes each in its turn', async () => {
  const closedMs = new Map<OrderId, number[]>();
  const rig = await rigWithStuck(ORDERS, (id, _, atMs) => {
    closedMs.set(id, [...(closedMs.get(id) ?? []), atMs]);
    return acknowledged();
  });
  refuseQuestions(rig);
  const sinceMs = rig.clock.monotonicMs();
  await rig.advance(300_000);
  const endMs = rig.clock.monotonicMs();
  for (let fromMs = sinceMs + 20_000; fromMs < endMs; fromMs += 10_000)
    expect(perSecond(rig, fromMs, fromMs + 10_000)).toBeLessThan(6);
  expect(closedMs.size).toBe(ORDERS);
  for (const times of closedMs.values())
    for (const [at, atMs] of [...times, endMs].entries())
      expect(atMs - (times[at - 1] ?? atMs)).toBeLessThan(60_000);
});

it('closes a single order at most every other second while lookups fail', async () => {
  let closes = 0;
  const rig = await rigWithStuck(1, () => (closes++, acknowledged()));
  refuseQuestions(rig);
  await rig.advance(120_000);
  expect(closes).toBeGreaterThan(120 / 10);
  expect(closes).toBeLessThanOrEqual(120 / 2);
});

it('goes on closing while lookups fail after their time is over', async () => {
  const closedMs: number[] = [];
  const rig = await rigWithStuck(
    1,
    (_, __, atMs) => {
      closedMs.push(atMs);
      return acknowledged();
    },
    { durationS: 10 },
  );
  rig.venue.endsNothing = true;
  await rig.advance(30_000);
  refuseQuestions(rig);
  const sinceMs = rig.clock.monotonicMs();
  await rig.advance(60_000);
  expect(closedMs.filter((atMs) => atMs > sinceMs).length).toBeGreaterThanOrEqual(5);
});

it('leaves half of the budget to others while lookups and closes of many fail after their time is over', async () => {
  let works = true;
  const rig = await rigWithStuck(100, () => (works ? acknowledged() : failed()), { durationS: 10 });
  rig.venue.endsNothing = true;
  await rig.advance(60_000);
  works = false;
  refuseQuestions(rig);
  const sinceMs = rig.clock.monotonicMs();
  await rig.advance(60_000);
  expect(perSecond(rig, sinceMs, sinceMs + 60_000)).toBeLessThanOrEqual(HALF_PER_S);
});

it('leaves out none of them, in whichever order they came', async () => {
  const closedMs = new Map<OrderId, number[]>();
  const rig = await rigWithStuck(
    48,
    (id, _, atMs) => {
      closedMs.set(id, [...(closedMs.get(id) ?? []), atMs]);
      return acknowledged();
    },
    // Turns take slightly longer than they should.
    { durationS: 10, sweepMs: 170 },
  );
  rig.venue.endsNothing = true;
  await rig.advance(300_000);
  const endMs = rig.clock.monotonicMs();
  for (const times of closedMs.values())
    for (const [at, atMs] of [...times, endMs].entries())
      expect(atMs - (times[at - 1] ?? atMs)).toBeLessThan(30_000);
});

it.each([
  ['fail', failed],
  ['are not answered', unanswered],
])('leaves half of the budget to others while the closes of many orders %s', async (_, answer) => {
  const rig = await rigWithStuck(100, answer);
  const closedMs = rig.clock.monotonicMs();
  await rig.advance(120_000);
  for (let fromMs = closedMs + 20_000; fromMs < closedMs + 120_000; fromMs += 10_000)
    expect(perSecond(rig, fromMs, fromMs + 10_000)).toBeLessThan(HALF_PER_S);
});

it('retries a failed close at once, however many are closed beside it', async () => {
  let failures = 0;
  const first = new Set<OrderId>();
  const rig = await rigWithStuck(100, (id, close) => {
    if (first.size === 0) first.add(id);
    return first.has(id) && failures++ < 3 ? failed() : close(id);
  });
  await rig.advance(4_000);
  expect(rig.venue.open()).toEqual([]);
});

it('waits no longer for the answer to a first close because others fail', async () => {
  const askedMs: number[] = [];
  let silent: OrderId | null = null;
  const rig = await rigWithStuck(100, (id, _, atMs) => {
    silent ??= id;
    if (id !== silent) return failed();
    askedMs.push(atMs);
    return unanswered();
  });
  await rig.advance(6_000);
  const [firstMs = NaN] = askedMs;
  expect(askedMs.map((atMs) => atMs - firstMs)).toEqual([0, 2_500, 5_000]);
});

it.each([
  [5, 5],
  [null, 0.25],
  [3_600, 60],
])('waits after an answer 429 that requests %s s for %s s', async (retryAfterS, waitS) => {
  const askedMs: number[] = [];
  const rig = await rigWithStuck(1, (id, close, atMs) => {
    askedMs.push(atMs);
    if (askedMs.length > 1) return close(id);
    return Promise.reject(new VenueRejection('throttled', 429, 'too many requests', { retryAfterS }));
  });
  await rig.advance(70_000);
  const [firstMs = NaN, secondMs = NaN] = askedMs;
  expect(askedMs).toHaveLength(2);
  expect(secondMs - firstMs).toBeGreaterThanOrEqual(waitS * 1_000);
  expect(secondMs - firstMs).toBeLessThan(waitS * 1_000 + 200);
});

it('closes all at once again after closes have failed for a moment', async () => {
  const rig = await rigWithStuck(ORDERS, failed);
  await rig.advance(200);
  closesWork(rig);
  await rig.advance(500);
  expect(rig.venue.open()).toEqual([]);
});

it.each([
  ['stay open', acknowledged],
  ['failed to close', failed],
])('goes on closing each of those that %s', async (_, answer) => {
  const rig = await rigWithStuck(ORDERS, answer);
  await rig.advance(60_000);
  closesWork(rig);
  await rig.advance(60_000);
  expect(rig.venue.open()).toEqual([]);
});

it('looks up a single order every other second', async () => {
  const rig = await rigWithStuck(1);
  const closedMs = rig.clock.monotonicMs();
  await rig.advance(120_000);
  expect(perSecond(rig, closedMs + 20_000, closedMs + 120_000)).toBeGreaterThan(0.5);
});

/** The longest gap in seconds between two closes of our order, beside `others` orders that stay open too. */
async function longestGapS(others: number): Promise<number> {
  const rig = new OrderManagerRig({ options: { durationS: 10 } });
  for (let placed = 0; placed < others; placed++) rig.venue.placeByHand({ ...BY_HAND, durationS: 10 });
  rig.venue.endsNothing = true;
  await rig.startQuoting(quote());
  rig.desire();
  await rig.advance(400_000);
  const closes = rig.venue.calls.filter(({ method }) => isClose(method)).map(({ atMs }) => atMs);
  expect(closes.length).toBeGreaterThan(10);
  return Math.max(...closes.slice(1).map((atMs, before) => atMs - (closes[before] ?? 0))) / 1000;
}

it('closes ours as often beside a hundred foreign orders that stay open past their end', async () => {
  expect(await longestGapS(100)).toBeLessThan((await longestGapS(0)) + 3);
});

/** Counts the clock reads per order, with one order an event, until a stop has closed them all. */
async function looksToClose(orders: number): Promise<number> {
  const rig = new OrderManagerRig({ options: { durationS: 600, betslips: { openCap: orders } } });
  await rig.start();
  for (let at = 0; at < orders; at++) {
    const eventId = `2026-11-21,${at},0` as EventId;
    const event = { ...EVENT_NAME, eventId };
    rig.manager.setTargets(event, OWNER, [quote({ selectionId: `fb|${eventId}|h` as SelectionId })]);
  }
  while (rig.venue.open().length < orders) await rig.advance(100);
  const now = rig.clock.monotonicMs.bind(rig.clock);
  let looks = 0;
  rig.clock.monotonicMs = () => (looks++, now());
  rig.manager.stopQuoting('test');
  while (rig.venue.open().length > 0) await rig.advance(1);
  return looks / orders;
}

it('closes each of many orders as fast as each of few', async () => {
  expect(await looksToClose(200)).toBeLessThanOrEqual(2 * (await looksToClose(20)));
});

const inTurn = (): Answer => {
  let asked = 0;
  return () => (asked++ % 2 === 0 ? acknowledged() : failed());
};
const slowlyFailed: Answer = (_id, _close, atMs) => {
  const { promise, reject } = Promise.withResolvers<void>();
  slow.push({ dueMs: atMs + 7_000, fail: () => reject(new Error('late')) });
  return promise;
};
let slow: { readonly dueMs: number; readonly fail: () => void }[] = [];

it.each([
  ['at once', () => failed],
  ['after the next one is sent', () => slowlyFailed],
  ['every second time', inTurn],
])('reports ever more seldom, from the first on, closes that fail %s', async (_, answer) => {
  slow = [];
  const rig = await rigWithStuck(1, answer());
  for (let second = 0; second < 500; second++) {
    await rig.advance(1_000);
    for (const { fail } of slow.filter(({ dueMs }) => dueMs <= rig.clock.monotonicMs())) fail();
    slow = slow.filter(({ dueMs }) => dueMs > rig.clock.monotonicMs());
  }
  const failureCounts = rig.warned.flatMap(({ failures }) => (failures === undefined ? [] : [failures]));
  expect(failureCounts).toEqual([1, 2, 4, 8, 16, 32, 64, 128].slice(0, failureCounts.length));
  expect(failureCounts.length).toBeGreaterThan(5);
});
