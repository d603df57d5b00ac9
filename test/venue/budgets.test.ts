import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { Priority } from '../../src/ports/venue.ts';
import {
  Budgets,
  DEFAULT_LIMITS,
  type EarlierBudgets,
  type LaneName,
  type VenueLimits,
} from '../../src/venue/budgets/budgets.ts';
import type { Lease, Ticket } from '../../src/venue/budgets/lane.ts';
import { TokenBucket } from '../../src/venue/budgets/token-bucket.ts';

const DAY_MS = 86_400_000;

function rig(limits: Partial<VenueLimits> = {}, earlier: EarlierBudgets = {}, clock = new VirtualClock()) {
  const budgets = new Budgets(clock, { ...DEFAULT_LIMITS, ...limits }, earlier);
  const went: { name: string; atMs: number }[] = [];
  const leases: Lease[] = [];
  const ask = (lane: LaneName, name = '', ticket: Partial<Ticket> = {}): void => {
    budgets.enter(lane, { priority: 'normal', value: 0, ...ticket }).then(
      (lease) => {
        went.push({ name, atMs: clock.monotonicMs() });
        lease.markSent();
        leases.push(lease);
      },
      (error: unknown) =>
        went.push({ name: `${name} failed: ${(error as Error).message}`, atMs: clock.monotonicMs() }),
    );
  };
  return { clock, budgets, went, leases, ask, names: () => went.map(({ name }) => name) };
}

interface AnyRequest {
  readonly lane: LaneName;
  readonly priority: Priority;
  readonly gapMs: number;
  readonly travelMs: number;
}

const anyRequest: fc.Arbitrary<AnyRequest> = fc.record({
  lane: fc.constantFrom<LaneName>('general', 'general', 'general', 'offers'),
  priority: fc.constantFrom<Priority>('normal', 'normal', 'reducing', 'urgent'),
  gapMs: fc.nat(400),
  travelMs: fc.integer({ min: 0, max: 150 }),
});

interface Gone {
  readonly priority: Priority;
  readonly lane: LaneName;
  readonly askedMs: number;
  readonly atMs: number;
}

/** When each of these left, in this order. Requests that come within 300 ms are made at once. */
async function wentOfAll(requests: readonly AnyRequest[]): Promise<{ went: readonly Gone[] }> {
  const clock = new VirtualClock();
  const budgets = new Budgets(clock);
  const went: Gone[] = [];
  const send = async ({ lane, priority }: AnyRequest): Promise<void> => {
    const askedMs = clock.monotonicMs();
    const lease = await budgets.enter(lane, { priority, value: 0 });
    went.push({ priority, lane, askedMs, atMs: clock.monotonicMs() });
    lease.markSent();
    clock.after(20, () => lease.release());
  };
  const sent: Promise<void>[] = [];
  for (const request of requests) {
    sent.push(send(request));
    if (request.gapMs > 300) await clock.advance(request.gapMs);
  }
  await clock.advance(120_000);
  await Promise.all(sent);
  return { went };
}

/** Requests that left while a more urgent one of the same queue was waiting. */
function overtaken(went: readonly Gone[]): readonly Gone[] {
  const rank = { urgent: 0, reducing: 1, normal: 2 } as const;
  return went.filter((gone, i) =>
    went
      .slice(i + 1)
      .some(
        (later) =>
          later.lane === gone.lane &&
          rank[later.priority] < rank[gone.priority] &&
          later.askedMs < gone.atMs &&
          later.atMs > gone.atMs,
      ),
  );
}

/** The whole general budget of a new process. */
function budgetsSpent(ask: ReturnType<typeof rig>['ask']): void {
  for (let i = 0; i < DEFAULT_LIMITS.general.atStart; i++) ask('general', 'spends', { priority: 'urgent' });
}

/** The exchange's side: a bucket that refills continuously. Returns the number of requests that it would throttle. */
function throttledBy(
  capacity: number,
  perSecond: number,
  arrivalsMs: readonly number[],
  levelAtStart: number,
): number {
  let [level, atMs, refused] = [levelAtStart, 0, 0];
  for (const nowMs of [...arrivalsMs].sort((a, b) => a - b)) {
    level = Math.min(capacity, level + ((nowMs - atMs) / 1000) * perSecond);
    atMs = nowMs;
    if (level >= 1) level -= 1;
    else refused += 1;
  }
  return refused;
}

describe('the order of waiting requests', () => {
  it('is urgent, then reducing, then the rest, each by value, then by age', async () => {
    const { clock, ask, names } = rig();
    ask('orders', 'first');
    ask('orders', 'spends the reserve', { priority: 'reducing' });
    await clock.advance(0);
    ask('orders', 'low', { value: 1 });
    ask('orders', 'high', { value: 9 });
    ask('orders', 'high, later', { value: 9 });
    ask('orders', 'reducing', { priority: 'reducing' });
    ask('orders', 'urgent', { priority: 'urgent' });
    ask('orders', 'urgent and high', { priority: 'urgent', value: 1 });
    await clock.advance(10_000);
    const tail = names().filter((name) => !/first|spends/.test(name));
    expect(tail).toEqual(['urgent and high', 'urgent', 'reducing', 'high', 'high, later', 'low']);
  });

  it('makes normal requests leave tokens to the others, and reducing ones to urgent ones', async () => {
    const { clock, ask, names, budgets } = rig();
    await clock.advance(10_000);
    const { reserve, urgentReserve, capacity } = DEFAULT_LIMITS.general;
    const wentOf = async (priority: Priority): Promise<number> => {
      for (let i = 0; i < 100; i++) ask('general', priority, { priority });
      await clock.advance(0);
      return names().filter((name) => name === priority).length;
    };
    expect(await wentOf('normal')).toBe(capacity - reserve);
    expect(budgets.waitMs('general', 'reducing')).toBe(0);
    expect(await wentOf('reducing')).toBe(reserve - urgentReserve);
    expect(budgets.waitMs('general', 'urgent')).toBe(0);
    expect(await wentOf('urgent')).toBe(urgentReserve);
    expect(budgets.levels().generalNow).toBe(0);
  });

  it('makes urgent requests wait for the next token where even the reserve is spent, before all others', async () => {
    const { clock, ask, names, budgets } = rig();
    await clock.advance(10_000);
    for (let i = 0; i < 100; i++) ask('general', 'normal');
    for (let i = 0; i < 50; i++) ask('general', 'urgent', { priority: 'urgent' });
    await clock.advance(0);
    expect(names()).toHaveLength(DEFAULT_LIMITS.general.capacity);
    expect(budgets.waitMs('general', 'urgent')).toBeCloseTo((31 / 19.6) * 1000, 0);
    await clock.advance(1_540);
    expect(names().lastIndexOf('urgent')).toBe(names().length - 1);
    expect(names().filter((name) => name === 'urgent')).toHaveLength(50);
    await clock.advance(60_000);
    expect(names()).toHaveLength(150);
  });

  it('lets an urgent request join however many others wait', async () => {
    const { clock, ask, names } = rig({ longestQueue: 3 });
    budgetsSpent(ask);
    for (let i = 0; i < 4; i++) ask('general', 'normal');
    for (let i = 0; i < 4; i++) ask('general', 'urgent', { priority: 'urgent' });
    await clock.advance(10_000);
    const failed = (name: string): string => `${name} failed: too many requests wait for their budget`;
    const tail = names().filter((name) => name !== 'spends');
    expect(tail.toSorted()).toEqual(
      [
        failed('normal'),
        failed('urgent'),
        ...Array.from({ length: 3 }, () => ['normal', 'urgent']).flat(),
      ].toSorted(),
    );
  });

  it('keeps a reserve for requests that reduce risk', async () => {
    const { clock, ask, names } = rig();
    await clock.advance(10_000);
    for (let i = 0; i < 6; i++) ask('orders', 'normal');
    await clock.advance(0);
    expect(names()).toEqual(['normal', 'normal', 'normal']);
    ask('orders', 'reducing', { priority: 'reducing' });
    await clock.advance(0);
    expect(names()).toEqual(['normal', 'normal', 'normal', 'reducing']);
  });

  it('releases cancelled requests, and all at the close; none of them was sent', async () => {
    const { clock, ask, names, budgets } = rig();
    const aborter = new AbortController();
    ask('orders', 'first');
    ask('orders', 'cancelled', { signal: aborter.signal });
    ask('orders', 'waiting');
    await clock.advance(0);
    aborter.abort();
    budgets.close();
    await clock.advance(10_000);
    expect(names().filter((name) => !name.startsWith('first'))).toEqual([
      'cancelled failed: cancelled while it waited for its budget',
      'waiting failed: the client is closed',
    ]);
  });

  it('has room again for others when waiting requests are cancelled, at whatever place', async () => {
    const { clock, ask, names, budgets } = rig({ longestQueue: 3 });
    const aborter = new AbortController();
    budgets.throttled('orders', 3_600);
    ask('orders', 'first', { value: 9 });
    for (const value of [1, 2]) ask('orders', 'cancelled', { value, signal: aborter.signal });
    await clock.advance(0);
    aborter.abort();
    ask('orders', 'second', { value: 5 });
    ask('orders', 'reducing', { priority: 'reducing' });
    await clock.advance(3_610_000);
    expect(names().filter((name) => !name.startsWith('cancelled'))).toEqual(['reducing', 'first', 'second']);
  });

  it('is bounded', async () => {
    const { clock, ask, names } = rig({ longestQueue: 2 });
    for (let i = 0; i < 5; i++) ask('orders', `${i}`);
    await clock.advance(0);
    expect(names()).toContain('4 failed: too many requests wait for their budget');
  });
});

const newBucket = (): TokenBucket =>
  new TokenBucket({ capacity: 4, perSecond: 4.9 }, { level: 1, blockedForMs: 90, rateFactor: 0.7 }, 0);

describe('the remaining budget', () => {
  it('is reported, with the time at which a request could leave', async () => {
    const { clock, ask, budgets } = rig();
    await clock.advance(10_000);
    expect(budgets.levels()).toEqual({ ordersNow: 4, betslipsNow: 8, betslipsToday: 1980, generalNow: 70 });
    expect(budgets.waitMs('orders')).toBe(0);
    for (let i = 0; i < 10; i++) ask('orders');
    await clock.advance(0);
    expect(budgets.waitMs('orders', 'urgent')).toBe(0);
    expect(budgets.waitMs('orders')).toBeCloseTo((8 / 4.9) * 1000, 0);
  });

  it('is the same however often somebody asks', () => {
    const step = fc.tuple(
      fc.integer({ min: 0, max: 700 }),
      fc.boolean(),
      fc.array(fc.integer({ min: 0, max: 99 })),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const [asked, silent] = [0, 1].map(() => newBucket()) as [TokenBucket, TokenBucket];
        let nowMs = 0;
        for (const [afterMs, takes, asksAt] of steps) {
          for (const part of asksAt.toSorted((a, b) => a - b)) asked.left(nowMs + (afterMs * part) / 100);
          nowMs += afterMs;
          for (const bucket of [asked, silent]) if (takes) bucket.take(nowMs);
          expect(asked.left(nowMs)).toBe(silent.left(nowMs));
        }
        expect(asked.state(nowMs)).toEqual(silent.state(nowMs));
      }),
    );
  });

  it('counts a request again that was never sent', async () => {
    const { clock, ask, budgets, leases } = rig();
    await clock.advance(10_000);
    ask('betslips');
    await clock.advance(0);
    expect(budgets.levels()).toMatchObject({ betslipsNow: 7, betslipsToday: 1979 });
    leases[0]?.giveBack();
    expect(budgets.levels()).toMatchObject({ betslipsNow: 8, betslipsToday: 1980 });
  });

  it('is nothing after a 429 until its time is over, and less per second afterwards', async () => {
    const { clock, ask, budgets, went } = rig();
    await clock.advance(10_000);
    budgets.throttled('orders', 7);
    for (let i = 0; i < 20; i++) ask('orders');
    ask('orders', 'urgent', { priority: 'urgent' });
    await clock.advance(0);
    expect(went).toEqual([]);
    // The next token.
    await clock.advance(205);
    expect(went).toEqual([{ name: 'urgent', atMs: 10_205 }]);
    await clock.advance(6_695);
    expect(went).toHaveLength(1);
    await clock.advance(60_000);
    const [, ...others] = went;
    const spans = others.slice(10).map(({ atMs }, i) => atMs - (others[i + 9]?.atMs ?? 0));
    expect(Math.min(...spans)).toBeGreaterThan(1000 / 4.9);
  });

  it('is refilled as published for urgent requests, whatever answers 429 have taught', async () => {
    const { clock, ask, budgets, names } = rig();
    for (let answer = 0; answer < 10; answer++) {
      budgets.throttled('general', 5);
      await clock.advance(5_000);
    }
    budgets.throttled('general', 5);
    for (let i = 0; i < 40; i++) ask('general', 'urgent', { priority: 'urgent' });
    await clock.advance(1_000);
    expect(names()).toHaveLength(19);
    for (let i = 0; i < 40; i++) ask('general', 'normal');
    await clock.advance(2_000);
    expect(names().filter((name) => name === 'normal')).toEqual([]);
    // The others make up for the tokens that urgent ones took beyond the lowered rate.
    await clock.advance(60_000);
    expect(names()).toHaveLength(80);
  });

  it.each([
    [60, 1, 60_000],
    [1, 60, 60_500],
    [60, 60, 60_500],
  ])(
    'is nothing until the later end of two waits, of %i s and half a second later of %i s',
    (first, second, untilMs) => {
      const bucket = new TokenBucket(
        { capacity: 4, perSecond: 4.9 },
        { level: 4, blockedForMs: 0, rateFactor: 1 },
        0,
      );
      bucket.throttled(0, first * 1_000);
      bucket.throttled(500, second * 1_000);
      const waitMs = (nowMs: number) => bucket.waitMs(nowMs, { place: 1, reserve: 0, isUrgent: false });
      expect([waitMs(500), waitMs(untilMs - 1), waitMs(untilMs)]).toEqual([untilMs - 500, 1, 0]);
      expect(bucket.waitMs(untilMs - 1, { place: 1, reserve: 0, isUrgent: true })).toBe(0);
    },
  );

  it('is as much per second after several 429 of concurrent requests as after one', async () => {
    const lastMs = async (answers: number): Promise<number | undefined> => {
      const { clock, ask, budgets, went } = rig();
      for (let answer = 0; answer < answers; answer++) budgets.throttled('orders', 2);
      for (let i = 0; i < 50; i++) ask('orders');
      await clock.advance(60_000);
      expect(went).toHaveLength(50);
      return went.at(-1)?.atMs;
    };
    expect(await lastMs(3)).toBe(await lastMs(1));
    expect(await lastMs(1)).toBeGreaterThan((await lastMs(0)) as number);
  });

  it('survives a restart: the betslips of the day, and a wait that is not over', async () => {
    const clock = new VirtualClock();
    const first = rig({}, {}, clock);
    await clock.advance(10_000);
    for (let i = 0; i < 5; i++) first.ask('betslips');
    await clock.advance(5_000);
    first.budgets.throttled('orders', 60);
    const snapshot = first.budgets.snapshot();
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
    await clock.advance(20_000);
    const second = rig({}, { snapshot }, clock);
    expect(second.budgets.levels().betslipsToday).toBe(1975);
    expect(second.budgets.waitMs('orders')).toBeGreaterThan(39_000);
    await clock.advance(DAY_MS + 60_000);
    expect(second.budgets.levels()).toMatchObject({ betslipsToday: 1980, ordersNow: 4 });
  });

  it('is as much per second as ever long after a 429, though every run since was killed', async () => {
    const first = rig();
    for (let count = 0; count < 7; count++) {
      first.budgets.throttled('general', 1);
      await first.clock.advance(2_000);
    }
    const snapshot = first.budgets.bucketsSnapshot();
    await first.clock.advance(7_200_000);
    const second = rig({}, { snapshot, unaccountedSinceMs: first.clock.wallMs() }, first.clock);
    for (let count = 0; count < 400; count++) second.ask('general');
    // In the first of these seconds the reserve fills.
    await first.clock.advance(11_000);
    expect(second.went.length).toBeGreaterThan(180);
  });

  it.each(['orders', 'general', 'betslips'] as const)(
    'of %s counts as empty at the last instant before a kill, and no emptier if the clock was set back since',
    (lane) => {
      const clock = new VirtualClock();
      const snapshot = new Budgets(clock).bucketsSnapshot();
      const waitAfter = (killedMsAgo: number): number => {
        const unaccountedSinceMs = clock.wallMs() - killedMsAgo;
        return new Budgets(clock, DEFAULT_LIMITS, { snapshot, unaccountedSinceMs }).waitMs(lane, 'urgent');
      };
      const emptyMs = 1_000 / DEFAULT_LIMITS[lane].perSecond;
      expect(waitAfter(0)).toBeCloseTo(emptyMs, 1);
      expect(waitAfter(emptyMs / 4)).toBeCloseTo(emptyMs * 0.75, 1);
      expect(waitAfter(60_000)).toBe(0);
      expect(waitAfter(-3_600_000)).toBeCloseTo(emptyMs, 1);
    },
  );

  it('counts the betslips that a journal remembers by their own ages, whenever the snapshot is from', async () => {
    const clock = new VirtualClock();
    const nowMs = clock.wallMs();
    const snapshot = { ...new Budgets(clock).snapshot(), savedAtMs: nowMs - 3_600_000 };
    const betslipsAtMs = [nowMs - DAY_MS - 1, nowMs - DAY_MS + 1_000, nowMs - 5];
    for (const earlier of [{ betslipsAtMs }, { betslipsAtMs, snapshot }]) {
      const { budgets } = rig({}, earlier, clock);
      expect(budgets.levels().betslipsToday).toBe(1978);
    }
    const { budgets } = rig({}, { betslipsAtMs, snapshot }, clock);
    await clock.advance(2_000);
    expect(budgets.levels().betslipsToday).toBe(1979);
  });
});

it('treats betslips of earlier runs as no older than the exchange has shown, whatever clock the client was made with', async () => {
  const clock = new VirtualClock();
  const agesMs = [DAY_MS - 3_000_000, DAY_MS - 3_000_000, 60_000];
  // The clock is an hour ahead.
  const betslipsAtMs = agesMs.map((ageMs) => clock.wallMs() - ageMs - 3_600_000);
  const { budgets } = rig({}, { betslipsAtMs }, clock);
  expect(budgets.levels().betslipsToday).toBe(1979);
  budgets.recallBetslips(agesMs);
  expect(budgets.levels().betslipsToday).toBe(1977);
  await clock.advance(2_999_000);
  expect(budgets.levels().betslipsToday).toBe(1977);
  await clock.advance(2_000);
  expect(budgets.levels().betslipsToday).toBe(1979);
  await clock.advance(DAY_MS - 3_001_000 - 61_000);
  expect(budgets.levels().betslipsToday).toBe(1979);
  await clock.advance(2_000);
  expect(budgets.levels().betslipsToday).toBe(1980);
});

it('recalls the ages of betslips without forgetting one, whichever record is longer or knows it as younger', () => {
  const HOUR_MS = 3_600_000;
  const ages = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 });
  fc.assert(
    fc.property(ages, ages, (counted, recalled) => {
      const clock = new VirtualClock();
      const nowMs = clock.wallMs();
      const atMs = (hours: number): number => nowMs - hours * HOUR_MS;
      const budgets = new Budgets(clock, DEFAULT_LIMITS, { betslipsAtMs: counted.map(atMs) });
      budgets.recallBetslips(recalled.map((hours) => hours * HOUR_MS));
      const youngest = (all: readonly number[]): number[] => all.toSorted((a, b) => a - b);
      const [a, b] = [youngest(counted), youngest(recalled)];
      const merged = Array.from({ length: Math.max(a.length, b.length) }, (_, at) =>
        Math.min(a[at] ?? Infinity, b[at] ?? Infinity),
      ).filter((hours) => hours < 24);
      expect(budgets.levels().betslipsToday).toBe(DEFAULT_LIMITS.betslipsPerDay - merged.length);
      const expiries = budgets.snapshot().betslipsOfTheDay.map(({ expiresInMs }) => expiresInMs);
      expect(expiries).toEqual(merged.map((hours) => DAY_MS - hours * HOUR_MS).toReversed());
    }),
  );
});

it('holds a request back to the last part of a millisecond', async () => {
  const one = { capacity: 1, perSecond: 4.9, reserve: 0, urgentReserve: 0, atStart: 1 };
  const { clock, ask, went } = rig({ orders: one });
  ask('orders', 'first');
  // The next token is there after 204.08 ms.
  await clock.advance(204);
  for (const priority of ['normal', 'urgent'] as const) ask('orders', priority, { priority });
  await clock.advance(0);
  expect(went).toEqual([{ name: 'first', atMs: 0 }]);
  await clock.advance(1);
  expect(went.slice(1)).toEqual([{ name: 'urgent', atMs: 205 }]);
});

describe('offers', () => {
  it('are at most as many in flight as allowed, and continue when an answer arrives', async () => {
    const { clock, ask, names, leases } = rig();
    await clock.advance(10_000);
    for (let i = 0; i < 5; i++) ask('offers', `${i}`);
    await clock.advance(1_000);
    expect(names()).toEqual(['0', '1', '2']);
    leases[1]?.release();
    await clock.advance(0);
    expect(names()).toEqual(['0', '1', '2', '3']);
  });
});

describe('the exchange is never asked for more than it allows', () => {
  const limits: readonly [LaneName, number, number][] = [
    ['orders', 5, 5],
    ['betslips', 10, 10],
    ['general', 100, 20],
  ];

  it.each(limits)(
    '%s: whenever they come and however long they travel',
    async (lane, capacity, perSecond) => {
      const request = fc.record({ gapMs: fc.nat(400), travelMs: fc.integer({ min: 0, max: 150 }) });
      await fc.assert(
        fc.asyncProperty(fc.array(request, { maxLength: 300 }), async (requests) => {
          const { clock, ask, went } = rig();
          for (const { gapMs } of requests) {
            ask(lane);
            if (gapMs > 200) await clock.advance(gapMs);
          }
          await clock.advance(120_000);
          expect(went).toHaveLength(requests.length);
          const arrivals = went.map(({ atMs }, i) => atMs + (requests[i]?.travelMs ?? 0));
          expect(throttledBy(capacity, perSecond, arrivals, capacity)).toBe(0);
        }),
        { numRuns: 30 },
      );
    },
  );

  it('general: requests of every priority keep within the bucket together, and none waits behind a less urgent one', async () => {
    const { capacity, perSecond } = DEFAULT_LIMITS.general;
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { maxLength: 400 }), async (requests) => {
        const { went } = await wentOfAll(requests);
        expect(went).toHaveLength(requests.length);
        const arrivals = went.map(({ atMs }, i) => atMs + (requests[i]?.travelMs ?? 0));
        expect(throttledBy(100, 20, arrivals, 100)).toBe(0);
        for (const [i, { atMs: fromMs }] of went.entries())
          for (const [count, { atMs }] of went.slice(i).entries())
            expect(count + 1).toBeLessThanOrEqual(capacity + ((atMs - fromMs) / 1000) * perSecond + 1e-6);
        expect(overtaken(went)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('general: an urgent request waits for no more tokens than urgent ones before it need', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { maxLength: 400 }), async (requests) => {
        const { went } = await wentOfAll(requests);
        const urgent = went.filter(({ priority }) => priority === 'urgent');
        for (const { askedMs, atMs } of urgent) {
          const others = urgent.filter((other) => other.atMs > askedMs && other.atMs <= atMs).length;
          expect(atMs - askedMs).toBeLessThanOrEqual(Math.max(1, others) * 52);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('orders: a restart at any moment included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 200, max: 3_000 }), { maxLength: 8 }), async (lives) => {
        const clock = new VirtualClock();
        const arrivals: number[] = [];
        for (const lifeMs of lives) {
          const { ask, went, budgets } = rig({}, {}, clock);
          for (let i = 0; i < 30; i++) ask('orders');
          await clock.advance(lifeMs);
          budgets.close();
          arrivals.push(...went.filter(({ name }) => name === '').map(({ atMs }) => atMs));
        }
        expect(throttledBy(5, 5, arrivals, 5)).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('ten minutes at full demand: nothing throttled, and 95 in 100 of the order budget used', async () => {
    const { clock, ask, went } = rig();
    const untilMs = 600_000;
    for (let i = 0; i < 20; i++) ask('orders');
    while (clock.monotonicMs() < untilMs) {
      const before = went.length;
      await clock.advance(100);
      for (let i = before; i < went.length; i++) ask('orders');
    }
    const sent = went.filter(({ atMs }) => atMs <= untilMs).map(({ atMs }) => atMs);
    expect(throttledBy(5, 5, sent, 5)).toBe(0);
    expect(sent.length).toBeGreaterThanOrEqual(0.95 * 5 * 600);
  });

  it('betslips: at most 2000 in any 24 hours', async () => {
    const { clock, ask, went } = rig({
      betslips: { capacity: 8, perSecond: 9.8, reserve: 0, urgentReserve: 0, atStart: 1 },
    });
    for (let hour = 0; hour < 60; hour++) {
      for (let i = 0; i < 90; i++) ask('betslips');
      await clock.advance(3_600_000);
    }
    const at = went.filter(({ name }) => name === '').map(({ atMs }) => atMs);
    const most = Math.max(...at.map((from) => at.filter((ms) => ms >= from && ms < from + DAY_MS).length));
    expect(at.length).toBeGreaterThan(3_000);
    expect(most).toBeLessThanOrEqual(2_000);
    expect(most).toBeGreaterThan(1_800);
  });
});

describe('a wait that an earlier run believed', () => {
  /** The wait of the lane in a run that begins `downMs` after the earlier one saved a wait of `blockedForMs`. */
  const waitAfter = (
    lane: 'orders' | 'general' | 'betslips',
    blockedForMs: number,
    downMs: number,
  ): number => {
    const clock = new VirtualClock();
    const { buckets } = new Budgets(clock).bucketsSnapshot();
    const state = { ...buckets[lane], level: 2, blockedForMs };
    const snapshot = { savedAtMs: clock.wallMs() - downMs, buckets: { ...buckets, [lane]: state } };
    return new Budgets(clock, DEFAULT_LIMITS, { snapshot }).waitMs(lane);
  };

  it.each([
    ['orders', 180_000],
    ['general', 180_000],
    ['betslips', DAY_MS],
  ] as const)('is bounded for %s, and passes while no run is there', (lane, mostMs) => {
    expect(waitAfter(lane, 1e14, 0)).toBe(mostMs);
    expect(waitAfter(lane, 1e14, 20_000)).toBe(mostMs - 20_000);
    expect(waitAfter(lane, 100_000, 20_000)).toBe(80_000);
    // A new run begins with an almost empty bucket.
    expect(waitAfter(lane, 100_000, 100_000)).toBeLessThan(1_000);
    expect(waitAfter(lane, 100_000, 500_000)).toBeLessThan(1_000);
    // The clock was set back meanwhile.
    expect(waitAfter(lane, 100_000, -20_000)).toBe(100_000);
  });
});

describe('a wait that the exchange does not tell', () => {
  it('is a second', () => {
    const { budgets } = rig();
    budgets.throttled('general', null);
    expect(budgets.snapshot().buckets.general.blockedForMs).toBe(1_000);
  });
});

describe('the rate that an earlier run had lowered', () => {
  it('recovers by the time since it was saved, as if the run had gone on', async () => {
    const first = rig();
    first.budgets.throttled('general', 1);
    const saved = first.budgets.snapshot();
    await first.clock.advance(30_000);
    const later = first.budgets.snapshot().buckets.general.rateFactor;
    expect(later).toBeGreaterThan(saved.buckets.general.rateFactor);
    expect(later).toBeLessThan(1);
    const next = rig({}, { snapshot: saved }, first.clock);
    expect(next.budgets.snapshot().buckets.general.rateFactor).toBeCloseTo(later, 9);
  });
});

describe('the wait for a budget', () => {
  it('counts those that wait already with the same or a higher priority, and no others', () => {
    const { budgets, ask } = rig({
      orders: { capacity: 1, perSecond: 1, reserve: 0, urgentReserve: 0, atStart: 1 },
    });
    const waits = (): number[] =>
      (['urgent', 'reducing', 'normal'] as const).map((priority) => budgets.waitMs('orders', priority));
    expect(waits()).toEqual([0, 0, 0]);
    ask('orders');
    expect(waits()).toEqual([1_000, 1_000, 1_000]);
    ask('orders', 'normal');
    expect(waits()).toEqual([1_000, 1_000, 2_000]);
    ask('orders', 'reducing', { priority: 'reducing' });
    expect(waits()).toEqual([1_000, 2_000, 3_000]);
  });
});
