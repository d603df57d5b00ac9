import { describe, expect, it } from 'vitest';
import { settlementGrid, LOSS, PUSH, WIN } from '../../../src/domain/payoff.ts';
import {
  codedGrid,
  EventExposure,
  type Link,
  type Terms,
} from '../../../src/research/fast/orders/exposure.ts';

const bet = (selection: number, direction: Terms['direction'], price: number, stake: number): Terms => ({
  ...{ selection, direction, price, stakeMicros: stake * 1e6 },
});
const ALONE: Link = { kind: 'alone' };
const winner: Link = { kind: 'winner', market: 0 };

describe('what an event can lose', () => {
  it('counts selections alone: each at its worst', () => {
    const exposure = new EventExposure([ALONE, ALONE]);
    exposure.matched(bet(0, 'for', 3, 10));
    exposure.open(bet(0, 'against', 2, 15), 1);
    exposure.matched(bet(1, 'against', 4, 5));
    // Selection 0 wins 20 - 15 or loses 10; selection 1 loses 15.
    expect(exposure.worstMicros()).toBe(-25e6);
    expect(exposure.grossMicros).toBe(40e6);
    expect(exposure.preview(bet(0, 'against', 2, 10))).toEqual({
      ifOpenMicros: -25e6,
      ifFilledMicros: -20e6,
      selectionMicros: -10e6,
      selectionIfOpenMicros: -10e6,
    });
    exposure.open(bet(0, 'against', 2, 15), -1);
    expect([exposure.worstMicros(), exposure.grossMicros]).toEqual([-25e6, 25e6]);
  });

  it('is reduced only by what helps the matched bets, whichever open orders fill', () => {
    const exposure = new EventExposure([ALONE, ALONE]);
    exposure.open(bet(0, 'for', 2, 60), 1);
    expect(exposure.reduces(bet(0, 'against', 2, 54))).toBe(false);
    exposure.matched(bet(0, 'for', 2, 20));
    expect([39.99, 40].map((stake) => exposure.reduces(bet(0, 'against', 2, stake)))).toEqual([true, false]);
    exposure.open(bet(0, 'for', 2, 60), -1);
    exposure.open(bet(0, 'against', 2, 38), 1);
    expect([2, 2.01].map((stake) => exposure.reduces(bet(0, 'against', 2, stake)))).toEqual([true, false]);
    expect(exposure.reducesSelection(bet(0, 'against', 2, 2))).toBe(true);
    expect(exposure.reducesSelection(bet(1, 'against', 2, 2))).toBe(false);
  });

  it('lets one selection of a winner market win', () => {
    const exposure = new EventExposure([winner, winner, winner]);
    exposure.matched(bet(0, 'for', 3, 10));
    exposure.matched(bet(1, 'for', 3, 10));
    expect(exposure.worstMicros()).toBe(-20e6);
    exposure.matched(bet(2, 'against', 2, 10));
    // The third wins: all three bets lose. Another winner may be a runner without bets.
    expect(exposure.worstMicros()).toBe(-30e6);
  });

  it('values selections of the score grid in the same score', () => {
    const grids = [
      settlementGrid((home, away) => (home > away ? WIN : LOSS)),
      settlementGrid((home, away) => (home > away ? WIN : home === away ? PUSH : LOSS)),
    ];
    const exposure = new EventExposure(grids.map((grid): Link => ({ kind: 'grid', grid: codedGrid(grid) })));
    exposure.matched(bet(0, 'for', 3, 10));
    exposure.matched(bet(1, 'against', 2, 10));
    // Home wins: 20 - 10; draw: -10; away wins: -10 + 10.
    expect(exposure.worstMicros()).toBe(-10e6);
    expect(exposure.preview(bet(1, 'for', 2, 10)).ifOpenMicros).toBe(-10e6);
    expect(exposure.preview(bet(0, 'against', 3, 10)).ifFilledMicros).toBe(-10e6);
    exposure.open(bet(0, 'for', 3, 7), 1);
    expect(exposure.worstMicros()).toBe(-17e6);
  });
});
