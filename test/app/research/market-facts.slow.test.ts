import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsAgainst } from '../../../src/app/research/market-facts.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/data/betfair');
const present = existsSync(FOLDER);
if (!present) console.info(`market facts left out: ${FOLDER} is absent`);

/** Recordings, with the modelled evenings that each needs. Cancels of the race lie close to their upper edge. */
const EVENINGS = [
  ['1.200806927.jsonl.gz', 60],
  ['1.185781277.bz2', 200],
  ['1.242971311.jsonl.gz', 60],
] as const;

describe.runIf(present)('the modelled market beside recordings', () => {
  it.each(EVENINGS)(
    'has every figure of %s within the middle nine tenths of %i evenings',
    async (file, evenings) => {
      const data = [path.join(FOLDER, file)];
      const comparisons = await factsAgainst({ data, evenings, seed: 1 });
      const outside = comparisons
        .filter(({ isInside }) => !isInside)
        .map(({ sport, phase, figure }) => `${sport}, ${phase}: ${figure}`);
      expect(comparisons.length).toBeGreaterThan(5);
      expect(outside).toEqual([]);
    },
  );
});
