import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../../src/lib/random.ts';
import { parseBetType } from '../../../../src/domain/bet-types/index.ts';
import { type EventModel, sigmoid } from '../../../../src/simulator/feeds/model/event-model.ts';
import { FirstHalfModel, FootballModel } from '../../../../src/simulator/feeds/model/football.ts';
import { BASKET, CRICKET, LeadModel } from '../../../../src/simulator/feeds/model/lead.ts';
import { PayoffTable } from '../../../../src/simulator/feeds/model/score-grid.ts';
import { placeChances, RaceModel, winChances } from '../../../../src/simulator/feeds/model/race.ts';
import { TennisModel } from '../../../../src/simulator/feeds/model/tennis.ts';

const payoffs = new PayoffTable();
const IDS = [11, 12, 13, 14, 15, 16];

const MODELS: readonly [sport: string, matches: number, make: (random: Random) => EventModel][] = [
  ['fb', 3000, (random) => new FootballModel(random, payoffs, [1.6, 1.2])],
  ['tennis', 3000, (random) => new TennisModel(random, 0.08)],
  ['basket', 3000, (random) => new LeadModel(random, BASKET, 0.4)],
  ['cricket', 3000, (random) => new LeadModel(random, CRICKET, -0.3)],
  ['horse', 3000, (random) => new RaceModel(random, IDS)],
];

function finish(model: EventModel): void {
  for (let i = 0; !model.over; i++) {
    if (i > 10_000) throw new Error('never over');
    model.play(60);
  }
}

/** Per outcome: a backer's average gain at fair odds, and its precision. */
function gains(
  sport: string,
  matches: number,
  make: (random: Random) => EventModel,
  before: (m: EventModel) => void,
) {
  const sums = new Map<string, { total: number; squares: number; count: number }>();
  for (let match = 0; match < matches; match++) {
    const model = make(seededRandom(match, sport));
    before(model);
    const fair = model.fair();
    finish(model);
    const result = model.result();
    model.outcomes.forEach(({ outcome }, i) => {
      const settled = parseBetType(sport, `for,${outcome}`)?.settle(result);
      const logOdds = fair[i] as number;
      if (!settled || Math.abs(logOdds) > 3.5) return;
      // Scaled so that certainty of a loss costs p and certainty of a win brings 1 - p.
      const gain = settled.won * (1 - sigmoid(logOdds)) - settled.lost * sigmoid(logOdds);
      const sum = sums.get(outcome) ?? { total: 0, squares: 0, count: 0 };
      sums.set(outcome, { total: sum.total + gain, squares: sum.squares + gain ** 2, count: sum.count + 1 });
    });
  }
  return [...sums]
    .filter(([, { count }]) => count > 300)
    .map(([outcome, { total, squares, count }]) => ({
      outcome,
      deviations: total / Math.sqrt(squares + 1e-9),
      mean: total / count,
    }));
}

describe('fair prices', () => {
  it.each(MODELS)('of %s are fair before the start', (sport, matches, make) => {
    for (const { outcome, deviations } of gains(sport, matches, make, () => undefined)) {
      expect([outcome, Math.abs(deviations) < 3.8]).toEqual([outcome, true]);
    }
  });

  it('of first halves are fair before the start', () => {
    const make = (random: Random): EventModel => {
      const match = new FootballModel(random, payoffs, [1.6, 1.2]);
      // A first half does not play by itself. Here it takes its match along.
      return Object.assign(new FirstHalfModel(match, payoffs), {
        play: (seconds: number) => match.play(seconds),
      });
    };
    const found = gains('fb_ht', 2000, make, () => undefined);
    expect(found.length).toBeGreaterThan(5);
    for (const { outcome, deviations } of found)
      expect([outcome, Math.abs(deviations) < 3.8]).toEqual([outcome, true]);
  });

  it.each(MODELS.filter(([sport]) => sport !== 'horse'))('of %s are fair in play', (sport, matches, make) => {
    const half = (model: EventModel): void => {
      for (let minute = 0; minute < 38; minute++) model.play(60);
    };
    const found = gains(sport, matches, make, half);
    expect(found.length).toBeGreaterThan(0);
    for (const { outcome, deviations } of found) {
      expect([outcome, Math.abs(deviations) < 3.8]).toEqual([outcome, true]);
    }
  });
});

/** The average increase of each outcome's probability in an hour before the start, and its precision. */
function trends(sport: string, make: (random: Random) => EventModel): { mean: number; error: number }[] {
  const matches = 2000;
  const sums = make(seededRandom(0, sport)).outcomes.map(() => ({ total: 0, squares: 0 }));
  for (let match = 0; match < matches; match++) {
    const model = make(seededRandom(match, sport));
    const before = model.fair();
    model.drift(1);
    model.fair().forEach((logOdds, i) => {
      const rise = sigmoid(logOdds) - sigmoid(before[i] as number);
      const { total = 0, squares = 0 } = sums[i] ?? {};
      sums[i] = { total: total + rise, squares: squares + rise ** 2 };
    });
  }
  return sums.map(({ total, squares }) => ({
    mean: total / matches,
    error: Math.sqrt(squares) / matches,
  }));
}

describe('opinion before the start', () => {
  it.each(MODELS)(
    'of %s makes no outcome likelier by more than the documented margin, on average',
    (sport, _matches, make) => {
      // A race has no trend at all, and moves far.
      const bound = (error: number): number =>
        sport === 'horse' ? 3.8 * error : sport === 'fb' ? 0.008 : 0.003;
      for (const { mean, error } of trends(sport, make)) expect(Math.abs(mean)).toBeLessThan(bound(error));
    },
  );
});

describe('a race', () => {
  it('pays one winner and three places', () => {
    const win = winChances([3, 2, 1, 1, 0.5]);
    expect(win.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    expect(placeChances(win).reduce((sum, p) => sum + p, 0)).toBeCloseTo(3, 12);
    expect(placeChances([1 / 3, 1 / 3, 1 / 3])).toEqual(
      [1, 1, 1].map((p) => expect.closeTo(p, 12) as number),
    );
  });
});

describe('a football match', () => {
  it('has goals as often as its rates say, a break, and a half-time score below the final one', () => {
    let goals = 0;
    for (let match = 0; match < 1500; match++) {
      const model = new FootballModel(seededRandom(match, 'goals'), payoffs, [1.5, 1.1]);
      finish(model);
      const result = model.result();
      if (result.kind !== 'score') throw new Error('not a score');
      goals += result.home + result.away;
      expect(result.halfTimeHome).toBeLessThanOrEqual(result.home);
      expect(result.halfTimeAway).toBeLessThanOrEqual(result.away);
    }
    expect(goals / 1500).toBeCloseTo(2.6, 0);
  });

  it('reports period and minute', () => {
    const model = new FootballModel(seededRandom(1, 'clock'), payoffs, [1.5, 1.1]);
    const seen = new Map<string, number | null>();
    for (; !model.over; model.play(60)) {
      const { period, minutes } = model.state();
      seen.set(period, minutes);
    }
    expect([...seen]).toEqual([
      ['1h', 44],
      ['ht', null],
      ['2h', 89],
    ]);
  });
});
