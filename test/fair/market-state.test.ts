import { describe, expect, it } from 'vitest';
import { MarketState } from '../../src/fair/market-state.ts';
import { FAIR } from '../../src/fair/options.ts';
import { closed, inPlay, open, suspended } from '../support/tapes.ts';

/** The state after changes at their instants, with a bet delay. */
function after(changes: readonly (readonly [ms: number, state: number])[], betDelayMs = 0): MarketState {
  const market = new MarketState(0, FAIR.holdMs);
  for (const [ms, state] of changes) market.setState(state, betDelayMs, ms);
  return market;
}

describe('the end of trading before play', () => {
  it.each<[string, [number, number][], number | null]>([
    [
      'the suspension that turns the market in play',
      [
        [900, suspended],
        [1_000, inPlay],
      ],
      900,
    ],
    [
      'the suspension that closes it',
      [
        [900, suspended],
        [1_000, closed],
      ],
      900,
    ],
    ['the turn itself without a suspension', [[1_000, inPlay]], 1_000],
    [
      'the last suspension, not one after which it traded',
      [
        [100, suspended],
        [200, open],
        [900, suspended],
        [1_000, inPlay],
      ],
      900,
    ],
    [
      'the turn, if it traded again after a suspension',
      [
        [100, suspended],
        [200, open],
        [1_000, inPlay],
      ],
      1_000,
    ],
    [
      'not told while it trades',
      [
        [100, suspended],
        [200, open],
      ],
      null,
    ],
    [
      'not moved by what happens in play',
      [
        [900, suspended],
        [1_000, inPlay],
        [2_000, suspended],
        [3_000, inPlay],
        [9_000, closed],
      ],
      900,
    ],
  ])('is %s', (_, changes, beforePlayMs) => {
    expect(after(changes).beforePlayMs).toBe(beforePlayMs);
  });
});

describe('a market that opens', () => {
  it.each([
    [0, FAIR.holdMs],
    [1_000, FAIR.holdMs],
    [8_000, 8_000],
  ])('with a bet delay of %i ms has fair values after %i ms', (betDelayMs, holdMs) => {
    const market = after(
      [
        [0, suspended],
        [1_000, open],
      ],
      betDelayMs,
    );
    expect(market.why(1_000 + holdMs - 1)).toBe('the market is not open for long enough');
    expect(market.why(1_000 + holdMs)).toBeNull();
  });

  it.each([
    [0, FAIR.holdMs],
    [1_000, FAIR.holdMs],
    [8_000, 8_000],
  ])('with a bet delay of %i ms has them again %i ms after a removal', (betDelayMs, holdMs) => {
    const market = after([[0, open]], betDelayMs);
    expect(market.why(100_000)).toBeNull();
    market.disturb(100_000);
    expect(market.why(100_000 + holdMs - 1)).toBe('the market is not open for long enough');
    expect(market.why(100_000 + holdMs)).toBeNull();
  });

  it('has them after the bet delay that comes with the change, not after the one before', () => {
    const market = new MarketState(0, FAIR.holdMs);
    market.setState(suspended, 0, 0);
    market.setState(open + inPlay, 8_000, 1_000);
    expect(market.why(8_999)).toBe('the market is not open for long enough');
    expect(market.why(9_000)).toBeNull();
  });

  it('stays stopped until the last of several gaps has ended', () => {
    const market = new MarketState(0, FAIR.holdMs);
    for (const [isBegin, ms] of [
      [true, 10],
      [true, 20],
      [false, 30],
    ] as const)
      market.passGapEdge(isBegin, ms);
    expect(market.why(60_000)).toBe('the market is not open');
    market.passGapEdge(false, 70_000);
    expect(market.why(70_000 + FAIR.holdMs - 1)).toBe('the market is not open for long enough');
    expect(market.why(70_000 + FAIR.holdMs)).toBeNull();
  });
});
