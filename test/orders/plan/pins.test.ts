import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bySelection,
  keepsBetslip,
  marketsToPin,
  NO_PINS,
  opensPinned,
  passingPlaces,
  pinsAt,
  type WantedMarket,
} from '../../../src/orders/plan/pins.ts';

const market = (key: string, value: number, held = false, selection = key): WantedMarket => ({
  key,
  selection,
  value,
  held,
});

const pinned = (wanted: readonly WantedMarket[], cap: number, passing = 0): string[] => [
  ...marketsToPin(wanted, cap, passing),
];

describe('the places for rotating markets', () => {
  it.each([
    [1, 1],
    [2, 2],
    [13, 2],
    [14, 3],
    [20, 3],
    [100, 15],
  ])('are of a cap of %i: %i', (cap, places) => {
    expect(passingPlaces(cap)).toBe(places);
  });
});

describe('the pinned markets', () => {
  it('are all, also without a place to spare, as long as they fit', () => {
    const three = [market('a', 0), market('b', 0), market('c', 0)];
    expect(pinned(three, 3, 2)).toEqual(['a', 'b', 'c']);
    expect(pinned(three, 2, 1)).toEqual(['a']);
    expect(pinned(three, 1, 2)).toEqual([]);
  });

  it('change for a market that is worth more than a quarter more than one with a betslip', () => {
    expect(pinned([market('held', 100, true), market('new', 124)], 1)).toEqual(['held']);
    expect(pinned([market('held', 100, true), market('new', 126)], 1)).toEqual(['new']);
    // At exactly a quarter more, the betslip that is there decides.
    expect(pinned([market('new', 125), market('z held', 100, true)], 1)).toEqual(['z held']);
  });

  it('of equal worth go by selection and then by market, in whichever order they are given', () => {
    const equal = [market('b', 1, false, 'x'), market('a', 1, false, 'y'), market('c', 1, false, 'x')];
    fc.assert(
      fc.property(fc.shuffledSubarray(equal, { minLength: 3 }), (wanted) => {
        expect(pinned(wanted, 2)).toEqual(['b', 'c']);
        expect(wanted.toSorted(bySelection).map(({ key }) => key)).toEqual(['b', 'c', 'a']);
      }),
    );
    expect(bySelection(market('a', 1), market('a', 9))).toBe(0);
  });
});

describe('the choice of pinned markets', () => {
  const wanted = ['a', 'b', 'c', 'd'].map((key, at) => market(key, 10 - at));
  const cap = { value: 3, isRising: false };

  it('holds for a second, and is then made again from the markets that are wanted by then', () => {
    const first = pinsAt(NO_PINS, () => wanted, cap, 500);
    expect(first).toEqual({ pinned: new Set(['a']), rotating: new Set(['b', 'c', 'd']), nextMs: 1_500 });
    const later = (): readonly WantedMarket[] => wanted.slice(1);
    expect(pinsAt(first, later, cap, 1_499)).toBe(first);
    expect(pinsAt(first, later, cap, 1_500)).toEqual({
      pinned: new Set(['b', 'c', 'd']),
      rotating: new Set(),
      nextMs: 2_500,
    });
  });

  it('leaves no place to rotating markets while the cap rises: only a full account shows whether one more fits', () => {
    const { pinned: chosen } = pinsAt(NO_PINS, () => wanted, { value: 3, isRising: true }, 0);
    expect([...chosen]).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['pinned', 'a', true, true],
    ['rotating', 'b', false, false],
    ['not chosen yet', 'new', true, false],
  ])('lets a market that is %s keep its betslip, or open one as pinned', (_, key, keeps, opens) => {
    const pins = { pinned: new Set(['a']), rotating: new Set(['b']), nextMs: 0 };
    expect([keepsBetslip(pins, key), opensPinned(pins, key)]).toEqual([keeps, opens]);
  });

  it('serves every market as pinned while none rotates', () => {
    expect(opensPinned({ pinned: new Set(['a']), rotating: new Set(), nextMs: 0 }, 'new')).toBe(true);
  });
});
