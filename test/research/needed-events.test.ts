import { expect, it } from 'vitest';
import { NeededEvents } from '../../src/research/needed-events.ts';
import type { EventTape } from '../../src/research/tape.ts';
import { generatedEvent } from '../fair/generated-event.ts';
import { NaiveEvent } from '../fair/naive-fair.ts';
import { type Step, tapeOf, fairBetween } from '../support/tapes.ts';

/** Both best prices, minute by minute. */
const course = (...minutes: readonly (readonly [low: number, high: number])[]): Step[] =>
  minutes.flatMap(([low, high], at): Step[] => {
    const ms = 60_000 * at;
    const [before] = at === 0 ? [] : [minutes[at - 1]];
    const gone: Step[] =
      before === undefined
        ? []
        : [
            [ms, 'against', before[0], 0],
            [ms, 'for', before[1], 0],
          ];
    return [...gone, [ms, 'against', low, 50], [ms, 'for', high, 50]];
  });

/** Between the prices in log-odds. */

it('counts events for the deviation of a minute, of the closing line, and of a result', () => {
  const [a, b] = [fairBetween(1.98, 2.02), fairBetween(2.18, 2.22)];
  const needed = new NeededEvents();
  const steps = course([1.98, 2.02], [2.18, 2.22], [1.98, 2.02], [1.98, 2.02]);
  needed.add(tapeOf([...steps, [240_000, 'for', 3, 5]]));
  const [result, close, minute] = needed.needed();
  expect(result).toEqual({
    measure: 'result',
    deviation: 1,
    eventsOfOneFill: 38_416,
    eventsOfMinutes: 38_416,
  });
  expect(close).toEqual({
    measure: 'closing line',
    deviation: null,
    eventsOfOneFill: null,
    eventsOfMinutes: null,
  });
  const squares = (b - a) ** 2 / (a * (1 - a)) + (a - b) ** 2 / (b * (1 - b));
  const deviation = minute?.deviation ?? NaN;
  expect(minute?.eventsOfOneFill).toBe(Math.ceil((196 * deviation) ** 2));
  expect(deviation ** 2).toBeLessThanOrEqual(squares);
  expect(deviation ** 2).toBeGreaterThan(squares / 5);
});

it('needs one event at least, and says nothing of data without a fair value', () => {
  const still = new NeededEvents();
  still.add(tapeOf([...course([1.98, 2.02], [1.98, 2.02], [1.98, 2.02]), [300_000, 'for', 3, 5]]));
  expect(still.needed()[2]).toMatchObject({ deviation: 0, eventsOfOneFill: 1, eventsOfMinutes: 1 });
  const oneSided = new NeededEvents();
  oneSided.add(
    tapeOf([
      [0, 'for', 2, 5],
      [300_000, 'for', 3, 5],
    ]),
  );
  expect(oneSided.needed()[2]).toMatchObject({ deviation: null, eventsOfOneFill: null });
});

it('measures the closing line to the last fair value before play', () => {
  const [a, b] = [fairBetween(1.98, 2.02), fairBetween(2.18, 2.22)];
  const steps = course([1.98, 2.02], [2.18, 2.22], [2.18, 2.22], [1.98, 2.02]);
  const tape = { ...tapeOf([...steps, [300_000, 'for', 3, 5]]), inPlayMs: null };
  const needed = new NeededEvents();
  needed.add({ ...tape, inPlayMs: (tape.updates.atMs[0] ?? 0) + 200_000 });
  const moved = (b - a) ** 2 / (a * (1 - a));
  expect((needed.needed()[1]?.deviation ?? NaN) ** 2).toBeCloseTo(moved / 2, 6);
});

it('counts the minutes of an event once, however many selections it has', () => {
  const steps = course([1.98, 2.02], [2.18, 2.22], [1.98, 2.02], [1.98, 2.02]);
  const second = steps.map((step) => [...step, 1] as unknown as Step);
  const end: Step = [240_000, 'for', 3, 5];
  const of = (tape: EventTape) => {
    const needed = new NeededEvents();
    needed.add(tape);
    return needed.needed();
  };
  const [one, two] = [
    of(tapeOf([...steps, end], { selections: [{ outcome: 'ah,h,1' }] })),
    of(
      tapeOf(
        [...steps, ...second, end].toSorted((a, b) => a[0] - b[0]),
        {
          selections: [{ outcome: 'ah,h,1' }, { outcome: 'ah,h,2' }],
        },
      ),
    ),
  ];
  expect(two).toEqual(one);
});

it('measures what a naive reading of its definition does, over generated events', () => {
  const needed = new NeededEvents();
  const [minutes, closes]: [number[], number[]] = [[], []];
  let quoted = 0;
  const events = Array.from({ length: 24 }, (_, number) => generatedEvent(number));
  for (const tape of events) {
    needed.add(tape);
    const fair = new NaiveEvent(tape);
    const firstMs = tape.updates.atMs[0] ?? NaN;
    const fairAt = (selection: number, ms: number): number | null => {
      const logOdds = ms > fair.endMs ? null : fair.fair(selection, ms, false);
      return logOdds === null ? null : 1 / (1 + Math.exp(0 - logOdds));
    };
    /** The square of what one fill deviates by, as part of its risk. */
    const square = (q: number, later: number): number => (later - q) ** 2 / (q * (1 - q));
    const middles = Array.from({ length: 20 }, (_, minute) => firstMs + 60_000 * minute + 30_000);
    const counts = [...tape.selections.keys()].map((selection) => {
      const mids = middles.map((ms) => fairAt(selection, ms));
      for (const [at, q] of mids.entries()) {
        const next = mids[at + 1] ?? null;
        if (q !== null && next !== null) minutes.push(square(q, next));
      }
      const before = mids.filter((_, at) => tape.inPlayMs !== null && (middles[at] ?? NaN) <= tape.inPlayMs);
      const close = before.findLast((q) => q !== null) ?? null;
      for (const q of before.slice(0, -1)) if (q !== null && close !== null) closes.push(square(q, close));
      return mids.filter((q) => q !== null).length;
    });
    quoted += Math.max(...counts);
  }
  const meanOf = (squares: readonly number[]): number =>
    squares.reduce((sum, each) => sum + each, 0) / squares.length;
  const eventsOf = (squares: readonly number[]): number => (1.96 / 0.01) ** 2 * meanOf(squares);
  const [, close, minute] = needed.needed();
  expect([minutes.length > 100, closes.length > 50]).toEqual([true, true]);
  expect(minute?.deviation).toBeCloseTo(Math.sqrt(meanOf(minutes)), 6);
  expect(minute?.eventsOfOneFill).toBe(Math.ceil(eventsOf(minutes)));
  expect(minute?.eventsOfMinutes).toBe(Math.ceil(Math.ceil(eventsOf(minutes)) / (quoted / events.length)));
  expect(close?.deviation).toBeCloseTo(Math.sqrt(meanOf(closes)), 6);
  expect(close?.eventsOfMinutes).toBe(close?.eventsOfOneFill);
});
