import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Agenda } from '../../../../src/simulator/feeds/model/agenda.ts';
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

  it('shows the truth as it was a while ago', () => {
    const view = new PublicView(100);
    view.reset(0, fair(1));
    view.push(50, fair(2));
    view.push(120, fair(3));
    expect([0, 149, 150, 219, 220].map((ms) => view.at(ms)[0])).toEqual([1, 1, 2, 2, 3]);
    expect(view.truth()[0]).toBe(3);
  });

  it('does not change while frozen and catches up with a reset', () => {
    const view = new PublicView(100);
    view.reset(0, fair(1));
    view.freeze(10);
    view.push(10, fair(5));
    expect([view.at(500)[0], view.truth()[0]]).toEqual([1, 5]);
    view.reset(600, fair(6));
    expect([view.at(600)[0], view.truth()[0]]).toEqual([6, 6]);
  });

  it('measures the farthest move of selections that are open', () => {
    const view = new PublicView(0);
    view.reset(0, Float64Array.of(0.1, 2, 5, Infinity));
    expect(view.movedSince(Float64Array.of(0, 2.5, 9, -Infinity), 0)).toBeCloseTo(0.5, 12);
    expect(view.movedSince(new Float64Array(), 0)).toBe(0);
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
