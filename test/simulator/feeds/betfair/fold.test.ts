import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf } from '../../../../src/domain/ladder.ts';
import { DIRECTIONS } from '../../../../src/domain/selection.ts';
import { createBetfairFeed } from '../../../../src/simulator/feeds/betfair/index.ts';
import type {
  FlatLevels,
  RecordedMessage,
  RunnerChange,
} from '../../../../src/simulator/feeds/betfair/message.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const T0 = Date.parse('2024-05-01T12:00:00Z');
const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const at = (outcome: string) => ({ sport: 'cricket', eventId: '2030-01-02,1,2', outcome });

const level = fc.tuple(fc.integer({ min: 95, max: 105 }).map(priceOf), fc.constantFrom(0, 2, 3.5, 80));
const levels: fc.Arbitrary<FlatLevels> = fc.array(level, { maxLength: 4 }).map((pairs) => pairs.flat());
const change: fc.Arbitrary<RunnerChange> = fc.record({
  runnerId: fc.constantFrom(1, 2),
  toBack: levels,
  toLay: levels,
  traded: levels,
});
const sequence = fc.array(
  fc.record({ image: fc.boolean(), runners: fc.array(change, { minLength: 1, maxLength: 2 }) }),
  { minLength: 1, maxLength: 15 },
);

const opening: RecordedMessage = {
  atMs: T0,
  changes: [
    {
      marketId: '1.5',
      image: true,
      definition: {
        sportCode: '4',
        marketType: 'MATCH_ODDS',
        eventName: '',
        country: 'GB',
        winners: 1,
        startMs: T0 + 3_600_000,
        inPlay: false,
        status: 'OPEN',
        runners: [1, 2].map((runnerId) => ({ runnerId, name: `R${runnerId}`, status: 'ACTIVE' })),
      },
      runners: [],
    },
  ],
};

type Step = Pick<RecordedMessage['changes'][number], 'image' | 'runners'>;

const messagesOf = (steps: readonly Step[]): RecordedMessage[] =>
  steps.map((step, i) => ({ atMs: T0 + 1 + i, changes: [{ marketId: '1.5', definition: null, ...step }] }));

/** The last reported size of each price since the last image. */
function lastSizes(steps: readonly Step[], runnerId: number, side: 'toBack' | 'toLay'): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const { image, runners } of steps) {
    if (image) sizes.clear();
    for (const runner of runners.filter((each) => each.runnerId === runnerId)) {
      for (let i = 0; i < runner[side].length; i += 2)
        sizes.set(runner[side][i] ?? 0, runner[side][i + 1] ?? 0);
    }
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
        const last: RecordedMessage = { atMs: T0 + 5000, changes: [] };
        const messages = [opening, ...messagesOf(steps), last];
        const feed = createBetfairFeed({ messages, fromMs, speed: 1, startWallMs: WALL_MS });
        feed.start(market, WALL_MS);
        feed.advance(market, WALL_MS + 10_000);
        for (const [runnerId, outcome] of [
          [1, 'h'],
          [2, 'a'],
        ] as const) {
          for (const direction of DIRECTIONS) {
            const shown = market.levels(at(outcome), direction);
            const wanted = lastSizes(steps, runnerId, direction === 'against' ? 'toBack' : 'toLay');
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
          messages: [opening, ...messagesOf(steps)],
          fromMs: T0,
          speed: 1,
          startWallMs: WALL_MS,
        });
        feed.start(market, WALL_MS);
        feed.advance(market, WALL_MS + 10_000);
        const traded = market.calls
          .filter((call) => call.includes(' trade '))
          .map((call) => Number(call.split(' ').at(-1)));
        const reported = steps.flatMap(({ runners }) =>
          runners.flatMap((runner) => runner.traded.filter((_, i) => i % 2 === 1)),
        );
        const most = reported.reduce((sum, size) => sum + size, 0) * 0.5e6;
        expect(traded.every((micros) => micros > 0)).toBe(true);
        expect(traded.reduce((sum, micros) => sum + micros, 0)).toBeLessThanOrEqual(most + 1);
      }),
      { numRuns: 60 },
    );
  });
});
