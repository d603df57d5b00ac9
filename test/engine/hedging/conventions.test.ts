/** A hedge is the same whatever the exchange's prices against a selection are: the same bets, but for the rounding of stakes to cents. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import type { HedgeGoal } from '../../../src/domain/hedge-intent.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { selectionPrice, selectionStakeMicros } from '../../../src/domain/odds.ts';
import { worstMicros } from '../../../src/hedge/book.ts';
import { withBets } from '../../../src/hedge/legs.ts';
import { FIXTURE, offerEntry, prices } from '../../market/support.ts';
import type { Ask } from '../../risk/support/harness.ts';
import { hedgedEventAt, id, ODDS } from '../../support/hedged-event.ts';

/** What takers get: for a selection, and against it as a lay price. The odds against it are exact. */
const MARKET = [
  ['h', 'wdw', 1.98, 2],
  ['d', 'wdw', 2.9, 3],
  ['a', 'wdw', 5.8, 6],
  ['over,2.5', 'ou', 1.98, 2],
  ['under,2.5', 'ou', 1.96, 2],
] as const;

const CONVENTIONS: readonly ExchangePrices[] = [
  LAY_PRICES,
  ODDS,
  { convention: 'odds', secondSide: 'lay' },
  { convention: 'odds', secondSide: 'finer' },
];

const bet = fc.record({
  betType: fc.constantFrom(...MARKET.flatMap(([outcome]) => [`for,${outcome}`, `against,${outcome}`])),
  price: fc.constantFrom(1.5, 2, 3, 5),
  stake: fc.integer({ min: 5, max: 60 }),
});
const goal: fc.Arbitrary<HedgeGoal> = fc.oneof(
  fc.constantFrom(...MARKET.map(([outcome]): HedgeGoal => ({ kind: 'flatten', selectionId: id(outcome) }))),
  fc.constantFrom<HedgeGoal>(
    { kind: 'equalise', marketType: 'wdw' },
    { kind: 'equalise', marketType: 'ou' },
    { kind: 'equalise', marketType: null },
  ),
  fc.record({
    kind: fc.constant('bound' as const),
    boundMicros: fc.constantFrom(0, 10e6, 40e6),
    mostLegs: fc.constant(1),
  }),
);

function planned(current: ExchangePrices, held: readonly Ask[], wanted: HedgeGoal, depth: number) {
  const { hedging, frame } = hedgedEventAt(current, ...held);
  frame(
    MARKET.flatMap(([outcome, marketType, back, lay]) => {
      // As odds, the same offer has the layer's liability as its stake.
      const [price, stake] =
        current.convention === 'lay' ? [lay, depth] : [lay / (lay - 1), depth * (lay - 1)];
      return [
        offerEntry(`for,${outcome}`, prices([back, depth]), { marketType }),
        offerEntry(`against,${outcome}`, prices([price, stake]), { marketType }),
      ];
    }),
  );
  const answer = hedging.plan({ event: FIXTURE, goal: wanted, way: 'take' });
  if (answer.kind === 'refused') return { kind: answer.kind, why: answer.why.replaceAll(/[-\d.]+/g, 'N') };
  const { book, legs } = answer;
  return {
    kind: answer.kind,
    worstUsdt: worstMicros(withBets(book, legs, 'all')) / 1e6,
    legs: legs
      .map(({ leg, stakeMicros }) => ({
        of: `${leg.direction} ${leg.selectionId}`,
        price: selectionPrice(leg.priceKind, priceOf(leg.tick)),
        stakeUsdt: selectionStakeMicros(leg.priceKind, priceOf(leg.tick), stakeMicros) / 1e6,
        kind: leg.priceKind,
      }))
      .toSorted((a, b) => a.of.localeCompare(b.of)),
  };
}

it('is the same under every convention', () => {
  let plans = 0;
  fc.assert(
    fc.property(
      fc.array(bet, { minLength: 1, maxLength: 3 }),
      goal,
      fc.constantFrom(25, 1_000),
      (held, wanted, depth) => {
        const [first, ...others] = CONVENTIONS.map((current) => planned(current, held, wanted, depth));
        for (const other of others) {
          if (first?.kind !== 'planned' || other.kind !== 'planned') {
            expect(other).toEqual(first);
            continue;
          }
          plans++;
          const named = (of: typeof first) => of.legs?.map((leg) => leg.of);
          expect(named(other)).toEqual(named(first));
          for (const [at, leg] of other.legs?.entries() ?? []) {
            expect(leg.price).toBeCloseTo(first.legs?.[at]?.price ?? NaN, 6);
            expect(Math.abs(leg.stakeUsdt - (first.legs?.[at]?.stakeUsdt ?? NaN))).toBeLessThan(0.021);
          }
          expect(Math.abs((other.worstUsdt ?? NaN) - (first.worstUsdt ?? NaN))).toBeLessThan(0.2);
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(plans).toBeGreaterThan(30);
});
