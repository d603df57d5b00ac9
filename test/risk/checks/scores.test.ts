import { describe, expect, it } from 'vitest';
import { ask, bench, codesOf, FACTS, FIXTURE, live } from '../support/harness.ts';

const LIMITS = { inPlay: { allowed: true, scoreMaxAgeS: 90 } };
const playing = { ...FACTS, inRunning: true };

describe('in play', () => {
  it.each([
    ['a score that was confirmed just now', { score: [0, 0], scoreAgeMs: 0 }, []],
    ['a score of the greatest age', { score: [0, 0], scoreAgeMs: 90_000 }, []],
    ['an older score', { score: [0, 0], scoreAgeMs: 90_001 }, ['score_stale']],
    ['no score', { score: null, scoreAgeMs: null }, ['score_unknown']],
  ] as const)('an order on football needs a confirmed score: %s', (_, of, codes) => {
    const world = bench(LIMITS);
    world.facts = { ...playing, ...of };
    expect(codesOf(world.risk, ask())).toEqual(codes);
  });

  it('an order on another sport needs none', () => {
    const world = bench(LIMITS);
    world.facts = { ...playing, score: null, scoreAgeMs: null };
    expect(codesOf(world.risk, ask({ sport: 'tennis' as never }))).toEqual([]);
  });

  it('orders that rest are pulled while the score is too old, and for the cool-down', () => {
    const world = bench(LIMITS);
    world.facts = { ...playing, score: [0, 0], scoreAgeMs: 0 };
    const order = ask();
    expect(codesOf(world.risk, order)).toEqual([]);
    world.risk.onOrder(live(order));
    world.risk.tick();
    expect(world.risk.guards.active()).toEqual([]);
    world.facts = { ...playing, score: [0, 0], scoreAgeMs: 91_000 };
    world.risk.tick();
    expect(world.risk.guards.active()).toMatchObject([
      { guard: 'score_age', effect: 'pull', actual: 91, limit: 90, scope: { kind: 'event', ...FIXTURE } },
    ]);
  });

  it.each<[scoreAgeMs: number | null, changes: object, actual: unknown]>([
    [90_000, {}, null],
    [90_001, {}, 90.001],
    // Nobody knows whether a goal fell.
    [null, {}, 'unknown'],
    [null, { inRunning: false }, null],
    [91_000, { inRunning: false }, null],
  ])('orders that rest at a score of age %s, with %j, are pulled at: %s', (scoreAgeMs, changes, actual) => {
    const world = bench(LIMITS);
    world.facts = { ...playing, score: [0, 0], scoreAgeMs: 0 };
    const order = ask();
    expect(codesOf(world.risk, order)).toEqual([]);
    world.risk.onOrder(live(order));
    world.facts = { ...playing, score: scoreAgeMs === null ? null : [0, 0], scoreAgeMs, ...changes };
    world.risk.tick();
    const pulled = world.risk.guards.active().map((each) => [each.guard, each.actual]);
    expect(pulled).toEqual(actual === null ? [] : [['score_age', actual]]);
  });

  it('nothing is pulled before the start', () => {
    const world = bench(LIMITS);
    const order = ask();
    world.risk.approve(order);
    world.risk.onOrder(live(order));
    world.risk.tick();
    expect(world.risk.guards.active()).toEqual([]);
  });
});
