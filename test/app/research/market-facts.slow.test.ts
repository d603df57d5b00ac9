import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsAgainst } from '../../../src/app/research/market-facts.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/data/betfair');
const present = existsSync(FOLDER);
if (!present) console.info(`market facts left out: ${FOLDER} is absent`);

const EVENINGS = 60;

describe.runIf(present)('the modelled market beside recordings', () => {
  it.each(['1.200806927.jsonl.gz', '1.185781277.bz2', '1.242971311.jsonl.gz'])(
    'has every figure of %s in nine of ten evenings',
    async (file) => {
      const comparisons = await factsAgainst({
        data: [path.join(FOLDER, file)],
        evenings: EVENINGS,
        seed: 1,
      });
      expect(comparisons.length).toBeGreaterThan(5);
      expect(comparisons.filter(({ isInside }) => !isInside)).toEqual([]);
    },
  );
});
