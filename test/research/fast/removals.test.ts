import { describe, expect, it } from 'vitest';
import { priceOf, tickOf } from '../../../src/domain/ladder.ts';
import { LOSS, PUSH, WIN } from '../../../src/domain/payoff.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { TOUCH } from '../../../src/fills/touch.ts';
import { intentKey } from '../../../src/domain/quote-intent.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { newOrder } from '../../../src/research/fast/exchange/own-order.ts';
import { RecordedExchange } from '../../../src/research/fast/exchange/recorded-exchange.ts';
import { type FixedQuote, fillsOfQuotes, play } from '../../../src/research/fast/fixed-quotes.ts';
import { fastSettings } from '../../../src/research/fast/settings.ts';
import { priceAfterRemovals, turnsOf } from '../../../src/research/removals.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { type Step, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';

const REMOVED_MS = 10_000;
const INSTANT = fastSettings({ placementDelayMs: [0, 0] });

const race = (marketType: string, factor: number | null, steps: readonly Step[] = []): EventTape =>
  tapeOf([[0, 'for', 900, 1], [0, 'against', 1.1, 1], ...steps], {
    selections: [
      { outcome: 'win,1', settlement: WIN },
      { outcome: 'win,2', settlement: LOSS },
      { outcome: 'win,3', settlement: PUSH },
    ],
    markets: [{ marketType }],
    removals: [{ atMs: REMOVED_MS, market: 0, selection: 2, factor }],
  });

/** An order against the first runner, at 3.00 from the beginning on. */
const AGAINST: FixedQuote = {
  selection: 0,
  direction: 'against',
  tick: tickOf(3) ?? 0,
  stakeMicros: 10e6,
  placedMs: TAPE_START_MS + 1,
  closedMs: null,
};

/** The price at which an order at 3.00 is filled after the removal; null if it no longer is. */
function filledAt(marketType: string, factor: number | null, direction: Direction, selection = 0) {
  const trade: Step =
    direction === 'for'
      ? [20_000, 'trade for', 500, 90, selection]
      : [20_000, 'trade against', 1.2, 90, selection];
  const tape = race(marketType, factor, [trade]);
  const [fate] = fillsOfQuotes(tape, [{ ...AGAINST, selection, direction }], TOUCH, { settings: INSTANT });
  return fate?.fills.map(({ tick }) => priceOf(tick))[0] ?? null;
}

describe('a removal in the fast engine', () => {
  it.each<[string, number | null, Direction, number, number | null]>([
    ['win', 30, 'for', 0, 3],
    ['win', 30, 'against', 0, null],
    ['win', 2.5, 'against', 0, null],
    ['win', 2.4, 'against', 0, 3],
    ['top', 4, 'against', 0, null],
    // 1 + 2 × 0.97 = 2.94, and 1 + 2 × 0.98 = 2.96.
    ['top', 3, 'against', 0, 2.94],
    ['top', 2, 'against', 0, 2.96],
    ['top', 3, 'for', 0, 3],
    ['win', null, 'against', 0, 3],
    ['wdw', 30, 'against', 0, 3],
    ['win', 30, 'for', 2, null],
    ['win', 1, 'against', 2, null],
  ])(
    '%s, factor %j: an order %s runner %d at 3 is filled at %j',
    (marketType, factor, direction, selection, expected) => {
      expect(filledAt(marketType, factor, direction, selection)).toBe(expected);
    },
  );

  it.each<[string, number, number, number | null]>([
    ['keeps an order in its delay at the reduced price', 3, 0, 2.94],
    ['cancels an order in its delay', 4, 0, null],
    ['closes an order in its delay on the runner', 3, 2, null],
  ])('%s', (_, factor, selection, expected) => {
    const tape = race('top', factor, [[20_000, 'trade against', 1.2, 90, selection]]);
    const settings = fastSettings({ placementDelayMs: [15_000, 15_000] });
    const [fate] = fillsOfQuotes(tape, [{ ...AGAINST, selection }], TOUCH, { settings });
    expect(fate?.fills.map(({ tick }) => priceOf(tick))[0] ?? null).toBe(expected);
    expect(fate?.restedFromMs).toBe(expected === null ? null : TAPE_START_MS + 15_001);
  });

  it('leaves a take that waits, which takes at the reduced price', () => {
    const tape = race('top', 3, [
      [20_000, 'for', 2.98, 20],
      [30_000, 'for', 2.9, 4],
    ]);
    const fills: [number, number][] = [];
    const nothing = (): void => undefined;
    const exchange = new RecordedExchange(tape, TOUCH, INSTANT, seededRandom(1, 'take'), {
      onFill: (_, tick, stakeMicros) => fills.push([priceOf(tick), stakeMicros]),
      onClosed: nothing,
      onQuotes: nothing,
      onState: nothing,
      onInPlay: nothing,
    });
    const { direction, tick, stakeMicros, placedMs } = AGAINST;
    const key = intentKey({
      selectionId: tape.selections[0]?.selectionId ?? ('' as never),
      direction,
      level: 0,
    });
    const terms = { id: 1, selection: 0, direction, tick, stakeMicros, key, level: 0 };
    const times = { sentMs: placedMs, answeredMs: placedMs, expiryMs: Infinity };
    exchange.place(newOrder({ ...terms, mode: 'take_only' }, times), placedMs);
    play(tape, exchange);
    expect(fills).toEqual([[2.9, 4e6]]);
  });

  it('puts a kept order behind the stake at its new price', () => {
    const tape = race('top', 3, [
      [5_000, 'against', 2.94, 40],
      [20_000, 'for', 900, 2],
    ]);
    const [fate] = fillsOfQuotes(tape, [AGAINST], TOUCH, { settings: INSTANT });
    expect(fate).toMatchObject({ queueAheadMicros: 40e6, restedFromMs: TAPE_START_MS + REMOVED_MS });
  });
});

describe('the price of a bet of a tape', () => {
  const price = (tape: EventTape, fromMs: number, toMs: number, selection = 0): number =>
    priceAfterRemovals(tape, selection, 3, [TAPE_START_MS + fromMs, TAPE_START_MS + toMs]);

  it('falls with a removal after the bet, until the instant that is asked for', () => {
    const tape = race('win', 30);
    expect(price(tape, 0, REMOVED_MS)).toBeCloseTo(2.1, 12);
    expect(price(tape, 0, REMOVED_MS - 1)).toBe(3);
    expect(price(tape, REMOVED_MS, Infinity)).toBe(3);
  });

  it.each([
    ['win', 2.49, 3],
    ['win', 2.5, 3 * 0.975],
    ['top', 1, 1 + 2 * 0.99],
    ['top', 0, 3],
  ])('of %s falls with a factor of %d to %d', (marketType, factor, expected) => {
    expect(price(race(marketType, factor), 0, Infinity)).toBeCloseTo(expected, 12);
  });

  it('stays without a factor, and in other markets', () => {
    expect(price(race('win', null), 0, Infinity)).toBe(3);
    expect(price(race('wdw', 30), 0, Infinity)).toBe(3);
  });
});

describe('the turns of a tape', () => {
  it('are gaps and removals in the order of their instants, also where gaps of two markets overlap', () => {
    const tape = {
      gaps: [
        { fromMs: 1, toMs: 9, market: 0 },
        { fromMs: 3, toMs: 5, market: 1 },
      ],
      removals: [{ atMs: 4, market: 0, selection: null, factor: 5 }],
    };
    expect(turnsOf(tape).map((turn) => [turn.atMs, 'gap' in turn ? turn.gap.isBegin : 'removal'])).toEqual([
      [1, true],
      [3, true],
      [4, 'removal'],
      [5, false],
      [9, false],
    ]);
  });
});
