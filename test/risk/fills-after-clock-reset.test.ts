import { expect, it } from 'vitest';
import { ask, bench, fillOf } from './support/harness.ts';
import { betsOf } from '../support/account.ts';

it('does not count fills from before the clock was set back as fills of now', () => {
  const world = bench({ throttle: { repeatedFills: 3 } });
  const atMs = world.wallMs + 600_000;
  for (let time = 0; time < 10; time++) betsOf(world.risk).report(fillOf(ask(), 1, { atMs }));
  expect(world.risk.snapshot().states).toEqual([]);
});
