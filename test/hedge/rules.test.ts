import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf, tickOf } from '../../src/domain/ladder.ts';
import { PRICE_KINDS, profitOf } from '../../src/domain/odds.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { isBoundDue, isGreenUpDue, isStopped, NO_RULES, offsetOf } from '../../src/hedge/rules.ts';

const at = (price: number): number => tickOf(price) as number;

describe('the offset of a fill', () => {
  it('offers the other side some ticks better, with the same contracts', () => {
    expect(offsetOf({ priceKind: 'odds-for', tick: at(2.1), stakeMicros: 20_000_000 }, 5)).toEqual({
      direction: 'against',
      priceKind: 'lay-for',
      tick: at(2),
      stakeMicros: 21_000_000,
    });
    expect(offsetOf({ priceKind: 'lay-for', tick: at(2), stakeMicros: 21_000_000 }, 5)).toMatchObject({
      direction: 'for',
      priceKind: 'odds-for',
      tick: at(2.1),
    });
  });

  it('earns the same in both outcomes in every kind of price', () => {
    for (const priceKind of PRICE_KINDS) {
      const fill = { priceKind, tick: at(2.5), stakeMicros: 40_000_000 };
      const offset = offsetOf(fill, 4);
      const profits = [WIN, LOSS].map((settlement) => {
        const own = profitOf(priceKind, fill.stakeMicros, 2.5, settlement);
        if (offset === null) return NaN;
        return own + profitOf(offset.priceKind, offset.stakeMicros, priceOf(offset.tick), settlement);
      });
      expect(Math.min(...profits)).toBeGreaterThan(0);
      expect(Math.abs((profits[0] as number) - (profits[1] as number))).toBeLessThan(30_000);
    }
  });

  it('ends with the ladder, and below a cent', () => {
    expect(offsetOf({ priceKind: 'odds-for', tick: 2, stakeMicros: 1e6 }, 3)).toBeNull();
    expect(offsetOf({ priceKind: 'lay-for', tick: 348, stakeMicros: 1e6 }, 3)).toBeNull();
    expect(offsetOf({ priceKind: 'odds-for', tick: at(2), stakeMicros: 4_000 }, 1)).toBeNull();
  });
});

describe('the stop of a position', () => {
  it.each([
    ['odds-for', 2, 'lay-for', 2.08, true],
    ['odds-for', 2, 'lay-for', 2.06, true],
    ['odds-for', 2, 'lay-for', 2.04, false],
    ['odds-for', 2, 'lay-for', 1.5, false],
    ['lay-for', 2, 'odds-for', 1.97, true],
    ['lay-for', 2, 'odds-for', 1.98, false],
    ['odds-for', 2, 'odds-against', 2.5, false],
  ] as const)('%s at %d, closed by %s at %d: %s', (entry, from, closing, to, isIt) => {
    const closed = { priceKind: closing, tick: at(to) };
    expect(isStopped({ priceKind: entry, tick: at(from) }, closed, 3)).toBe(isIt);
  });
});

describe('when a rule is due', () => {
  const before = { startsInMs: 60_000, isInPlay: false, minute: null };
  const inPlay = { startsInMs: -1, isInPlay: true, minute: 70 };

  it('is never by default', () => {
    expect(isGreenUpDue(NO_RULES, before)).toBe(false);
    expect(isGreenUpDue(NO_RULES, inPlay)).toBe(false);
    expect(isBoundDue(-1e9, 1, NO_RULES.boundAtShare)).toBe(false);
  });

  it.each([
    [{ ...before, startsInMs: 60_001 }, false],
    [before, true],
    [{ ...before, startsInMs: 0 }, false],
    [{ ...before, startsInMs: null }, false],
    [{ ...before, isInPlay: true }, false],
    [{ ...inPlay, minute: 69 }, false],
    [inPlay, true],
    [{ ...inPlay, minute: null }, false],
  ])('at %o: %s', (moment, isDue) => {
    expect(isGreenUpDue({ greenUpBeforeMs: 60_000, greenUpMinute: 70 }, moment)).toBe(isDue);
  });

  it('holds on from its moment: the clock may leave it out, and the hedge may be refused', () => {
    const minute = fc.integer({ min: 0, max: 130 });
    fc.assert(
      fc.property(minute, minute, (greenUpMinute, now) => {
        const rules = { greenUpBeforeMs: null, greenUpMinute };
        expect(isGreenUpDue(rules, { ...inPlay, minute: now })).toBe(now >= greenUpMinute);
      }),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: -1e6, max: 1e6 }),
        (beforeMs, startsInMs) => {
          const rules = { greenUpBeforeMs: beforeMs, greenUpMinute: null };
          const isDue = startsInMs > 0 && startsInMs <= beforeMs;
          expect(isGreenUpDue(rules, { ...before, startsInMs })).toBe(isDue);
        },
      ),
    );
  });

  it('bounds an event above a share of its limit', () => {
    expect(isBoundDue(-80, 100, 0.8)).toBe(false);
    expect(isBoundDue(-81, 100, 0.8)).toBe(true);
  });
});
