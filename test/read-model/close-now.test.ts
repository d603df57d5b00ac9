import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER } from '../../src/domain/ladder.ts';
import { selectionPrice, selectionStakeMicros } from '../../src/domain/odds.ts';
import { packLevels, type PriceLevel } from '../../src/domain/price-list.ts';
import { closedMicros, type Depth } from '../../src/read-model/close-now.ts';

const level = (price: number, max: number, min: number | null = null): PriceLevel => ({
  price,
  maxMicros: max * 1e6,
  minMicros: min === null ? null : min * 1e6,
});

const depth = (
  forTakers: readonly PriceLevel[] | null,
  againstTakers: readonly PriceLevel[] | null,
): Depth => ({
  for: forTakers && packLevels(forTakers),
  against: againstTakers && packLevels(againstTakers),
});

/** The profit of the bets in USDT, if the selection wins and if it loses. */
const position = (ifWin: number, ifLose: number) => ({
  ifWinMicros: ifWin * 1e6,
  ifLoseMicros: ifLose * 1e6,
});

const NOTHING = depth(null, null);
const DEEP = depth([level(2.5, 1_000), level(2.4, 1_000)], [level(2.6, 1_000), level(2.5, 1_000)]);

describe('closing now', () => {
  it.each<[string, ReturnType<typeof position>, Depth, number | null]>([
    ['nothing', position(0, 0), NOTHING, 0],
    // 100 for at 3: against takers bet 120 at 2.5, which loses 180 or wins 120.
    ['a bet for, at the price for takers against it', position(200, -100), DEEP, 20],
    // 100 against at 3: 120 for at 2.5 wins 180 or loses 120.
    ['a bet against, at the price for takers of it', position(-200, 100), DEEP, -20],
    ['bets that pay the same either way', position(7, 7), NOTHING, 7],
    ['bets that rounding keeps apart', position(7.000001, 7), NOTHING, 7],
    ['bets that rounding just keeps apart', position(7.01, 7), NOTHING, 7],
    ['bets that a little more than rounding keeps apart', position(7.010001, 7), NOTHING, null],
    ['the same the other way round', position(7, 7.01), NOTHING, 7],
    ['a bet without fresh prices', position(200, -100), NOTHING, null],
    [
      'a bet with prices of the other side alone',
      position(200, -100),
      depth([level(2.5, 1_000)], null),
      null,
    ],
    ['a bet in an empty market', position(200, -100), depth([], []), null],
    // 60 at 2.5 take 150 of the 300 contracts, and 57.692307 at 2.6 the others.
    [
      'through several levels, the best first',
      position(200, -100),
      depth([], [level(2.6, 1_000), level(2.5, 60)]),
      17.692307,
    ],
    ['with all of the stake that is there', position(200, -100), depth([], [level(2.5, 120)]), 20],
    ['with a cent too little', position(200, -100), depth([], [level(2.5, 119.99)]), null],
    [
      'past a level whose minimum is too high',
      position(200, -100),
      depth([], [level(2.5, 1_000, 121), level(2.6, 1_000, 115)]),
      15.384615,
    ],
    ['at exactly the minimum of a level', position(200, -100), depth([], [level(2.5, 1_000, 120)]), 20],
    [
      'past a level whose minimum is above the rest that is still needed',
      position(200, -100),
      depth([], [level(2.6, 1_000), level(2.55, 1_000, 60), level(2.5, 60)]),
      17.692307,
    ],
    [
      'at no level whose minimum is just above',
      position(200, -100),
      depth([], [level(2.5, 1_000, 120.01)]),
      null,
    ],
  ])('%s', (_, held, prices, usdt) => {
    const micros = closedMicros(held, prices);
    expect(micros === null ? null : micros / 1e6).toBe(usdt);
  });

  it('never pays more than closing everything at the best price, and never less than at the worst', () => {
    const price = fc.constantFrom(...LADDER.slice(0, 200));
    const levels = fc.uniqueArray(fc.record({ price, max: fc.integer({ min: 1, max: 500 }) }), {
      selector: (each) => each.price,
      minLength: 1,
      maxLength: 6,
    });
    const held = fc.record({
      ifWin: fc.integer({ min: -500, max: 500 }),
      ifLose: fc.integer({ min: -500, max: 500 }),
    });
    fc.assert(
      fc.property(held, levels, levels, ({ ifWin, ifLose }, forTakers, againstTakers) => {
        const lists = [forTakers, againstTakers].map((list) =>
          list.map(({ price: at, max }) => level(at, max)),
        );
        const prices = depth(lists[0]!, lists[1]!);
        const contracts = ifWin - ifLose;
        const taken = (contracts > 0 ? againstTakers : forTakers).map((each) => each.price);
        const closed = closedMicros(position(ifWin, ifLose), prices);
        const stakeThere = (contracts > 0 ? againstTakers : forTakers).reduce(
          (sum, each) => sum + each.price * each.max,
          0,
        );
        const isEnough = stakeThere >= Math.abs(contracts) + 0.001;
        if (isEnough || contracts === 0) expect(closed).not.toBeNull();
        if (closed === null) return;
        // Closed at one price, the result is ifLose + contracts / price, either way.
        const results = taken.map((at) => (ifLose + contracts / at) * 1e6);
        expect(closed).toBeLessThanOrEqual(Math.max(...results) + 1);
        expect(closed).toBeGreaterThanOrEqual(Math.min(...results) - 2);
      }),
    );
  });

  it('through levels of the complement pays what taking them there pays, within a micro a level', () => {
    const price = fc.constantFrom(...LADDER.slice(0, 260));
    const levels = fc.uniqueArray(
      fc.record({
        price,
        max: fc.integer({ min: 1_000_000, max: 500_000_000 }),
        min: fc.integer({ min: 0, max: 900_000 }),
      }),
      { selector: (each) => each.price, minLength: 1, maxLength: 6 },
    );
    const micros = fc.integer({ min: -500_000_000, max: 500_000_000 });
    fc.assert(
      fc.property(micros, fc.integer({ min: 2_000_000, max: 400_000_000 }), levels, (ifLose, held, own) => {
        const bets = { ifWinMicros: ifLose + held, ifLoseMicros: ifLose };
        const closed = closedMicros(bets, { for: null, against: packLevels(own.map(inSelectionTerms)) });
        const taken = takenInOwnTerms(own, held);
        // A rounded stake may decide whether a level is deep enough, so only clear cases are compared.
        if (taken === null) return;
        expect(closed).not.toBeNull();
        expect(Math.abs((closed ?? 0) - (ifLose + taken))).toBeLessThan(1 + own.length);
      }),
    );
  });

  it('takes no level of the complement whose minimum is above what is needed', () => {
    // 10 contracts need 10 / 1.8 = 5.56 at odds of 1.8 against, which is 4.44 at 2.25.
    const at = (min: number) => ({
      for: null,
      against: packLevels([inSelectionTerms({ price: 1.8, max: 100e6, min: min * 1e6 })]),
    });
    expect(closedMicros(position(10, 0), at(5.55))).toBe(4_444_444);
    expect(closedMicros(position(10, 0), at(5.56))).toBeNull();
  });
});

/** A level of odds against the selection, in the exchange's own terms. */
interface OwnLevel {
  readonly price: number;
  readonly max: number;
  readonly min: number;
}

function inSelectionTerms({ price, max, min }: OwnLevel): PriceLevel {
  const stake = (micros: number): number => selectionStakeMicros('odds-against', price, micros);
  return {
    price: selectionPrice('odds-against', price),
    maxMicros: stake(max),
    minMicros: min === 0 ? null : stake(min),
  };
}

/** What bets of so many contracts at odds win if the selection does not, taken from the highest odds on; null near a limit. */
function takenInOwnTerms(levels: readonly OwnLevel[], contracts: number): number | null {
  let [left, won] = [contracts, 0];
  for (const { price, max, min } of levels.toSorted((a, b) => b.price - a.price)) {
    const needed = left / price;
    if (Math.abs(needed - min) < 2 || Math.abs(needed - max) < 2) return null;
    if (needed < min) continue;
    const stake = Math.min(needed, max);
    won += stake * (price - 1);
    left -= stake * price;
    if (needed < max) return won;
  }
  return null;
}
