/** The maker kit in `guarded-ladder`. */
import { describe, expect, it } from 'vitest';
import type { SelectionView } from '../../src/domain/event-view.ts';
import { priceOf } from '../../src/domain/ladder.ts';
import { logit } from '../../src/domain/odds.ts';
import {
  betDelays,
  halfOf,
  newOrderHalf,
  restingHalf,
  topOfBook,
  volatilityOfMids,
  weightedMid,
} from '../../src/strategy/sdk.ts';
import guardedLadder from '../../strategies/guarded-ladder.ts';
import { parseParameters } from '../../src/strategy/loader.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { at, eventView, selectionView } from './support.ts';

const NOW = 1_700_000_600_000;
/** Ten minutes in which the mid steps up and down every half minute. */
const mids = Array.from({ length: 21 }, (_, i) => [
  NOW - 600_000 + 30_000 * i,
  i % 2 === 0 ? 0.43 : 0.436,
]).flat();

const market = (changes: Partial<SelectionView> = {}): SelectionView =>
  selectionView([[2.3, 100]], [[2.36, 100]], { mids, betDelayMs: 5_000, ...changes });

function quoted(parameters: object, selection: SelectionView) {
  const plugin = guardedLadder;
  const host = hostedBy(plugin, parseParameters(plugin, { levels: 1, placement: 'model', ...parameters }));
  const { intents, problems } = host.quote(eventView([selection], { nowMs: NOW }));
  expect(problems).toEqual([]);
  const fair = logit(weightedMid(topOfBook(selection.market) ?? (undefined as never)));
  return intents.map(({ direction, tick }) => ({
    direction,
    tick,
    half: halfOf(direction, priceOf(tick), fair),
  }));
}

const volatility = volatilityOfMids(mids, NOW) ?? (undefined as never);
const TIMES = { viewAgeMs: 0, requestMs: 100, turnMs: 0, closeMs: 100 };
const halves = (selection: SelectionView, caution: object) => ({
  fresh: newOrderHalf(volatility, TIMES, betDelays(selection, 0), caution),
  resting: restingHalf(volatility, TIMES, betDelays(selection, 0), caution),
});

describe('guarded-ladder with minimum widths', () => {
  it('quotes both sides at least as wide as a new order must be, and a tick or two wider at most', () => {
    for (const caution of [
      { k1: 2, k2: 1 },
      { k1: 4, k2: 0 },
      { k1: 0, k2: 2 },
    ]) {
      const { fresh } = halves(market(), caution);
      expect(fresh).toBeGreaterThan(0.03);
      const found = quoted(caution, market());
      expect(found.map(({ direction }) => direction).sort()).toEqual(['against', 'for']);
      for (const { half } of found) {
        expect(half).toBeGreaterThanOrEqual(fresh - 1e-9);
        expect(half).toBeLessThan(fresh + 0.05);
      }
    }
  });

  it('quotes nothing while the volatility is not known', () => {
    expect(quoted({ k1: 2 }, market({ mids: mids.slice(-4) }))).toEqual([]);
    expect(quoted({}, market({ mids: [] }))).toHaveLength(2);
  });

  it('leaves an order where it rests, though a new one would be wider, and pulls one that is too near', () => {
    const caution = { k1: 12, k2: 0.3 };
    const resting = (price: number, phase: 'resting' | 'delayed' = 'resting') =>
      market({
        quotes: [{ direction: 'for', tick: at(price), unfilledMicros: 5e6, phase, aheadMicros: null }],
      });
    const { fresh, resting: least } = halves(market(), caution);
    const forHalf = (selection: SelectionView) =>
      quoted(caution, selection).find(({ direction }) => direction === 'for')?.half ?? NaN;
    const kept = halfOf('for', 2.5, logit(weightedMid(topOfBook(market().market) ?? (undefined as never))));
    expect(kept).toBeGreaterThan(least);
    expect(kept).toBeLessThan(fresh);
    expect(forHalf(resting(2.5))).toBeCloseTo(kept, 9);
    expect(forHalf(resting(2.5, 'delayed'))).toBeGreaterThanOrEqual(fresh - 1e-9);
    expect(forHalf(resting(2.34))).toBeGreaterThanOrEqual(fresh - 1e-9);
  });
});

describe('guarded-ladder with a wait after fills', () => {
  const filled = (ageMs: number, price = 2.4) =>
    market({ recentFills: [{ direction: 'for', price, stakeMicros: 5e6, ageMs }], mid: 0.43 });
  const sides = (selection: SelectionView, parameters = {}) =>
    quoted({ afterFillS: 30, afterFillMove: 0.05, ...parameters }, selection).map(
      ({ direction }) => direction,
    );

  it('leaves the side out until it is over, and at the filled price beyond', () => {
    expect(sides(filled(10_000))).toEqual(['against']);
    expect(sides(filled(40_000, 2.9))).toEqual(['against']);
    expect(sides(filled(40_000, 2.3)).toSorted()).toEqual(['against', 'for']);
    expect(sides(filled(10_000), { afterFillS: 0 }).toSorted()).toEqual(['against', 'for']);
  });
});

describe('guarded-ladder with gates', () => {
  it.each([
    [{ minDepth: 100 }, 2],
    [{ minDepth: 120 }, 0],
    [{ minAgeS: 600 }, 0],
    [{ maxWidth: 0.01 }, 0],
  ])('with %o quotes %d orders', (gates, orders) => {
    expect(quoted(gates, market())).toHaveLength(orders);
  });
});
