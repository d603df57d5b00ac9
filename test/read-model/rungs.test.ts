import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, LAST_TICK, tickOf } from '../../src/domain/ladder.ts';
import type { Level, LiveHandQuote, LiveQuote } from '../../src/read-model/live/message.ts';
import { middleOf, nearestTick, rowsDown, rungsOf, spanAfter } from '../../src/read-model/live/rungs.ts';

const quote = (direction: 'for' | 'against', price: number): LiveQuote => ({
  id: `${direction} ${price}`,
  direction,
  price,
  stake: 5,
  unfilled: 5,
  ahead: 0,
  sinceMs: 0,
  isConfirmed: true,
});

const market = (
  best: readonly Level[] | null,
  worst: readonly Level[] | null,
  fair: number | null = null,
) => ({
  market: { for: best, against: worst },
  quotes: [] as readonly LiveQuote[],
  byHand: [] as readonly LiveHandQuote[],
  fair,
});

/** As high as a ladder of the tokens. */
const LEAST_ROWS = 17;

const prices = fc.double({ min: 1.011, max: 999, noNaN: true });

describe('the tick nearest to a price', () => {
  it.each([
    [2, 2],
    [175 / 75, 2.34],
    [2.329, 2.32],
    [2.331, 2.34],
    [1.001, 1.01],
    [5_000, 1_000],
  ])('%s is at %s', (price, tick) => {
    expect(LADDER[nearestTick(price)]).toBe(tick);
  });

  it('is never further than the next one', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const tick = nearestTick(price);
        const away = (at: number): number => Math.abs((LADDER[at] ?? Infinity) - price);
        expect(away(tick)).toBeLessThanOrEqual(Math.min(away(tick - 1), away(tick + 1)));
      }),
    );
  });
});

describe('the ticks of a ladder', () => {
  it('are every one between the best prices and six around, and enough for the least height', () => {
    fc.assert(
      fc.property(prices, prices, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const span = spanAfter(null, market([[low, 1]], [[high, 1]]), false, LEAST_ROWS);
        expect(span).not.toBeNull();
        if (span === null) return;
        expect(span.low).toBeLessThanOrEqual(Math.max(0, nearestTick(low) - 6));
        expect(span.high).toBeGreaterThanOrEqual(Math.min(LAST_TICK, nearestTick(high) + 6));
        expect(span.low).toBeGreaterThanOrEqual(0);
        expect(span.high).toBeLessThanOrEqual(LAST_TICK);
        expect(span.high - span.low + 1).toBeGreaterThanOrEqual(LEAST_ROWS);
      }),
    );
  });

  it('are around our quotes, or else the fair price, where the market has none; none without any', () => {
    expect(spanAfter(null, { ...market(null, null), quotes: [quote('for', 2)] }, false, LEAST_ROWS)).toEqual({
      low: 91,
      high: 107,
    });
    expect(spanAfter(null, market(null, null, 0.5), false, LEAST_ROWS)).toEqual({ low: 91, high: 107 });
    expect(spanAfter(null, market(null, null), false, LEAST_ROWS)).toBeNull();
  });

  it('stay until a best price leaves the view, and while they are held even then', () => {
    const span = { low: 91, high: 107 };
    expect(spanAfter(span, market([[1.98, 1]], [[2.1, 1]]), false, LEAST_ROWS)).toBe(span);
    const gone = market([[2.5, 1]], [[2.6, 1]]);
    expect(spanAfter(span, gone, true, LEAST_ROWS)).toBe(span);
    expect(spanAfter(span, gone, false, LEAST_ROWS)?.low).toBeGreaterThan(107);
    expect(spanAfter(span, market(null, null), false, LEAST_ROWS)).toBe(span);
  });
});

describe('the rows of a ladder', () => {
  const span = { low: tickOf(2.26) ?? 0, high: tickOf(2.4) ?? 0 };

  it('have the quotes of persons that wait for an order', () => {
    const wish = { direction: 'for', stake: 7, filled: 0, by: 'anna', why: 'x', untilMs: null } as const;
    const given = {
      ...market([[2.32, 30]], [[2.34, 40]]),
      quotes: [{ ...quote('for', 2.36), byHand: 'placed' }],
      byHand: [
        { ...wish, id: 'placed', price: 2.36 },
        { ...wish, id: 'waits', price: 2.38 },
      ],
    };
    const waiting = rungsOf(given, span).flatMap((rung) => rung.waiting.map(({ id }) => [rung.price, id]));
    expect(waiting).toEqual([[2.38, 'waits']]);
  });

  it('are one for each tick, the highest first, with what stands nearest to it', () => {
    const given = {
      ...market(
        [[2.32, 30]],
        [
          [175 / 75, 7],
          [2.34, 40],
        ],
      ),
      quotes: [quote('against', 175 / 75), quote('for', 2.36)],
    };
    const rungs = rungsOf(given, span);
    expect(rungs.map(({ price }) => price)).toEqual([2.4, 2.38, 2.36, 2.34, 2.32, 2.3, 2.28, 2.26]);
    const full = rungs.filter((rung) => [rung.toBack, rung.toLay, rung.for, rung.against].flat().length > 0);
    expect(
      full.map((rung) => [
        rung.price,
        rung.toBack.length,
        rung.toLay.length,
        rung.against.length,
        rung.for.length,
      ]),
    ).toEqual([
      [2.36, 0, 0, 0, 1],
      [2.34, 0, 2, 1, 0],
      [2.32, 1, 0, 0, 0],
    ]);
  });

  it('lose no order and no stake that is in view', () => {
    const level = fc.tuple(fc.double({ min: 2.26, max: 2.4, noNaN: true }), fc.integer({ min: 1, max: 99 }));
    fc.assert(
      fc.property(fc.array(level, { maxLength: 20, size: 'max' }), (levels) => {
        const given = { ...market(levels, levels), quotes: levels.map(([price]) => quote('for', price)) };
        const rungs = rungsOf(given, span);
        expect(rungs.flatMap(({ toBack }) => toBack)).toHaveLength(levels.length);
        expect(rungs.flatMap(({ toLay }) => toLay)).toHaveLength(levels.length);
        expect(rungs.flatMap((rung) => rung.for)).toHaveLength(levels.length);
      }),
    );
  });

  it.each([
    ['the middle of its row', 2.38, 1.5],
    ['the line between two rows', 2.39, 1],
    ['the first row', 2.4, 0.5],
    ['nowhere above', 2.5, null],
    ['nowhere below', 2.2, null],
  ])('have a line in %s', (_where, price, down) => {
    const at = rowsDown(price, span);
    expect(at === null ? null : Math.round(1_000 * at) / 1_000).toBe(down);
  });
});

describe('the middle of our quotes', () => {
  it('is between the best of each side, and none with one side', () => {
    const both = [quote('against', 1.9), quote('against', 1.8), quote('for', 2.1), quote('for', 2.3)];
    expect(middleOf(both)).toBeCloseTo(2, 10);
    expect(middleOf(both.slice(0, 2))).toBeNull();
    expect(middleOf([])).toBeNull();
  });
});
