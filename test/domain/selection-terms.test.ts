import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilTick, floorTick, LADDER, LAST_TICK, priceOf } from '../../src/domain/ladder.ts';
import {
  adverseLogOdds,
  adverseProbability,
  betterLogOdds,
  complement,
  convertedTick,
  directionOfKind,
  expectedReturn,
  furthestTick,
  isBetter,
  isComplement,
  limitsCross,
  logit,
  logOddsOf,
  lossOfContract,
  priceOfLogOdds,
  profitOf,
  reachesLogOdds,
  restingOf,
  roundedFrom,
  SELECTION_KINDS,
  selectionLogOdds,
  selectionPrice,
  selectionTick,
  shownTick,
  takerPrice,
  takingTick,
  tickAtLogOdds,
  worseOf,
} from '../../src/domain/odds.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { NO_MINIMUM, selectionList } from '../../src/domain/price-list.ts';

const KINDS = ['odds-for', 'odds-against', 'lay-for', 'lay-against'] as const;
const kind = fc.constantFrom(...KINDS);
const tick = fc.integer({ min: 0, max: LAST_TICK });
const at = (price: number): number => floorTick(price) as number;

describe('the tick of the selection for a tick of an order', () => {
  it('is turned into that tick again wherever a tick of the selection is', () => {
    fc.assert(
      fc.property(fc.constantFrom('odds-against', 'lay-against'), tick, (own, shown) => {
        const converted = convertedTick(SELECTION_KINDS[directionOfKind(own)], shown, own);
        if (converted === null) return;
        const again = selectionTick(own, converted);
        expect(convertedTick(SELECTION_KINDS[directionOfKind(own)], again, own)).toBe(converted);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the next one further from fair where the own ladder is finer', () => {
    // 5.1 against is 1.2439 for; 1.25 would be 5.00 again, which is nearer to fair.
    expect(priceOf(selectionTick('odds-against', at(5.1)))).toBe(1.24);
    expect(priceOf(selectionTick('odds-against', at(5)))).toBe(1.25);
    // 1.56 against is 2.7857; the host turns 2.8 into 1.5556, that is 1.56.
    expect(priceOf(selectionTick('odds-against', at(1.56)))).toBe(2.8);
  });

  it('stays within the ladder at its ends, and is the tick itself for prices of the selection', () => {
    expect(selectionTick('odds-against', LAST_TICK)).toBe(0);
    expect(selectionTick('lay-against', LAST_TICK)).toBe(0);
    fc.assert(
      fc.property(fc.constantFrom('odds-for', 'lay-for'), tick, (own, given) => {
        expect(selectionTick(own, given)).toBe(given);
      }),
    );
  });
});

describe('where offered stake stands', () => {
  it.each([
    ['odds-against', 1.71, 'odds-for', 2.4, 2.4],
    ['odds-against', 1.9, 'odds-for', 2.1, 2.1],
    // 2.98 is 1.505, and 3.00 is 1.50: both are shown as 1.50.
    ['odds-against', 1.5, 'odds-for', 2.98, 3],
    ['odds-against', 1.25, 'odds-for', 4.9, 5],
    ['odds-against', 1.11, 'odds-for', 9.4, 10],
    ['odds-against', 5, 'odds-for', 1.25, 1.25],
    // No price of the selection is shown as 1.88: 2.14 is 1.87, and 2.12 is 1.89.
    ['odds-against', 1.88, 'lay-against', 1.88, 1.88],
    ['lay-for', 2.4, 'odds-for', 2.4, 2.4],
    ['odds-for', 2.4, 'lay-for', 2.4, 2.4],
  ] as const)('is, for %s at %s, %s from %s to %s', (own, price, resting, first, last) => {
    expect(restingOf({ priceKind: own, tick: at(price) })).toEqual({
      first: { priceKind: resting, tick: at(first) },
      last: { priceKind: resting, tick: at(last) },
    });
  });

  it('is all that is shown where it was offered, and of the other side', () => {
    fc.assert(
      fc.property(kind, tick, (own, offered) => {
        const { first, last } = restingOf({ priceKind: own, tick: offered });
        const resting = first.priceKind;
        expect(last.priceKind).toBe(resting);
        expect(directionOfKind(resting)).not.toBe(directionOfKind(own));
        if (isComplement(resting) === isComplement(own))
          expect([first.tick, last.tick]).toEqual([offered, offered]);
        const shown = Array.from({ length: LAST_TICK + 1 }, (_, at_) => at_).filter(
          (own_) => shownTick({ priceKind: resting, tick: own_ }, own) === offered,
        );
        const range = [first.tick, last.tick].sort((a, b) => a - b);
        expect(range).toEqual([shown[0], shown.at(-1)]);
        // A taker meets the first one first.
        expect(isBetter(resting, last.tick, first.tick) || last.tick === first.tick).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('distances from fair', () => {
  it('are worse by what a price gives away, on the side of the order', () => {
    // 2.5 against is 1.6667 for: 60 %.
    expect(adverseLogOdds('odds-against', 2.5, logit(0.5))).toBeCloseTo(-logit(0.6), 12);
    expect(adverseLogOdds('lay-for', complement(2.5), logit(0.5))).toBeCloseTo(-logit(0.6), 12);
    expect(adverseLogOdds('odds-for', 2.5, logit(0.5))).toBeCloseTo(logit(0.4), 12);
    expect(adverseProbability('odds-against', 2.5, 0.5)).toBeCloseTo(-0.1, 12);
    expect(adverseProbability('lay-against', 2.5, 0.5)).toBeCloseTo(0.1, 12);
    expect(adverseProbability('odds-for', 2.5, 0.5)).toBeCloseTo(-0.1, 12);
  });

  it('are those by which the log-odds are better', () => {
    fc.assert(
      fc.property(
        kind,
        fc.double({ min: -4, max: 4, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (own, fair, distance) => {
          const better = betterLogOdds(own, fair, distance);
          const price = priceOfLogOdds(isComplement(own) ? -better : better);
          expect(adverseLogOdds(own, price, fair)).toBeCloseTo(-distance, 9);
        },
      ),
    );
  });

  it('have a sign that agrees with the expected profit at fair', () => {
    fc.assert(
      fc.property(kind, tick, fc.double({ min: 0.02, max: 0.98, noNaN: true }), (own, given, fair) => {
        const price = priceOf(given);
        const expected = fair * profitOf(own, 1, price, WIN) + (1 - fair) * profitOf(own, 1, price, LOSS);
        expect(expectedReturn(own, price, fair)).toBeCloseTo(expected, 9);
        const adverse = adverseLogOdds(own, price, logit(fair));
        if (Math.abs(adverse) > 1e-9) expect(Math.sign(expected)).toBe(-Math.sign(adverse));
        expect(Math.sign(adverseProbability(own, price, fair))).toBe(Math.sign(adverse));
      }),
    );
  });

  it('end at the tick of each ladder that is furthest from fair', () => {
    expect(KINDS.map(furthestTick)).toEqual([LAST_TICK, LAST_TICK, 0, 0]);
    expect(worseOf('odds-against', 5, 7)).toBe(5);
    expect(worseOf('lay-for', 5, 7)).toBe(7);
  });

  it('cannot be reached beyond the ends of the own ladder', () => {
    const reached = (price: number) => KINDS.filter((own) => reachesLogOdds(own, logOddsOf(price)));
    expect(reached(2)).toEqual(KINDS);
    expect(reached(150)).toEqual(['odds-for', 'lay-for']);
    expect(reached(1.005)).toEqual(['odds-against', 'lay-against']);
    expect(reached(1.0005)).toEqual([]);
    expect(tickAtLogOdds('odds-against', logOddsOf(1.0005))).toBeNull();
  });
});

it('loses by a contract what its side can lose', () => {
  fc.assert(
    fc.property(kind, tick, (own, given) => {
      const price = priceOf(given);
      const worst = Math.min(profitOf(own, 1, price, WIN), profitOf(own, 1, price, LOSS));
      expect(lossOfContract(own, price) * price).toBeCloseTo(-worst, 9);
    }),
  );
});

describe('prices that are shown on another ladder', () => {
  it('take from the tick on that accepts them', () => {
    expect([takingTick('odds-for', 2.31), takingTick('lay-for', 2.31)]).toEqual([at(2.3), ceilTick(2.31)]);
  });

  it('may stand for any price up to the complement of the next tick', () => {
    fc.assert(
      fc.property(tick, (resting) => {
        const order = { priceKind: 'odds-for', tick: resting } as const;
        const shown = shownTick(order, 'odds-against');
        if (shown === null) return;
        const price = selectionPrice('odds-against', priceOf(shown));
        const least = roundedFrom(price);
        expect(priceOf(resting)).toBeLessThanOrEqual(price * (1 + 1e-12));
        if (least !== price) expect(priceOf(resting)).toBeGreaterThan(least);
        const beyond = least === price ? null : floorTick(least);
        if (beyond !== null) expect(limitsCross(order, { priceKind: 'lay-for', tick: beyond })).toBe(false);
      }),
    );
  });

  it('are exact on the ladder, and elsewhere if they are the complement of none', () => {
    expect([2, 2.3, 3].map(roundedFrom)).toEqual([2, 2.3, 3]);
    expect(roundedFrom(2.31)).toBe(2.31);
    expect(roundedFrom(complement(1.43))).toBe(complement(1.44));
  });
});

describe('a price list in prices of the selection', () => {
  const list = [1.8, NO_MINIMUM, 100e6, 1.5, 4e6, 50e6];

  it('has the complements, the stakes at them, and the highest price first', () => {
    expect(selectionList('odds-against', list)).toEqual([3, 2e6, 25e6, complement(1.8), NO_MINIMUM, 80e6]);
    expect(selectionList('lay-against', list)).toEqual(selectionList('odds-against', list));
    expect(selectionList('odds-against', [])).toEqual([]);
  });

  it('is the same object if its prices are those of the selection', () => {
    expect(selectionList('odds-for', list)).toBe(list);
    expect(selectionList('lay-for', list)).toBe(list);
  });

  it('keeps the contracts of each level within the rounding of a micro', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(tick, { maxLength: 8 }),
        fc.integer({ min: 1, max: 1e10 }),
        (ticks, stake) => {
          const prices = ticks.toSorted((a, b) => b - a).map((each) => LADDER[each] as number);
          const given = prices.flatMap((price) => [price, NO_MINIMUM, stake]);
          const converted = selectionList('odds-against', given);
          const back = prices.map((_, i) =>
            converted.slice(3 * (prices.length - 1 - i), 3 * (prices.length - i)),
          );
          back.forEach(([price = NaN, , micros = NaN], i) => {
            expect(price).toBe(complement(prices[i] as number));
            expect(Math.abs(micros * price - stake * (prices[i] as number))).toBeLessThanOrEqual(price);
          });
          const sorted = converted.filter((_, index) => index % 3 === 0);
          expect(sorted).toEqual(sorted.toSorted((a, b) => b - a));
        },
      ),
    );
  });
});

it('shows to takers the first tick at which they trade', () => {
  fc.assert(
    fc.property(tick, fc.constantFrom('odds-for', 'lay-for'), (resting, own) => {
      const taker = own === 'odds-for' ? ('odds-against' as const) : ('odds-for' as const);
      const shown = shownTick({ priceKind: own, tick: resting }, taker);
      const trade = takerPrice({ priceKind: own, tick: resting }, taker);
      if (shown === null) expect(trade).toBeLessThan(1.01);
      else expect(priceOf(shown)).toBeLessThanOrEqual(trade * (1 + 1e-12));
      if (shown !== null && shown < LAST_TICK) expect(priceOf(shown + 1)).toBeGreaterThan(trade);
      if (shown !== null && isComplement(taker))
        expect(selectionLogOdds(taker, priceOf(shown))).toBeLessThanOrEqual(
          logOddsOf(priceOf(resting)) + 1e-9,
        );
    }),
  );
});
