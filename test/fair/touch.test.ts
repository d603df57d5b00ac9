import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf, tickOf } from '../../src/domain/ladder.ts';
import { toMicros } from '../../src/domain/money.ts';
import { type Direction, DIRECTIONS } from '../../src/domain/selection.ts';
import { clearSide, emptySide, setLevel, type Side, touchOf } from '../../src/fair/touch.ts';

/** A side with levels of price and stake. */
function sideOf(resting: Direction, levels: readonly (readonly [price: number, stake: number])[]): Side {
  const side = emptySide(resting);
  for (const [price, stake] of levels) setLevel(side, tickOf(price) ?? -1, toMicros(stake));
  return side;
}

describe('the touch', () => {
  // At 2 a stake of 1 is a risk of 1; at 5 of 2; at 1.25 of 0.5.
  it.each<[string, Direction, [number, number][], number, boolean]>([
    ['the best level if it suffices', 'against', [[2, 20]], 2, true],
    [
      'the level at which 20 are reached',
      'against',
      [
        [2, 12],
        [1.98, 9],
      ],
      1.98,
      true,
    ],
    [
      'worse prices upwards for takers against',
      'for',
      [
        [2, 19],
        [5, 0.5],
      ],
      5,
      true,
    ],
    ['less stake where a stake is more risk', 'for', [[5, 10]], 5, true],
    ['more stake where a stake is less risk', 'against', [[1.25, 39]], 1.25, false],
    [
      'the end of a thin side',
      'against',
      [
        [2, 5],
        [1.9, 5],
      ],
      1.9,
      false,
    ],
  ])('is %s', (_, resting, levels, price, isDeep) => {
    const touch = touchOf(sideOf(resting, levels));
    expect(touch?.isDeep).toBe(isDeep);
    expect(touch?.logOdds).toBeCloseTo(-Math.log(price - 1), 12);
  });

  it('is none for an empty side', () => {
    expect(touchOf(emptySide('for'))).toBeNull();
    const side = sideOf('for', [[2, 30]]);
    clearSide(side);
    expect(touchOf(side)).toBeNull();
  });

  it('equals a walk over all levels after any changes', () => {
    const change = fc.tuple(fc.integer({ min: 0, max: 349 }), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...DIRECTIONS),
        fc.array(change, { maxLength: 60, size: 'max' }),
        (resting, changes) => {
          const side = emptySide(resting);
          for (const [tick, stake] of changes) setLevel(side, tick, toMicros(stake));
          const held = [...new Map(changes)].filter(([, stake]) => stake > 0);
          held.sort(([a], [b]) => (resting === 'for' ? a - b : b - a));
          let risk = 0;
          const reaching = held.find(
            ([tick, stake]) => (risk += stake * Math.sqrt(priceOf(tick) - 1)) >= 20 - 1e-9,
          );
          const [worst] = reaching ?? held.at(-1) ?? [];
          const touch = touchOf(side);
          expect(touch?.isDeep ?? false).toBe(reaching !== undefined);
          if (worst === undefined) expect(touch).toBeNull();
          else expect(touch?.logOdds).toBeCloseTo(-Math.log(priceOf(worst) - 1), 9);
        },
      ),
    );
  });

  it('does not see levels behind it', () => {
    const near = sideOf('against', [[2, 30]]);
    const far = sideOf('against', [
      [2, 30],
      [1.5, 1_000],
    ]);
    expect(touchOf(far)).toEqual(touchOf(near));
  });
});
