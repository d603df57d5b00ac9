import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, priceOf, tickOf } from '../../src/domain/ladder.ts';
import { DEFAULT_ORDER_OPTIONS } from '../../src/orders/options.ts';
import { parseParameters } from '../../src/strategy/loader.ts';
import {
  contractsFor,
  type EventView,
  handicapGrid,
  LAST_TICK,
  LOSS,
  type QuoteIntent,
  restingQuotes,
  settlementGrid,
  type Strategy,
  type Tick,
  totalGrid,
  WIN,
} from '../../src/strategy/sdk.ts';
import consensus from '../../strategies/consensus.ts';
import guardedLadder from '../../strategies/guarded-ladder.ts';
import inventory from '../../strategies/inventory.ts';
import scoreGrid from '../../strategies/score-grid.ts';
import symmetric from '../../strategies/symmetric.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { eventView, selectionView } from './support.ts';
import { page } from './tables.ts';

const CENT = 10_000;

/** The most that a bet can lose, in micros. */
const liabilityOf = ({ direction, tick, stakeMicros }: QuoteIntent): number =>
  direction === 'for' ? stakeMicros : stakeMicros * (priceOf(tick) - 1);

const contractsOf = ({ tick, stakeMicros }: QuoteIntent): number => stakeMicros * priceOf(tick);

/** Contracts that rounding a stake down to whole cents can cost, in micros. */
const roundingOf = ({ tick }: QuoteIntent): number => CENT * priceOf(tick) + 1;

/** Profit of filled bets if the selection wins, and if it loses, in micros. */
function exposureOf(fills: readonly QuoteIntent[]): { ifWin: number; ifLose: number } {
  let [ifWin, ifLose] = [0, 0];
  for (const { direction, tick, stakeMicros } of fills) {
    const sign = direction === 'for' ? 1 : -1;
    ifWin += sign * stakeMicros * (priceOf(tick) - 1);
    ifLose -= sign * stakeMicros;
  }
  return { ifWin, ifLose };
}

/** Asserts that both sides of a pair are sized alike, and that a fill of each offsets the other. */
function expectOffsetting(pair: readonly QuoteIntent[]): void {
  const [one, other] = pair as [QuoteIntent, QuoteIntent];
  const rounding = Math.max(roundingOf(one), roundingOf(other));
  expect(Math.abs(contractsOf(one) - contractsOf(other))).toBeLessThanOrEqual(rounding);
  const { ifWin, ifLose } = exposureOf(pair);
  expect(Math.abs(ifWin - ifLose)).toBeLessThanOrEqual(rounding);
}

const anySelection = selectionView([[2, 1]], [[2.1, 1]]);
const EVERYTHING = { minPrice: 1.01, maxPrice: 1000 };

/** Quotes of one selection at these prices; null for no quote. */
const quotesAt = (
  stake: number,
  fairProbability: number,
  ticks: Readonly<Record<'for' | 'against', Tick | null>>,
): QuoteIntent[] =>
  restingQuotes(
    anySelection,
    { fairProbability, tickOf: (direction) => ticks[direction] },
    { stake, ...EVERYTHING },
  );

describe('the quotes of a selection', () => {
  const anyTick = fc.integer({ min: 0, max: LAST_TICK });
  const anyStake = fc.double({ min: 0.01, max: 1e6, noNaN: true });
  const anyFair = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });

  it('have equal contracts, lose at most the stake, and offset each other, wherever they lie', () => {
    fc.assert(
      fc.property(anyStake, anyFair, anyTick, anyTick, (stake, fair, atFor, atAgainst) => {
        const quotes = quotesAt(stake, fair, { for: atFor, against: atAgainst });
        for (const quote of quotes) {
          expect(quote.stakeMicros % CENT).toBe(0);
          expect(liabilityOf(quote)).toBeLessThanOrEqual(stake * 1e6 + 1);
        }
        if (quotes.length === 2) expectOffsetting(quotes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('use more than 96 % of the stake on the worse side at fair, less whole cents', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e4, noNaN: true }), anyTick, (stake, tick) => {
        const quotes = quotesAt(stake, 1 / priceOf(tick), { for: tick, against: tick });
        const worst = Math.max(...quotes.map(liabilityOf));
        const centCost = CENT * Math.max(1, priceOf(tick) - 1);
        if (quotes.length === 2) expect(worst).toBeGreaterThan(0.96 * stake * 1e6 - centCost);
      }),
    );
  });

  it('have one of nineteen sizes for a stake, whatever the price', () => {
    const sizes = new Set(Array.from({ length: 9_999 }, (_, i) => contractsFor(20, (i + 1) / 10_000)));
    expect(sizes.size).toBe(19);
    expect(Math.max(...sizes)).toBe(40);
    expect(Math.min(...sizes)).toBe(20);
  });

  it('have the same size with one side as with both, unless the other lies beyond fair', () => {
    const fair = 1 / 9.8;
    const ticks = { for: tickOf(10) as Tick, against: tickOf(9.6) as Tick };
    const both = quotesAt(20, fair, ticks);
    expect(quotesAt(20, fair, { ...ticks, against: null })).toEqual([both[0]]);
    expect(quotesAt(20, fair, { ...ticks, for: null })).toEqual([both[1]]);
  });

  it('are left out at stakes of less than a cent', () => {
    expect(quotesAt(1, 0.001, { for: LAST_TICK, against: null })).toEqual([]);
  });

  it('carry the reason of their draft', () => {
    const draft = { fairProbability: 0.5, tickOf: () => tickOf(2), reason: 'because' };
    const quotes = restingQuotes(anySelection, draft, { stake: 20, ...EVERYTHING });
    expect(quotes.map(({ reason }) => reason)).toEqual(['because', 'because']);
  });
});

/** A coherent event: expected goals about 1.5 and 1.2, and an outsider. The handicap is thin. */
const MATCH = [
  { outcome: 'h', grid: settlementGrid((h, a) => (h > a ? WIN : LOSS)), prices: [2.24, 2.3] },
  { outcome: 'd', grid: settlementGrid((h, a) => (h === a ? WIN : LOSS)), prices: [3.75, 3.9] },
  { outcome: 'a', grid: settlementGrid((h, a) => (h < a ? WIN : LOSS)), prices: [3.4, 3.5] },
  { outcome: 'over', grid: totalGrid('over', 10), prices: [1.96, 1.99] },
  { outcome: 'cs,3,2', grid: settlementGrid((h, a) => (h === 3 && a === 2 ? WIN : LOSS)), prices: [26, 28] },
  { outcome: 'ah', grid: handicapGrid('home', -1), prices: [1.5, 3.2] },
] as const;

/** The event with these positions, in USDT: profit of each selection if it wins, and if it loses. */
function matchWith(positions: readonly (readonly [ifWin: number, ifLose: number])[]): EventView {
  const selections = MATCH.map(({ outcome, grid, prices: [low, high] }, i) => {
    const [ifWin, ifLose] = positions[i] ?? [0, 0];
    const position = { ifWinMicros: ifWin * 1e6, ifLoseMicros: ifLose * 1e6 };
    return selectionView([[low, 100]], [[high, 100]], { outcome, grid, position });
  });
  const holdings = selections.map(({ selectionId, position, grid = null }) => ({
    selectionId,
    position,
    grid,
  }));
  return eventView(selections, { holdings });
}

const BUNDLED: readonly Strategy[] = [symmetric, inventory, scoreGrid, consensus, guardedLadder];

/** Quotes by selection and level. */
const pairsOf = (intents: readonly QuoteIntent[]): readonly (readonly QuoteIntent[])[] => [
  ...Map.groupBy(intents, ({ selectionId, level }) => `${selectionId} ${level}`).values(),
];

describe.each(BUNDLED.map((strategy) => [strategy.name, strategy] as const))('%s', (_, strategy) => {
  const money = fc.integer({ min: -200, max: 200 });
  const positions = fc.array(fc.tuple(money, money), { minLength: MATCH.length, maxLength: MATCH.length });
  const stakes = fc.double({ min: 1, max: 500, noNaN: true });

  it('sizes both sides of a selection alike, and risks at most the stake, whatever it holds', () => {
    let pairs = 0;
    fc.assert(
      fc.property(positions, stakes, (held, stake) => {
        const { quote } = hostedBy(strategy, parseParameters(strategy, { stake }));
        const { intents, problems } = quote(matchWith(held));
        expect(problems).toEqual([]);
        for (const intent of intents) expect(liabilityOf(intent)).toBeLessThanOrEqual(stake * 1e6 + 1);
        for (const pair of pairsOf(intents).filter(({ length }) => length === 2)) {
          expectOffsetting(pair);
          pairs++;
        }
      }),
      { numRuns: 100 },
    );
    expect(pairs).toBeGreaterThan(50);
  });
});

describe('docs/strategies/sizes.md', () => {
  const section = page('sizes');

  it('shows the sizes that the default stake gives', () => {
    const rows = section.split('\n').flatMap((line) => (/^\| \d/.test(line) ? [line] : []));
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const cells = row.split('|').map((cell) => cell.trim());
      const [fair, against, , , above] = cells.slice(1).map(Number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      const ticks = { for: tickOf(above), against: tickOf(against) };
      const [bought, sold] = quotesAt(20, 1 / fair, ticks) as [QuoteIntent, QuoteIntent];
      const { ifWin, ifLose } = exposureOf([bought, sold]);
      const shown = [sold, bought].flatMap((quote) => [quote.stakeMicros, liabilityOf(quote)]);
      const printed = [...shown, ifWin, ifLose].map((micros) => (micros / 1e6).toFixed(2));
      expect([3, 4, 6, 7, 8, 9].map((i) => cells[i])).toEqual(printed);
    }
  });

  it('names the prices above which the stakes fall below the least that the exchange takes', () => {
    const highest = (stake: number): number =>
      LADDER.findLast((price) =>
        quotesAt(stake, 1 / price, { for: tickOf(price), against: tickOf(price) }).every(
          ({ stakeMicros }) => stakeMicros >= DEFAULT_ORDER_OPTIONS.minStakeMicros,
        ),
      ) as number;
    const words = section.replaceAll('\n', ' ');
    expect(words).toContain(`With \`stake\` at 20, these are the quotes at prices above ${highest(20)}`);
    expect(words).toContain(`with 10, those above ${highest(10)}`);
  });
});
