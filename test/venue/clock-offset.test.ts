import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClockOffset } from '../../src/venue/stream/clock-offset.ts';

/** A round trip that takes so long and shows the exchange this far ahead of our monotonic clock. */
const trip = (sentMonotonicMs: number, tookMs: number, aheadMs: number) => ({
  sentMonotonicMs,
  receivedMonotonicMs: sentMonotonicMs + tookMs,
  exchangeMs: sentMonotonicMs + tookMs / 2 + aheadMs,
});

it('knows nothing before the first round trip', () => {
  expect(new ClockOffset().estimate(1, 2)).toBeNull();
});

it('takes the middle of a round trip, and half of its length as the largest error', () => {
  const clock = new ClockOffset();
  clock.add({ sentMonotonicMs: 1_000, receivedMonotonicMs: 1_400, exchangeMs: 50_250 });
  // At 1,200 by our monotonic clock it was 50,250 there.
  expect(clock.estimate(1_200, 50_000)).toEqual({ offsetMs: 250, errorMs: 200 });
  expect(clock.estimate(2_200, 51_100)).toEqual({ offsetMs: 150, errorMs: 200 });
});

it('takes the shortest of the last eight round trips, and the later of two that are as short', () => {
  const clock = new ClockOffset();
  clock.add(trip(0, 10, 1));
  for (let at = 1; at < 8; at++) {
    clock.add(trip(at, 100 + at, 2));
    expect(clock.estimate(0, 0)).toEqual({ offsetMs: 1, errorMs: 5 });
  }
  clock.add(trip(8, 101, 3));
  expect(clock.estimate(0, 0)).toEqual({ offsetMs: 3, errorMs: 50.5 });
});

it('errs by no more than it says, however the way there and back share the time', () => {
  const trips = fc.array(fc.tuple(fc.nat(5_000), fc.nat(5_000)), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(trips, fc.integer({ min: -1e6, max: 1e6 }), (ways, aheadMs) => {
      const clock = new ClockOffset();
      for (const [at, [thereMs, backMs]] of ways.entries()) {
        const sentMonotonicMs = at * 20_000;
        const exchangeMs = sentMonotonicMs + thereMs + aheadMs;
        clock.add({ sentMonotonicMs, receivedMonotonicMs: sentMonotonicMs + thereMs + backMs, exchangeMs });
      }
      const { offsetMs = NaN, errorMs = NaN } = clock.estimate(7, 7) ?? {};
      expect(Math.abs(offsetMs - aheadMs)).toBeLessThanOrEqual(errorMs);
      expect(errorMs).toBe(Math.min(...ways.slice(-8).map(([thereMs, backMs]) => (thereMs + backMs) / 2)));
    }),
  );
});
