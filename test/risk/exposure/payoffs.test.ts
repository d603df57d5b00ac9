import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LAST_TICK, priceOf } from '../../../src/domain/ladder.ts';
import { directionOfKind, PRICE_KINDS, profitMicros } from '../../../src/domain/odds.ts';
import { HALF_LOSS, HALF_WIN, LOSS, PUSH, type Settlement, SPLIT, WIN } from '../../../src/domain/payoff.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { OUTCOME, payoffsOf } from '../../../src/risk/exposure/payoffs.ts';
import { MEANING } from '../support/books.ts';
import { runs } from '../support/share.ts';

/** The result of a selection, and of a stake for and against it. */
const ENDS: readonly (readonly [Settlement, Readonly<Record<Direction, number>>])[] = [
  [WIN, { for: OUTCOME.win, against: OUTCOME.loss }],
  [HALF_WIN, { for: OUTCOME.halfWin, against: OUTCOME.halfLoss }],
  [PUSH, { for: OUTCOME.push, against: OUTCOME.push }],
  [HALF_LOSS, { for: OUTCOME.halfLoss, against: OUTCOME.halfWin }],
  [LOSS, { for: OUTCOME.loss, against: OUTCOME.win }],
  [SPLIT, { for: OUTCOME.split, against: OUTCOME.split }],
];

/** Ladder prices, and prices of other makers and averages with up to eight decimals. */
const price = fc.oneof(
  fc.integer({ min: 0, max: LAST_TICK }).map(priceOf),
  fc.integer({ min: 100_000_001, max: 2_000_000_000 }).map((units) => units / 1e8),
);
const bet = fc
  .record({
    priceKind: fc.constantFrom(...PRICE_KINDS),
    price,
    stakeMicros: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000_000_000 })),
  })
  .map((each) => ({ ...each, direction: directionOfKind(each.priceKind) }));
type Bet = typeof bet extends fc.Arbitrary<infer T> ? T : never;
const end = fc.constantFrom(...ENDS);

/** Exact profits count these parts of a micro. */
const PARTS = 2n * 100_000_000n;
/** A thousandth of a micro: products of amounts and prices with eight decimals are not exact doubles. */
const FLOAT = PARTS / 1_000n;

function exactParts({ priceKind, price: at, stakeMicros }: Bet, settlement: Settlement): bigint {
  const { side, sign } = MEANING[priceKind];
  const [won, lost] = side === 'for' ? [settlement.won, settlement.lost] : [settlement.lost, settlement.won];
  const [stake, units] = [BigInt(stakeMicros), BigInt(Math.round(at * 1e8))];
  const winnings = BigInt(2 * won) * stake * (units - 100_000_000n);
  const parts = winnings - BigInt(2 * lost) * stake * 100_000_000n;
  return sign * parts;
}

const countedBy = (one: Bet, outcomes: Readonly<Record<Direction, number>>): number =>
  payoffsOf(one)[outcomes[one.direction]] as number;

it('never counts a bet better than its exact payoff, and hardly worse', () => {
  fc.assert(
    fc.property(bet, end, (one, [settlement, outcomes]) => {
      const counted = BigInt(countedBy(one, outcomes)) * PARTS;
      const exact = exactParts(one, settlement);
      expect(counted <= exact + FLOAT).toBe(true);
      expect(counted > exact - 2n * PARTS - FLOAT).toBe(true);
    }),
    runs(2_000),
  );
});

it('counts an unreadable outcome as the worst of all', () => {
  fc.assert(
    fc.property(bet, end, (one, [settlement]) => {
      const unknown = BigInt(payoffsOf(one)[OUTCOME.unknown] as number) * PARTS;
      expect(unknown <= exactParts(one, settlement) + FLOAT).toBe(true);
    }),
    runs(500),
  );
});

it('never counts many bets better than the exchange pays for all of them', () => {
  fc.assert(
    fc.property(fc.array(bet, { maxLength: 30 }), end, (bets, [settlement, outcomes]) => {
      const paid = (one: Bet): number => profitMicros(one.priceKind, one.stakeMicros, one.price, settlement);
      const counted = bets.reduce((sum, one) => sum + countedBy(one, outcomes), 0);
      const total = bets.reduce((sum, one) => sum + paid(one), 0);
      expect(counted).toBeLessThanOrEqual(total);
      expect(counted).toBeGreaterThanOrEqual(total - 2 * bets.length);
    }),
    runs(500),
  );
});
