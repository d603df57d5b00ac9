import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/lib/random.ts';
import { activityAt, Mood } from '../../../../src/simulator/feeds/model/activity.ts';
import { Agenda } from '../../../../src/simulator/feeds/model/agenda.ts';
import { sigmoid } from '../../../../src/simulator/feeds/model/event-model.ts';
import { normalCdf } from '../../../../src/simulator/feeds/model/lead.ts';
import { PublicView } from '../../../../src/simulator/feeds/model/public-view.ts';
import { takeUpTo } from '../../../../src/simulator/feeds/model/taker.ts';
import { matchChance, setChance } from '../../../../src/simulator/feeds/model/tennis.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

describe('a taker', () => {
  const at = { sport: 'fb', eventId: '2030-01-02,1,2', outcome: 'h' };

  it.each([
    ['for', 'against', Infinity, 10],
    ['for', 'against', -Infinity, 0],
    ['against', 'for', -Infinity, 10],
    ['against', 'for', Infinity, 0],
  ] as const)('bets %s and takes what rests %s where it is worth it: %d', (bets, resting, worth, taken) => {
    const market = new RecordingMarket();
    market.rest(at, resting, 30, 10);
    takeUpTo(market, at, bets, worth, 20, 0);
    expect(market.fills.map(({ stakeMicros }) => stakeMicros)).toEqual(taken > 0 ? [taken] : []);
  });
});

describe('the agenda', () => {
  it('runs what is due, by time and then in order, each at its own instant', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 })),
        fc.integer({ min: 0, max: 25 }),
        (times, untilMs) => {
          const agenda = new Agenda();
          const done: [number, number][] = [];
          times.forEach((atMs, i) => agenda.at(atMs, (_market, nowMs) => void done.push([nowMs, i])));
          agenda.run(new RecordingMarket(), untilMs);
          const due = times.map((atMs, i) => [atMs, i] as const).filter(([atMs]) => atMs <= untilMs);
          expect(done).toEqual(due.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
        },
      ),
    );
  });

  it('runs due tasks that a task adds, and returns when the next is due', () => {
    const agenda = new Agenda();
    const done: number[] = [];
    agenda.at(1.2, (_market, nowMs) => {
      done.push(nowMs);
      agenda.at(nowMs + 1, (_again, laterMs) => void done.push(laterMs));
      agenda.at(nowMs + 10, () => undefined);
    });
    expect(agenda.nextMs()).toBe(2);
    agenda.run(new RecordingMarket(), 5);
    expect(done).toEqual([2, 3]);
    expect(agenda.nextMs()).toBe(12);
  });
});

describe('the public view', () => {
  const fair = (value: number): Float64Array => Float64Array.of(value);
  const chances = (view: PublicView): number[] => [...view.known()].map(sigmoid);

  it('learns a share of what it does not know, and agrees with itself as the truth does', () => {
    const view = new PublicView();
    view.reset(Float64Array.of(0, 0));
    view.move(Float64Array.of(1, -1), 0.25);
    const [one = NaN, other = NaN] = chances(view);
    expect(one).toBeCloseTo(0.5 + 0.25 * (sigmoid(1) - 0.5), 12);
    expect(one + other).toBeCloseTo(1, 12);
    expect(view.errorOf(0)).toBeCloseTo(1 - (view.known()[0] ?? NaN), 12);
    view.learn(1);
    expect([...view.known()]).toEqual([expect.closeTo(1, 9), expect.closeTo(-1, 9)]);
  });

  it('knows at once what the clock decides', () => {
    const view = new PublicView();
    view.reset(fair(2));
    view.move(fair(Infinity), 0.01);
    expect([view.known()[0], view.errorOf(0)]).toEqual([Infinity, 0]);
  });

  it('does not change while frozen and catches up with a reset', () => {
    const view = new PublicView();
    view.reset(fair(1));
    view.freeze();
    view.move(fair(5), 1);
    expect([view.known()[0], view.truth()[0]]).toEqual([1, 5]);
    view.reset(fair(6));
    expect([view.known()[0], view.truth()[0]]).toEqual([6, 6]);
  });
});

describe('activity', () => {
  const tempo = [
    [0, 1],
    [10, 0.1],
    [100, 0.001],
  ] as const;

  it.each([
    [0, 1],
    [10, 0.1],
    [100, 0.001],
    [10_000, 0.001],
    [-5, 1],
  ])('%d minutes from the start is %f', (minutes, activity) => {
    expect(activityAt(tempo, minutes)).toBeCloseTo(activity, 12);
  });

  it('falls all the way between', () => {
    const all = Array.from({ length: 200 }, (_, minutes) => activityAt(tempo, minutes));
    expect(all).toEqual(all.toSorted((a, b) => b - a));
  });

  it('has lively and quiet stretches that last', () => {
    const mood = new Mood(seededRandom(3), 0.5);
    const logarithms = Array.from({ length: 4_000 }, () => {
      mood.pass(60_000);
      return Math.log(mood.factor);
    });
    const mean = (of: (each: number, at: number) => number): number =>
      logarithms.reduce((sum, each, at) => sum + of(each, at), 0) / logarithms.length;
    expect(Math.sqrt(mean((each) => each ** 2))).toBeCloseTo(0.5, 1);
    expect(mean((each, at) => each * (logarithms[at + 1] ?? 0)) / mean((each) => each ** 2)).toBeCloseTo(
      Math.exp(-0.1),
      1,
    );
  });
});

describe('chances in tennis', () => {
  const chance = fc.double({ min: 0.05, max: 0.95, noNaN: true });

  it('add up, whoever is called home', () => {
    fc.assert(
      fc.property(chance, fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), (g, home, away) => {
        expect(setChance(g, home, away) + setChance(1 - g, away, home)).toBeCloseTo(1, 12);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [0.5, 0, 0, 0.5],
    [0.5, 6, 6, 0.5],
    [0.9, 5, 6, 0.81],
    [0.5, 5, 5, 0.5],
    [0.3, 6, 4, 1],
    [0.3, 5, 7, 0],
  ])('of a set with %f a game from %i-%i are %f', (g, home, away, expected) => {
    expect(setChance(g, home, away)).toBeCloseTo(expected, 12);
  });

  it('of a match are those of two sets out of three', () => {
    expect(matchChance(0.6, 0.6, 0, 0)).toBeCloseTo(0.6 ** 2 * (1 + 2 * 0.4), 12);
    expect(matchChance(0.6, 0.6, 1, 1)).toBeCloseTo(0.6, 12);
    expect(matchChance(0.6, 0.7, 1, 0)).toBeCloseTo(0.6 + 0.4 * 0.7, 12);
  });
});

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447],
    [-1.96, 0.0249979],
    [3, 0.9986501],
  ])('at %f is %f', (x, expected) => {
    expect(normalCdf(x)).toBeCloseTo(expected, 6);
  });
});
