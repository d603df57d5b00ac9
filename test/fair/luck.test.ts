import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.ts';
import { deviationOf, type LuckyFill } from '../../src/fair/luck.ts';
import type { Group } from '../../src/fair/groups.ts';

const logit = (p: number): number => Math.log(p / (1 - p));
const PAIR: Group = { market: 0, selections: [0, 1], winners: 1 };
const fill = (selection: number, contracts: number, fair: number, atMs = 0, unpushed = 1): LuckyFill => ({
  selection,
  atMs,
  contracts,
  fair,
  unpushed,
});
/** `fairs` are the fair values of the selections when the last fill happened. */
const deviation = (
  fills: readonly LuckyFill[],
  groups: readonly Group[],
  fairs: readonly number[] = [],
): number =>
  deviationOf(
    { groups, lastAt: (selection) => (fairs[selection] === undefined ? null : logit(fairs[selection])) },
    fills,
  );

describe('the deviation of profit from fair values', () => {
  it('is the contracts of one bet times the deviation of its outcome', () => {
    expect(deviation([fill(0, 20, 0.5)], [PAIR])).toBeCloseTo(10, 12);
    expect(deviation([fill(0, -20, 0.2)], [PAIR])).toBeCloseTo(8, 12);
  });

  it('is none for what is bought and sold', () => {
    expect(deviation([fill(0, 20, 0.5), fill(0, -20, 0.5)], [PAIR])).toBeCloseTo(0, 12);
  });

  it('is none for the same on both sides of a pair', () => {
    expect(deviation([fill(0, 20, 0.5), fill(1, 20, 0.5)], [PAIR], [0.5, 0.5])).toBeCloseTo(0, 6);
  });

  it('counts a later fill by the later value', () => {
    // 10 contracts from .5 to .8, then 10 more: 100 · .25 is uncertain at first, and at .8 (100 + 200) · .16 is added.
    expect(deviation([fill(0, 10, 0.5), fill(0, 10, 0.8, 1)], [PAIR])).toBeCloseTo(Math.sqrt(25 + 48), 12);
  });

  it('is less where stakes may be returned', () => {
    expect(deviation([fill(0, 20, 0.5, 0, 0.25)], [PAIR])).toBeCloseTo(5, 12);
  });

  it('adds positions that may go together', () => {
    const handicaps: Group[] = [
      { market: 0, selections: [0], winners: null },
      { market: 0, selections: [1], winners: null },
    ];
    expect(deviation([fill(0, 20, 0.5), fill(1, 20, 0.5)], handicaps)).toBeCloseTo(20, 12);
    const places: Group[] = [{ market: 0, selections: [0, 1], winners: 2 }];
    expect(deviation([fill(0, 20, 0.5), fill(1, 20, 0.5)], places)).toBeCloseTo(20, 12);
  });

  it('is that of drawn outcomes of three runners', () => {
    const fairs = [0.5, 0.3, 0.2];
    const fills = [fill(0, 10, 0.5), fill(1, -5, 0.3), fill(2, 8, 0.2), fill(0, -4, 0.5)];
    const set: Group = { market: 0, selections: [0, 1, 2], winners: 1 };
    const random = seededRandom(1, 'luck');
    const draws = 40_000;
    let squares = 0;
    for (let draw = 0; draw < draws; draw++) {
      const at = random.next();
      const winner = at < 0.5 ? 0 : at < 0.8 ? 1 : 2;
      const surprise = fills.reduce(
        (sum, { selection, contracts, fair }) => sum + contracts * (Number(selection === winner) - fair),
        0,
      );
      squares += surprise ** 2;
    }
    expect(deviation(fills, [set], fairs)).toBeCloseTo(Math.sqrt(squares / draws), 1);
  });
});
