import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf } from '../../../../src/domain/ladder.ts';
import { DIRECTIONS } from '../../../../src/domain/selection.ts';
import { createBetfairFeed } from '../../../../src/simulator/feeds/betfair/index.ts';
import { recordingOf } from '../../../support/recorded-file.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const T0 = Date.parse('2024-05-01T12:00:00Z');
const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const at = (outcome: string) => ({ sport: 'cricket', eventId: '2030-01-02,1,2', outcome });

type Level = readonly [price: number, size: number];
interface RunnerChange {
  readonly id: number;
  readonly atb: readonly Level[];
  readonly atl: readonly Level[];
  readonly trd: readonly Level[];
}

const level: fc.Arbitrary<Level> = fc.tuple(
  fc.integer({ min: 95, max: 105 }).map(priceOf),
  fc.constantFrom(0, 2, 3.5, 80),
);
const levels = fc.array(level, { maxLength: 4 });
const change: fc.Arbitrary<RunnerChange> = fc.record({
  id: fc.constantFrom(1, 2),
  atb: levels,
  atl: levels,
  trd: levels,
});
const sequence = fc.array(
  fc.record({ img: fc.boolean(), rc: fc.array(change, { minLength: 1, maxLength: 2 }) }),
  { minLength: 1, maxLength: 15 },
);

const line = (atMs: number, ...mc: readonly object[]): string =>
  JSON.stringify({ op: 'mcm', pt: atMs, mc: mc.map((each) => ({ id: '1.5', ...each })) });

const opening = line(T0, {
  img: true,
  marketDefinition: {
    eventTypeId: '4',
    marketType: 'MATCH_ODDS',
    countryCode: 'GB',
    numberOfWinners: 1,
    marketTime: new Date(T0 + 3_600_000).toISOString(),
    inPlay: false,
    status: 'OPEN',
    runners: [1, 2].map((id) => ({ id, name: `R${id}`, status: 'ACTIVE', sortPriority: id })),
  },
});

interface Step {
  readonly img: boolean;
  readonly rc: readonly RunnerChange[];
}

const linesOf = (steps: readonly Step[]): string[] => steps.map((step, i) => line(T0 + 1 + i, step));

/** The last reported size of each price since the last image. */
function lastSizes(steps: readonly Step[], runnerId: number, side: 'atb' | 'atl'): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const { img, rc } of steps) {
    if (img) sizes.clear();
    for (const runner of rc.filter(({ id }) => id === runnerId))
      for (const [price, size] of runner[side]) sizes.set(price, size);
  }
  return new Map([...sizes].filter(([, size]) => size > 0));
}

describe('any sequence of recorded changes', () => {
  it.each([
    ['played', T0],
    ['folded before the beginning', T0 + 1000],
  ])('%s leaves the book as last reported', (_how, fromMs) => {
    fc.assert(
      fc.property(sequence, (steps) => {
        const market = new RecordingMarket();
        const recording = recordingOf([opening, ...linesOf(steps), line(T0 + 5000)]);
        const feed = createBetfairFeed({ recording, fromMs, speed: 1, startWallMs: WALL_MS });
        feed.start(market, WALL_MS);
        feed.advance(market, WALL_MS + 10_000);
        for (const [runnerId, outcome] of [
          [1, 'h'],
          [2, 'a'],
        ] as const) {
          for (const direction of DIRECTIONS) {
            const shown = market.levels(at(outcome), direction);
            const wanted = lastSizes(steps, runnerId, direction === 'against' ? 'atb' : 'atl');
            expect(new Map(shown.map(({ price, stakeMicros }) => [price, stakeMicros / 1e6]))).toEqual(
              wanted,
            );
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('never trades more than half of what was reported, and never for nothing', () => {
    fc.assert(
      fc.property(sequence, (steps) => {
        const market = new RecordingMarket();
        const feed = createBetfairFeed({
          recording: recordingOf([opening, ...linesOf(steps)]),
          fromMs: T0,
          speed: 1,
          startWallMs: WALL_MS,
        });
        feed.start(market, WALL_MS);
        feed.advance(market, WALL_MS + 10_000);
        const traded = market.calls
          .filter((call) => call.includes(' trade '))
          .map((call) => Number(call.split(' ').at(-1)));
        const reported = steps.flatMap(({ rc }) => rc.flatMap(({ trd }) => trd.map(([, size]) => size)));
        const most = reported.reduce((sum, size) => sum + size, 0) * 0.5e6;
        expect(traded.every((micros) => micros > 0)).toBe(true);
        expect(traded.reduce((sum, micros) => sum + micros, 0)).toBeLessThanOrEqual(most + 1);
      }),
      { numRuns: 60 },
    );
  });
});
