import { expect, it } from 'vitest';
import { ask, bench, codesOf, live } from '../support/harness.ts';

it('refuses by drift while the consensus moves, and not once it rests', () => {
  const world = bench({ collar: { driftProbability: 0.1, driftWindowS: 10 } });
  expect(codesOf(world.risk, ask())).toEqual([]);
  world.nowMs += 2_000;
  world.reference = { forBest: null, againstBest: null, fair: 0.62, ageMs: 0 };
  expect(codesOf(world.risk, ask({ price: 1.7 }))).toEqual(['collar_drift']);
  world.nowMs += 10_000;
  expect(codesOf(world.risk, ask({ price: 1.7 }))).toEqual([]);
});

it('rejects an approval at the send when the market has left its price while it waited for its budget', () => {
  const world = bench();
  const order = ask();
  const result = world.risk.approve(order);
  world.risk.onOrder(live(order, { state: 'prepared' }));
  world.nowMs += 60_000;
  world.reference = { forBest: null, againstBest: null, fair: 0.4, ageMs: 0 };
  expect(result.ok && world.risk.recheck(result.order)).toMatchObject([{ code: 'collar_adverse' }]);
});
