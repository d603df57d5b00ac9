import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/venue/index.ts';

/** What the exchange publishes for each bucket: how many requests at once, and how many a second. */
const PUBLISHED = {
  orders: { burst: 5, perSecond: 5 },
  betslips: { burst: 10, perSecond: 10 },
  general: { burst: 100, perSecond: 20 },
} as const;
const BUCKETS = Object.keys(PUBLISHED) as (keyof typeof PUBLISHED)[];

/** The largest bursts that the client sends. The general limit has the widest margin. */
const BURSTS = { orders: 4, betslips: 8, general: 70 } as const;

describe('the default budgets', () => {
  it.each(BUCKETS)('of %s leave a fifth of a burst and 2 %% of the rate unused', (name) => {
    const { burst, perSecond } = PUBLISHED[name];
    expect(DEFAULT_LIMITS[name].capacity).toBe(BURSTS[name]);
    expect(BURSTS[name]).toBeLessThanOrEqual(0.8 * burst);
    expect(DEFAULT_LIMITS[name].perSecond).toBeCloseTo(0.98 * perSecond, 12);
  });

  it.each(BUCKETS)(
    'of %s give a burst and the start of the next process exactly what is published',
    (name) => {
      const { capacity, atStart } = DEFAULT_LIMITS[name];
      expect(capacity + atStart).toBe(PUBLISHED[name].burst);
    },
  );

  it('keep a fifth or more of each burst from normal requests, and half of the general one for urgent ones', () => {
    const kept = BUCKETS.map((name) => [DEFAULT_LIMITS[name].reserve, DEFAULT_LIMITS[name].urgentReserve]);
    expect(kept).toEqual([
      [1, 0],
      [2, 0],
      [20, 10],
    ]);
  });

  it('of a day stay 1 % below the 2,000 betslips that are published, 50 of them kept back', () => {
    const { betslipsPerDay, betslipsPerDayReserve } = DEFAULT_LIMITS;
    expect([betslipsPerDay, betslipsPerDayReserve]).toEqual([0.99 * 2_000, 50]);
  });

  it('let three pages of offers and 500 waiting requests stand at once', () => {
    expect([DEFAULT_LIMITS.offersInFlight, DEFAULT_LIMITS.longestQueue]).toEqual([3, 500]);
  });
});
