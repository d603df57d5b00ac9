import { describe, expect, it } from 'vitest';
import { launch } from '../support/process.ts';
import { planOf } from './arenas.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate` plays as many as wanted; these show that the command still finds its way. */
const SEEDS = [101];
const ACTIVE_S = 60;
const LONGEST_MS = 60_000;

describe('simulated days under faults', () => {
  it.each(SEEDS)(
    'keep every invariant and come to rest: seed %i',
    async (seed) => {
      const { violations, orders } = await simulate(planOf(seed, ACTIVE_S));
      expect(violations).toEqual([]);
      expect(orders).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );

  it(
    'are the same in two processes',
    async () => {
      const day = (): Promise<string> =>
        launch(process.execPath, ['scripts/simulate.ts', '--seed', '105', '--minutes', '1']).exit.then(
          ({ stdout }) => stdout.trim().split('\n').at(-1) ?? '',
        );
      const [one, other] = [await day(), await day()];
      expect(one).toMatch(/^seed 105 .* [0-9a-f]{12} {2}ok$/);
      expect(other).toBe(one);
    },
    LONGEST_MS,
  );
});
