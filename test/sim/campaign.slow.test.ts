import { describe, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { launch } from '../support/process.ts';
import { planOf } from './arenas.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate` plays as many as wanted; these show that the command still finds its way. */
const SEEDS = [101];
const ACTIVE_S = 60;
const LONGEST_MS = 60_000;

/** The day of a seed in a process of its own: the hashes of its wire and its journal, and whether all is well. */
async function dayElsewhere(seed: number): Promise<string> {
  const options = ['--seed', `${seed}`, '--minutes', `${ACTIVE_S / 60}`];
  const { stdout } = await launch(process.execPath, ['scripts/simulate.ts', ...options]).exit;
  return stdout.trim().split('\n').at(-1) ?? '';
}

const short = (hash: string): string => hash.slice(0, 12);

describe('simulated days under faults', () => {
  it.each(SEEDS)(
    'keep every invariant and come to rest, and are the same in two processes: seed %i',
    async (seed) => {
      const { violations, orders, hashes } = await simulate(planOf(seed, ACTIVE_S));
      expect(violations).toEqual([]);
      expect(orders).toBeGreaterThan(0);
      const elsewhere = await dayElsewhere(seed);
      expect(elsewhere).toContain(`wire ${short(hashes.wire)}  journal ${short(hashes.journal)}  ok`);
    },
    patient(LONGEST_MS),
  );
});
