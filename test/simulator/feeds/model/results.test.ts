import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/lib/random.ts';
import { Fixtures } from '../../../../src/simulator/feeds/model/fixtures.ts';
import { BASKET, CRICKET, LeadModel } from '../../../../src/simulator/feeds/model/lead.ts';
import { DEFAULTS } from '../../../../src/simulator/feeds/model/options.ts';
import { RACE_S } from '../../../../src/simulator/feeds/model/race.ts';
import { TennisModel } from '../../../../src/simulator/feeds/model/tennis.ts';

const seeds = fc.integer({ min: 1, max: 1e6 });

/** A complete set: six games and two ahead, or seven against five or six. */
const isSet = ([one, other]: readonly [number, number]): boolean => {
  const [more, less] = [Math.max(one, other), Math.min(one, other)];
  return (more === 6 && less <= 4) || (more === 7 && (less === 5 || less === 6));
};

describe('the result of a tennis match', () => {
  it('has one complete set for each set won, in favour of its winner', () => {
    fc.assert(
      fc.property(seeds, fc.array(fc.constantFrom(0, 1, 2), { maxLength: 60 }), (seed, acts) => {
        const model = new TennisModel(seededRandom(seed), 0.3);
        for (const act of acts) {
          if (model.over) break;
          if (act < 2) model.goal(act as 0 | 1);
          else model.play(1_500);
        }
        while (!model.over) model.play(60);
        const result = model.result();
        if (result.kind !== 'score') throw new Error('a match has a score');
        const { home, away, periods = [] } = result;
        expect(periods.every(isSet)).toBe(true);
        expect(periods.filter(([one, other]) => one > other)).toHaveLength(home);
        expect(periods.filter(([one, other]) => one < other)).toHaveLength(away);
      }),
    );
  });
});

describe('the result of a match of points', () => {
  it('has the score at half time where the sport has halves', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const model = new LeadModel(seededRandom(seed), BASKET, 0);
        let atHalf: readonly [number, number] | null = [0, 0];
        for (let playedS = 0; !model.over; playedS += 60) {
          if (playedS <= BASKET.durationS / 2) atHalf = model.state().score;
          model.play(60);
        }
        const result = model.result();
        expect(result).toMatchObject({ halfTimeHome: atHalf?.[0], halfTimeAway: atHalf?.[1] });
        expect(result.kind === 'score' && result.halfTimeHome > 0 && result.halfTimeHome < result.home).toBe(
          true,
        );
      }),
      { numRuns: 20 },
    );
  });

  it('has none at half time where the sport has no halves', () => {
    const model = new LeadModel(seededRandom(3), CRICKET, 0);
    while (!model.over) model.play(60);
    expect(model.result()).toMatchObject({ halfTimeHome: 0, halfTimeAway: 0 });
  });
});

describe('a fixture', () => {
  it.each([1, 4])(
    'ends when its race does, if it is a race (speed %d), and has no end otherwise',
    (speed) => {
      const fixtures = new Fixtures({ ...DEFAULTS, seed: 3, startWallMs: 1_000_000, speed });
      const events = Array.from({ length: 40 }, () => fixtures.next(1_000_000)).flatMap(
        (fixture) => fixture?.event ?? [],
      );
      const races = events.filter(({ eventType }) => eventType === 'multirunner');
      expect(races.length).toBeGreaterThan(1);
      for (const race of races) expect(race.endTimeMs).toBe(race.startTimeMs + (RACE_S * 1_000) / speed);
      const matches = events.filter(({ eventType }) => eventType === 'normal');
      expect(matches.every(({ endTimeMs }) => endTimeMs === null)).toBe(true);
    },
  );
});
