import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/lib/time.ts';
import { type BudgetName, Budgets, RollingWindow, TokenBucket } from '../../../src/simulator/core/limits.ts';
import { Scheduler } from '../../../src/simulator/core/scheduler.ts';
import { DEFAULT_LIMITS, LIMITS } from '../../../src/simulator/core/settings.ts';

const gaps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 200 });

/** Instants of accepted requests, among requests with these gaps between them. */
function passed(
  gapsMs: readonly number[],
  waitMs: (nowMs: number) => number,
  take: (nowMs: number) => void,
): number[] {
  const times: number[] = [];
  let nowMs = 0;
  for (const gap of gapsMs) {
    nowMs += gap;
    if (waitMs(nowMs) > 0) continue;
    take(nowMs);
    times.push(nowMs);
  }
  return times;
}

describe('a token bucket', () => {
  it('allows its burst and its rate in any stretch of time, and no more', () => {
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 20 }),
        (gapsMs, burst, perSecond) => {
          const bucket = new TokenBucket({ burst, perSecond }, 0);
          const times = passed(
            gapsMs,
            (now) => bucket.waitMs(now),
            () => bucket.take(),
          );
          times.forEach((from, i) =>
            times.slice(i).forEach((to, count) => {
              expect(count + 1).toBeLessThanOrEqual(burst + ((to - from) / 1000) * perSecond + 1e-3);
            }),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('returns exactly how long to wait', () => {
    fc.assert(
      fc.property(gaps, (gapsMs) => {
        const bucket = new TokenBucket({ burst: 3, perSecond: 7 }, 0);
        let nowMs = 0;
        for (const gap of gapsMs) {
          nowMs += gap;
          const waitMs = bucket.waitMs(nowMs);
          if (waitMs > 1) expect(bucket.waitMs(nowMs + waitMs - 2)).toBeGreaterThan(0);
          nowMs += waitMs;
          expect(bucket.waitMs(nowMs)).toBe(0);
          bucket.take();
        }
      }),
    );
  });
});

it('never holds more than its cap in a rolling window', () => {
  fc.assert(
    fc.property(gaps, (gapsMs) => {
      const window = new RollingWindow(5, 1000);
      const times = passed(
        gapsMs,
        (now) => window.waitMs(now),
        (now) => window.take(now),
      );
      for (const time of times) {
        expect(times.filter((other) => other > time - 1000 && other <= time).length).toBeLessThanOrEqual(5);
      }
    }),
  );
});

it('spends nothing of any budget for a refused request', () => {
  const budgets = new Budgets({ ...DEFAULT_LIMITS, general: [{ burst: 3, perSecond: 1 }] }, 0);
  expect([1, 2, 3, 4, 5].map(() => budgets.spend('general', 0))).toEqual([0, 0, 0, 1, 1]);
  expect([budgets.spend('general', 1000), budgets.spend('general', 1000)]).toEqual([0, 1]);
  expect(budgets.throttledCount).toBe(3);
});

it('allows in the strict reading nothing that the lenient one refuses', () => {
  const names = fc.constantFrom<BudgetName>('general', 'betslips', 'orders');
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.integer({ min: 0, max: 40 })), { maxLength: 2_000 }), (asked) => {
      const [strict, lenient] = [new Budgets(LIMITS.strict, 0), new Budgets(LIMITS.lenient, 0)];
      let nowMs = 0;
      for (const [name, gapMs] of asked) {
        nowMs += gapMs;
        if (strict.spend(name, nowMs) === 0) expect(lenient.spend(name, nowMs)).toBe(0);
      }
    }),
    { numRuns: 30 },
  );
});

it.each([
  ['strict', 2_000],
  ['lenient', 2_999],
] as const)("refills a day's betslips as the %s reading says", (reading, most) => {
  const budgets = new Budgets(LIMITS[reading], 0);
  let made = 0;
  for (let nowMs = 0; nowMs < DAY_MS / 2; nowMs += 1_000) if (budgets.spend('betslips', nowMs) === 0) made++;
  expect(made).toBe(most);
});

describe('the scheduler', () => {
  it('runs tasks by instant, then by planning, each at its own time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (delays) => {
        const scheduler = new Scheduler(1000);
        const ran: [number, number, number][] = [];
        delays.forEach((delay, i) =>
          scheduler.after(delay, () => ran.push([1000 + delay, i, scheduler.nowMs])),
        );
        while (scheduler.runNext(2000));
        const expected = delays.map((delay, i) => [1000 + delay, i, 1000 + delay]);
        expect(ran).toEqual(expected.toSorted(([a = 0, i = 0], [b = 0, j = 0]) => a - b || i - j));
      }),
    );
  });

  it('neither runs cancelled tasks nor goes back', () => {
    const scheduler = new Scheduler(1000);
    const ran: string[] = [];
    scheduler.at(1500, () => ran.push('late')).cancel();
    scheduler.at(10, () => ran.push('past'));
    expect(scheduler.nextDueMs()).toBe(1000);
    while (scheduler.runNext(3000));
    scheduler.moveTo(500);
    expect([ran, scheduler.nowMs, scheduler.nextDueMs()]).toEqual([['past'], 1000, null]);
  });
});
