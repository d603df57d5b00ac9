import { describe, expect, it } from 'vitest';
import {
  averageSpread,
  type Experiment,
  type Figures,
  simulate,
} from '../../bench/papers/avellaneda-stoikov.ts';
import { compare, PRINTED } from '../../bench/papers/tables.ts';

const PATHS = 1000;

const outside = (
  printed: Figures,
  changes: Partial<Experiment>,
  experiment: Omit<Experiment, 'paths' | 'seed'>,
) =>
  compare(printed, simulate({ ...experiment, paths: PATHS, seed: 1, ...changes }), PATHS)
    .filter(({ share }) => share > 1)
    .map(({ figure }) => figure);

describe('the tables of Avellaneda and Stoikov', () => {
  it.each(PRINTED)('are reproduced for γ = $aversion by the $dealer dealer', ({ printed, ...row }) => {
    expect(outside(printed, {}, row)).toEqual([]);
  });

  it('print the average of the spread over time, not over the instants of quoting', () => {
    expect([0.1, 0.01, 1].map((aversion) => averageSpread(aversion).toFixed(2))).toEqual([
      '1.49',
      '1.35',
      '3.02',
    ]);
    const overInstants = averageSpread(1) + (1 * 2 ** 2 * 0.005) / 2;
    expect(overInstants.toFixed(2)).toBe('3.03');
  });

  it('are not reproduced when fills are exactly Poisson within a step', () => {
    const { printed, ...row } = PRINTED[0] as (typeof PRINTED)[0];
    const fillProbability = (rate: number, step: number): number => 1 - Math.exp(-rate * step);
    expect(outside(printed, { fillProbability }, row)).toContain('profit');
  });

  it('do not fit the other dealer, nor another aversion', () => {
    for (const { printed, ...row } of PRINTED) {
      const dealer = row.dealer === 'inventory' ? 'symmetric' : 'inventory';
      expect(outside(printed, { dealer }, row)).not.toEqual([]);
      expect(outside(printed, { aversion: row.aversion === 1 ? 0.1 : 1 }, row)).not.toEqual([]);
    }
  });

  it('come out the same with the same seed, and not with another', () => {
    const run = (seed: number): Figures => simulate({ aversion: 0.1, dealer: 'inventory', paths: 20, seed });
    expect(run(7)).toEqual(run(7));
    expect(run(8)).not.toEqual(run(7));
  });
});
