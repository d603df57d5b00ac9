import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, LAST_TICK, tickOf } from '../../src/domain/ladder.ts';
import {
  compareForTakers,
  compareToLimit,
  limitsCross,
  type PricedTick,
  type PriceKind,
  restingStakeMicros,
  takerPrice,
  takerStakeMicros,
  tradedStakeMicros,
} from '../../src/domain/odds.ts';

const at = (priceKind: PriceKind, price: number): PricedTick => ({
  priceKind,
  tick: tickOf(price) as number,
});
const KINDS: readonly PriceKind[] = ['odds-for', 'odds-against', 'lay-for', 'lay-against'];
const FOR: readonly PriceKind[] = ['odds-for', 'lay-against'];
const AGAINST: readonly PriceKind[] = ['odds-against', 'lay-for'];
const pricedOf = (kinds: readonly PriceKind[]): fc.Arbitrary<PricedTick> =>
  fc.record({ priceKind: fc.constantFrom(...kinds), tick: fc.nat(LAST_TICK) });

/** The price of the selection as a fraction of whole numbers. */
function fraction({ priceKind, tick }: PricedTick): readonly [bigint, bigint] {
  const hundredths = BigInt(Math.round((LADDER[tick] as number) * 100));
  return [hundredths, priceKind.endsWith('against') ? hundredths - 100n : 100n];
}

const order = (a: PricedTick, b: PricedTick): number => {
  const [[p, q], [r, s]] = [fraction(a), fraction(b)];
  return Math.sign(Number(p * s - r * q));
};

describe('stakes of a trade', () => {
  it('are the same for prices of one side, and the winnings at the price for the other', () => {
    expect(tradedStakeMicros(at('odds-for', 2.5), 10, 'odds-for', 'lay-for')).toBe(10);
    expect(tradedStakeMicros(at('odds-against', 2.5), 10, 'odds-against', 'lay-against')).toBe(10);
    expect(takerStakeMicros(at('odds-for', 2.5), 10, 'odds-against')).toBe(15);
    expect(takerStakeMicros(at('odds-against', 1.25), 100, 'odds-for')).toBe(25);
    expect(restingStakeMicros(at('odds-for', 2.5), 15, 'odds-against')).toBe(10);
    expect(restingStakeMicros(at('lay-against', 2.5), 15, 'lay-for')).toBe(10);
  });

  it('are rounded to the nearest micro of the exact stake, also where the complement has no end', () => {
    const bet = fc.record({
      resting: pricedOf(KINDS),
      taker: fc.constantFrom(...KINDS),
      micros: fc.integer({ min: 0, max: 50_000_000_000 }),
    });
    fc.assert(
      fc.property(bet, ({ resting, taker, micros }) => {
        const same = resting.priceKind.endsWith('for') === taker.endsWith('for');
        const win = BigInt(Math.round((LADDER[resting.tick] as number) * 100)) - 100n;
        const nearest = (above: bigint, below: bigint): number => Number((2n * above + below) / (2n * below));
        const own = BigInt(micros);
        expect(takerStakeMicros(resting, micros, taker)).toBe(same ? micros : nearest(own * win, 100n));
        expect(restingStakeMicros(resting, micros, taker)).toBe(same ? micros : nearest(own * 100n, win));
      }),
      { numRuns: 2000 },
    );
  });

  it('have the same contracts on both sides', () => {
    const cents = fc.integer({ min: 100, max: 10_000_000 }).map((each) => each * 10_000);
    fc.assert(
      fc.property(pricedOf(KINDS), fc.constantFrom(...KINDS), cents, (resting, taker, micros) => {
        const own = micros * (LADDER[resting.tick] as number);
        const other = takerStakeMicros(resting, micros, taker) * takerPrice(resting, taker);
        expect(Math.abs(other / own - 1)).toBeLessThan(1e-9);
      }),
    );
  });
});

describe('the order of resting stake', () => {
  it('has the best for takers first, exactly, and equal prices of different kinds in one place', () => {
    for (const kinds of [FOR, AGAINST])
      fc.assert(
        fc.property(pricedOf(kinds), pricedOf(kinds), (a, b) => {
          const best = kinds === FOR ? order(a, b) : order(b, a);
          expect(Math.sign(compareForTakers(a, b))).toBe(best);
        }),
      );
    expect(compareForTakers(at('odds-for', 26), at('lay-against', 1.04))).toBe(0);
    expect(compareForTakers(at('odds-against', 1.04), at('lay-for', 26))).toBe(0);
    expect(compareForTakers(at('odds-for', 2.1), at('odds-for', 2.2))).toBeLessThan(0);
    expect(compareForTakers(at('odds-against', 2.1), at('odds-against', 2.2))).toBeLessThan(0);
  });
});

describe('resting stake and a limit', () => {
  it('match where two limits cross, and are equal at the limit, exactly', () => {
    fc.assert(
      fc.property(pricedOf(FOR), pricedOf(AGAINST), (forPrice, againstPrice) => {
        const apart = order(againstPrice, forPrice);
        expect(limitsCross(forPrice, againstPrice)).toBe(apart >= 0);
        expect(Math.sign(compareToLimit(againstPrice, forPrice))).toBe(apart);
        expect(Math.sign(compareToLimit(forPrice, againstPrice))).toBe(apart);
      }),
      { numRuns: 1000 },
    );
    expect(compareToLimit(at('odds-for', 13.5), at('odds-against', 1.08))).toBe(0);
    expect(compareToLimit(at('lay-for', 2.2), at('odds-for', 2.1))).toBeGreaterThan(0);
    expect(compareToLimit(at('lay-for', 2), at('odds-for', 2.1))).toBeLessThan(0);
  });
});
