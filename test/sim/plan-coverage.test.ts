import { expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.ts';
import { FAULT_KINDS, type FaultKind } from '../../src/simulator/faults/schema.ts';
import { planOf } from './arenas.ts';
import { ENDPOINTS } from './failing-exchange.ts';
import { dayOf } from './long-day.ts';
import { ACTS } from './plan.ts';
import { struckBy } from './reach.ts';

const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1);
const PLANS = SEEDS.map((seed) => planOf(seed, 180));

/** Kinds that no plan draws, and why. */
const NOT_DRAWN: Partial<Record<FaultKind, string>> = {
  foreign_order: 'names an event, which no plan knows beforehand; people place orders as an act',
  tracked_forgotten:
    'the exchange forgets after hours, and a day has minutes; a test of recovery has the hours',
};

it('draws every kind of fault that the simulator has', () => {
  const drawn = new Set(PLANS.flatMap(({ faults }) => faults.map(({ fault }) => fault)));
  expect(FAULT_KINDS.filter((kind) => !drawn.has(kind)).sort()).toEqual(Object.keys(NOT_DRAWN).sort());
});

it.each([
  ['refused upgrades by status', 'refused_upgrade', ['400', '401', '503']],
  ['false answers that were applied, or not', 'server_error', ['false', 'true']],
  ['conflicts with and without a body', 'conflict', ['false', 'true']],
  ['doubled requests by the answer that counts', 'applied_twice', ['first', 'second']],
  ['old sockets that deliver late, or never', 'half_open', ['false', 'true']],
])('draws %s', (_, kind, values) => {
  const names = PLANS.flatMap(({ faults }) => faults.filter(({ fault }) => fault === kind).map(struckBy));
  for (const value of values) expect(names.some((name) => name.includes(value))).toBe(true);
});

it('draws every act', () => {
  const drawn = new Set(PLANS.flatMap(({ acts }) => acts.map((act) => act.do)));
  // Only the arena of two traders draws the last one.
  const atLarge = ACTS.map((draw) => draw(seededRandom(1), 0).do);
  expect(drawn).toEqual(new Set([...atLarge, 'second_trader']));
});

it('draws an outage of each endpoint, alone or with others, for up to three hours of a long day', () => {
  const days = Array.from({ length: 200 }, (_, at) => dayOf(8 * at + 3, 4 * 3_600));
  const outages = days.map((day) => day.faults.filter(({ for_s: forS = 0 }) => forS >= 600));
  expect(new Set(outages.map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
  const longestS = Math.max(...outages.flat().map(({ for_s: forS = 0 }) => forS));
  expect(longestS).toBeGreaterThan(1.5 * 3_600);
  expect(longestS).toBeLessThanOrEqual(3 * 3_600);
  expect(new Set(outages.flat().map(({ target }) => target))).toEqual(new Set(ENDPOINTS));
});
