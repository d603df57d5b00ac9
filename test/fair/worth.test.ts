import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { riskMicros, signedContracts, unpushedShare, worthMicros } from '../../src/fair/worth.ts';

const TEN = { price: 2.5, stakeMicros: 10_000_000 };

describe('the worth of a bet', () => {
  it.each([
    ['for', 0.5, 1, 2_500_000],
    ['against', 0.5, 1, -2_500_000],
    ['for', 0.4, 1, 0],
    ['for', 0.5, 0.75, 1_875_000],
  ] as const)('%s at %d, with %d of the stake at risk', (direction, q, unpushed, expected) => {
    expect(worthMicros({ direction, ...TEN }, q, unpushed)).toBe(expected);
  });

  it('is the mirror of the other side', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1.01, max: 1000, noNaN: true }),
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (price, stakeMicros, q) => {
          const [own, other] = DIRECTIONS.map((direction) =>
            worthMicros({ direction, price, stakeMicros }, q),
          );
          expect((own ?? NaN) + (other ?? NaN)).toBe(0);
        },
      ),
    );
  });

  it('has contracts and a risk that both sides share', () => {
    expect([
      signedContracts({ direction: 'for', ...TEN }),
      signedContracts({ direction: 'against', ...TEN }),
    ]).toEqual([25e6, -25e6]);
    expect(riskMicros(10_000_000, 5)).toBe(20_000_000);
    // The other side of 10 at 5 stakes 40 at 1.25.
    expect(riskMicros(40_000_000, 1.25)).toBe(20_000_000);
  });
});

describe('the share of a stake that is not returned', () => {
  it.each<[string, number | null, number | null]>([
    ['h', null, 1],
    ['over,2.5', null, 1],
    ['dnb,h', 0.25, 0.75],
    ['dnb,h', null, null],
    ['ah,h,0', 0.25, 0.75],
    ['ah,a,-1', 0.25, 0.875],
    ['ah,h,1', 0.25, 0.875],
    ['ah,h,-2', null, 1],
    ['ah,h,6', 0.25, 1],
    ['ah,h,4', 0.25, null],
    ['ah,h,3', 0.25, null],
    ['ahover,10', null, 1],
    ['ahover,8', 0.25, null],
  ])('of %s with a draw of %s is %s', (outcome, draw, expected) => {
    expect(unpushedShare(outcome, draw)).toBe(expected);
  });
});
