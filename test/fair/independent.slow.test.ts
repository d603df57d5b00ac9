/** Fair values, marks, closing lines, attribution and settlement against a reading of the docs alone, over recorded and modelled events. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tapesOfFiles } from '../../src/app/research/tapes.ts';
import { patient } from '../support/patience.ts';
import { compareEvent, modelledEvent, nothingCompared } from './independent.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/data/betfair');
const MODELLED = 8;

describe('what judges fills', () => {
  it.runIf(existsSync(FOLDER)).each([
    ['1.200806927.jsonl.gz', 1_500, 15_000],
    ['1.185781277.bz2', 400, 4_000],
    ['1.242971311.jsonl.gz', 20, 10_000],
  ])(
    'is what the docs say, on every event of %s',
    async (file, fills, leastKnown) => {
      const compared = nothingCompared();
      const { tapes } = await tapesOfFiles([path.join(FOLDER, file)]);
      for (const tape of tapes) compareEvent(tape, fills, 1, compared);
      expect(compared.differences).toEqual([]);
      expect(compared.known).toBeGreaterThan(leastKnown);
    },
    patient(120_000),
  );

  it(
    'is what the docs say, on modelled events',
    () => {
      const compared = nothingCompared();
      for (let number = 0; number < MODELLED; number++)
        for (const tape of modelledEvent(number, 1)) compareEvent(tape, 150, 1, compared);
      expect(compared.differences).toEqual([]);
      expect(compared.fills).toBe(MODELLED * 150);
      expect(compared.known).toBeGreaterThan(8_000);
    },
    patient(300_000),
  );
});
