import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, LAST_TICK, priceOf, tickOf } from '../../src/domain/ladder.ts';
import {
  betterBy,
  betterOf,
  compareTicks,
  complement,
  contractsMicros,
  convertedTick,
  directionOfKind,
  honouringTick,
  isBetter,
  isComplement,
  isLay,
  kindsOf,
  liabilityMicros,
  limitsCross,
  logOddsOf,
  otherStakeMicros,
  ownPrice,
  type PricedTick,
  type PriceKind,
  profitMicros,
  profitOf,
  restingStakeMicros,
  SELECTION_KINDS,
  selectionLogOdds,
  selectionPrice,
  selectionProbability,
  selectionStakeMicros,
  shownTick,
  stakeOfLiability,
  takerPrice,
  takerStakeMicros,
  tickAtLogOdds,
  ticksBetter,
  winMicros,
} from '../../src/domain/odds.ts';
import { HALF_LOSS, HALF_WIN, LOSS, PUSH, SPLIT, WIN } from '../../src/domain/payoff.ts';

const KINDS: readonly PriceKind[] = ['odds-for', 'odds-against', 'lay-for', 'lay-against'];
const kind = fc.constantFrom(...KINDS);
const tick = fc.nat(LAST_TICK);
const stake = fc.integer({ min: 1, max: 1e10 });
const settlement = fc.constantFrom(WIN, LOSS, PUSH, HALF_WIN, HALF_LOSS, SPLIT);
const at = (price: number): number => tickOf(price) as number;

/** A price as a fraction: whole hundredths over 100. */
const hundredths = (of: number): bigint => BigInt(Math.round(priceOf(of) * 100));

/** The price of the selection as an exact fraction. */
function fraction({ priceKind, tick: of }: PricedTick): readonly [bigint, bigint] {
  const h = hundredths(of);
  return priceKind.endsWith('-against') ? [h, h - 100n] : [h, 100n];
}

const compareExactly = (a: PricedTick, b: PricedTick): number => {
  const [[p, q], [r, s]] = [fraction(a), fraction(b)];
  const difference = p * s - r * q;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
};

describe('the kinds of prices', () => {
  it.each([
    ['odds-for', 'for', false, false],
    ['odds-against', 'against', false, true],
    ['lay-for', 'against', true, false],
    ['lay-against', 'for', true, true],
  ] as const)('%s bets %s the selection', (each, direction, lay, ofComplement) => {
    expect([directionOfKind(each), isLay(each), isComplement(each)]).toEqual([direction, lay, ofComplement]);
  });

  it('are those of the selection under the convention lay, and odds on each bet under odds', () => {
    expect(kindsOf('lay')).toEqual(SELECTION_KINDS);
    expect(SELECTION_KINDS).toEqual({ for: 'odds-for', against: 'lay-for' });
    expect(kindsOf('odds')).toEqual({ for: 'odds-for', against: 'odds-against' });
  });

  // Measured on production: published facts, Prices.
  it.each([
    ['odds-for', 7.15, 7.2],
    ['odds-against', 1.985, 1.99],
    ['odds-against', 2.01, 2.02],
    ['lay-for', 2.31, 2.3],
    ['lay-for', 2.01, 2],
    ['lay-against', 2.01, 2],
  ] as const)('%s: the limit %f moves to %f', (each, limit, honoured) => {
    expect(priceOf(honouringTick(each, limit) as number)).toBe(honoured);
  });

  it('agree on what is better, by how much, and away from fair', () => {
    fc.assert(
      fc.property(kind, tick, tick, (each, a, b) => {
        expect(isBetter(each, a, b)).toBe(ticksBetter(each, a, b) > 0);
        expect(betterBy(each, b, ticksBetter(each, a, b))).toBe(a);
        expect(ticksBetter(each, betterOf(each, a, b), b)).toBe(Math.max(0, ticksBetter(each, a, b)));
        const pays = (of: number): number =>
          profitOf(each, 1, priceOf(of), WIN) - profitOf(each, 1, priceOf(of), LOSS);
        const sign = directionOfKind(each) === 'for' ? 1 : -1;
        const worth = (of: number): number =>
          winMicros(each, 1e6, priceOf(of)) / liabilityMicros(each, 1e6, priceOf(of));
        if (isBetter(each, a, b)) expect(worth(a)).toBeGreaterThan(worth(b));
        expect(Math.sign(pays(a))).toBe(sign);
      }),
    );
  });
});

describe('the price of the selection', () => {
  it('is the exact complement of odds on the other outcome', () => {
    expect([complement(1.01), complement(1.02), complement(1.04), complement(26), complement(2)]).toEqual([
      101, 51, 26, 1.04, 2,
    ]);
    expect(complement(1.03)).toBeCloseTo(34.3333333, 7);
  });

  it('leads back to the own price, at every tick of every kind', () => {
    for (const each of KINDS)
      for (const price of LADDER) expect(ownPrice(each, selectionPrice(each, price))).toBe(price);
  });

  it('implies the same probability and log-odds', () => {
    fc.assert(
      fc.property(kind, tick, (each, of) => {
        const price = priceOf(of);
        const ofSelection = selectionPrice(each, price);
        expect(selectionProbability(each, price)).toBeCloseTo(1 / ofSelection, 12);
        expect(selectionLogOdds(each, price)).toBeCloseTo(logOddsOf(ofSelection), 9);
      }),
    );
  });

  it('has the first tick away from fair on each ladder, and none nearer', () => {
    fc.assert(
      fc.property(kind, fc.double({ min: -4.5, max: 4.5, noNaN: true }), (each, logOdds) => {
        const found = tickAtLogOdds(each, logOdds);
        const toFair = directionOfKind(each) === 'for' ? 1 : -1;
        const distance = (of: number): number => toFair * (logOdds - selectionLogOdds(each, priceOf(of)));
        if (found === null) return;
        expect(distance(found)).toBeGreaterThanOrEqual(-1e-9);
        const nearer = betterBy(each, found, -1);
        if (nearer >= 0 && nearer <= LAST_TICK) expect(distance(nearer)).toBeLessThan(1e-9);
      }),
    );
  });

  it('converts a tick to another ladder without coming nearer to fair, and back', () => {
    fc.assert(
      fc.property(fc.constantFrom('for', 'against'), tick, (direction, of) => {
        const [own, complementKind]: readonly [PriceKind, PriceKind] =
          direction === 'for' ? ['odds-for', 'lay-against'] : ['lay-for', 'odds-against'];
        const found = convertedTick(own, of, complementKind);
        expect(convertedTick(own, of, own)).toBe(of);
        if (found === null) return;
        const order = compareExactly(
          { priceKind: complementKind, tick: found },
          { priceKind: own, tick: of },
        );
        expect(direction === 'for' ? order >= 0 : order <= 0).toBe(true);
        const nearer = betterBy(complementKind, found, -1);
        if (nearer < 0 || nearer > LAST_TICK) return;
        const beyond = compareExactly(
          { priceKind: complementKind, tick: nearer },
          { priceKind: own, tick: of },
        );
        expect(direction === 'for' ? beyond < 0 : beyond > 0).toBe(true);
      }),
    );
  });
});

describe('what crosses', () => {
  it('compares prices of all kinds as exact fractions', () => {
    fc.assert(
      fc.property(kind, tick, kind, tick, (a, p, b, q) => {
        const [one, two] = [
          { priceKind: a, tick: p },
          { priceKind: b, tick: q },
        ];
        expect(Math.sign(compareTicks(one, two))).toBe(compareExactly(one, two));
      }),
      { numRuns: 5_000 },
    );
  });

  it('crosses two limits exactly when (f - 1)(a - 1) is at most 1', () => {
    for (let f = 0; f <= LAST_TICK; f++)
      for (let a = 0; a <= LAST_TICK; a += 7) {
        const product = (hundredths(f) - 100n) * (hundredths(a) - 100n);
        const crosses = limitsCross(
          { priceKind: 'odds-for', tick: f },
          { priceKind: 'odds-against', tick: a },
        );
        expect(crosses).toBe(product <= 10_000n);
      }
  });

  it.each([
    [1.04, 26, true],
    [1.08, 13.5, true],
    [26, 1.04, true],
    [2, 2, true],
    [2, 2.02, false],
    [1.04, 27, false],
  ])('for at %f and against at %f: %s', (f, a, crosses) => {
    const limits = [
      { priceKind: 'odds-for', tick: at(f) },
      { priceKind: 'odds-against', tick: at(a) },
    ] as const;
    expect(limitsCross(...limits)).toBe(crosses);
  });

  it('shows resting stake at a tick that a taker gets at least', () => {
    fc.assert(
      fc.property(kind, tick, kind, (resting, of, taker) => {
        fc.pre(directionOfKind(resting) !== directionOfKind(taker));
        const order = { priceKind: resting, tick: of };
        const shown = shownTick(order, taker);
        const price = takerPrice(order, taker);
        if (shown === null) return;
        expect(isBetter(taker, priceOf(shown), price)).toBe(false);
        const next = betterBy(taker, shown, 1);
        if (next >= 0 && next <= LAST_TICK && shown > 0)
          expect(isBetter(taker, priceOf(next), price)).toBe(true);
        const [forLimit, againstLimit] =
          directionOfKind(taker) === 'for'
            ? [{ priceKind: taker, tick: shown }, order]
            : [order, { priceKind: taker, tick: shown }];
        expect(limitsCross(forLimit, againstLimit)).toBe(true);
      }),
    );
  });
});

describe('stakes and profits', () => {
  it('have the same contracts on both sides of a trade, and nobody gains what the other does not lose', () => {
    fc.assert(
      fc.property(kind, tick, kind, stake, settlement, (resting, of, taker, micros, end) => {
        fc.pre(directionOfKind(resting) !== directionOfKind(taker));
        const order = { priceKind: resting, tick: of };
        const [price, taken] = [takerPrice(order, taker), takerStakeMicros(order, micros, taker)];
        const tolerance = 1 + price + 1e-6 * micros * 1e-6;
        expect(
          Math.abs(contractsMicros(taken, price) - contractsMicros(micros, priceOf(of))),
        ).toBeLessThanOrEqual(tolerance);
        const sum = profitMicros(resting, micros, priceOf(of), end) + profitMicros(taker, taken, price, end);
        // A stake that is rounded by half a micro moves the winnings at its price by so much more.
        expect(Math.abs(sum)).toBeLessThanOrEqual(2 + price / 2);
      }),
      { numRuns: 5_000 },
    );
  });

  it('convert to the other side and back within a micro of contracts', () => {
    fc.assert(
      fc.property(tick, stake, (of, micros) => {
        const order: PricedTick = { priceKind: 'odds-against', tick: of };
        const back = restingStakeMicros(order, takerStakeMicros(order, micros, 'odds-for'), 'odds-for');
        const rounding = 1 + 0.5 / (priceOf(of) - 1);
        expect(Math.abs(back - micros)).toBeLessThanOrEqual(rounding);
        expect(takerStakeMicros(order, micros, 'lay-against')).toBe(micros);
        expect(restingStakeMicros(order, micros, 'lay-against')).toBe(micros);
      }),
    );
  });

  it('pay the same in the terms of the selection, within two micros', () => {
    fc.assert(
      fc.property(tick, fc.integer({ min: 1, max: 1e9 }), settlement, (of, micros, end) => {
        const price = priceOf(of);
        const asLay = profitMicros(
          'lay-for',
          selectionStakeMicros('odds-against', price, micros),
          selectionPrice('odds-against', price),
          end,
        );
        const own = profitMicros('odds-against', micros, price, end);
        const rounding = 1 + 0.5 / (price - 1);
        expect(Math.abs(asLay - own)).toBeLessThanOrEqual(Math.max(2, rounding));
      }),
    );
  });

  it('never count a win too high or a loss too low', () => {
    fc.assert(
      fc.property(kind, tick, stake, (each, of, micros) => {
        const price = priceOf(of);
        const exact = BigInt(micros) * (hundredths(of) - 100n);
        const [down, up] = [Number(exact / 100n), Number((exact + 99n) / 100n)];
        expect(winMicros(each, micros, price)).toBe(isLay(each) ? micros : down);
        expect(liabilityMicros(each, micros, price)).toBe(isLay(each) ? up : micros);
        expect(otherStakeMicros(micros, price)).toBeGreaterThanOrEqual(down);
        expect(otherStakeMicros(micros, price)).toBeLessThanOrEqual(up);
        const most = stakeOfLiability(each, micros, price);
        expect(liabilityMicros(each, most, price)).toBeLessThanOrEqual(micros);
        expect(liabilityMicros(each, most + 1, price)).toBeGreaterThan(micros - 1);
      }),
    );
  });

  it.each([
    ['odds-for', WIN, 14e6],
    ['odds-for', LOSS, -10e6],
    ['odds-against', WIN, -10e6],
    ['odds-against', LOSS, 14e6],
    ['lay-for', WIN, -14e6],
    ['lay-for', LOSS, 10e6],
    ['lay-against', WIN, 10e6],
    ['lay-against', LOSS, -14e6],
    ['odds-against', HALF_WIN, -5e6],
    ['odds-against', HALF_LOSS, 7e6],
    ['odds-against', PUSH, 0],
  ] as const)('%s of 10 at 2.40 pays in %o', (each, end, micros) => {
    expect(profitMicros(each, 10e6, 2.4, end)).toBeCloseTo(micros, 6);
    expect(profitOf(each, 10, 2.4, end)).toBeCloseTo(micros / 1e6, 9);
  });
});
