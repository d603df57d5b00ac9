import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { DelayLine } from '../../../src/simulator/in-process/delay-line.ts';

it('delivers everything, in order, nothing before its delay, whatever the delays', async () => {
  const delays = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(delays, async (delaysMs) => {
      const clock = new VirtualClock();
      const arrivals: { index: number; atMs: number }[] = [];
      let pushed = 0;
      const line = new DelayLine<number>(
        clock,
        () => delaysMs[pushed] ?? 0,
        (index) => arrivals.push({ index, atMs: clock.monotonicMs() }),
      );
      for (; pushed < delaysMs.length; pushed++) {
        line.push(pushed);
        await clock.advance(1);
      }
      await clock.advance(100);
      expect(arrivals.map(({ index }) => index)).toEqual(delaysMs.map((_, index) => index));
      for (const { index, atMs } of arrivals) {
        expect(atMs).toBeGreaterThanOrEqual(index + (delaysMs[index] ?? 0));
      }
    }),
    { numRuns: 100 },
  );
});

it('forgets everything in flight when cleared, also from inside a delivery', async () => {
  const clock = new VirtualClock();
  const got: string[] = [];
  const line: DelayLine<string> = new DelayLine(
    clock,
    () => 5,
    (item) => {
      got.push(item);
      if (item === 'b') {
        line.clear();
        line.push('d');
      }
    },
  );
  ['a', 'b', 'c'].forEach((item) => line.push(item));
  expect(got).toEqual([]);
  await clock.advance(20);
  expect(got).toEqual(['a', 'b', 'd']);
  expect(clock.nextTimerMs()).toBeNull();
});
