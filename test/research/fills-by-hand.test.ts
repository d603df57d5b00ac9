import { describe, expect, it } from 'vitest';
import { fromMicros, toMicros } from '../../src/domain/money.ts';
import { priceOf, tickOf } from '../../src/domain/ladder.ts';
import type { Direction } from '../../src/domain/selection.ts';
import { FILL_MODELS } from '../../src/fills/scenarios.ts';
import { fillsOfQuotes, type FixedQuote } from '../../src/research/fast/fixed-quotes.ts';
import { fastSettings } from '../../src/research/fast/settings.ts';
import { SCENARIOS, type Scenario } from '../../src/fills/fill-model.ts';
import { closed, inPlay, open, type Step, suspended, TAPE_START_MS, tapeOf } from '../support/tapes.ts';

/** An exchange that places at once. */
const INSTANT = fastSettings({ placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] });

const quote = (
  direction: Direction,
  price: number,
  stake: number,
  { placedMs = 10, closedMs = null as number | null, selection = 0 } = {},
): FixedQuote => ({
  selection,
  direction,
  tick: tickOf(price) ?? -1,
  stakeMicros: toMicros(stake),
  placedMs: TAPE_START_MS + placedMs,
  closedMs: closedMs === null ? null : TAPE_START_MS + closedMs,
});

/** The fills of each quote as texts: instant, stake, price, cause. */
const fills = (
  scenario: Scenario,
  steps: readonly Step[],
  quotes: readonly FixedQuote[],
  settings = INSTANT,
  options = {},
): string[][] =>
  fillsOfQuotes(tapeOf(steps, options), quotes, FILL_MODELS[scenario], { settings }).map((fate) =>
    fate.fills.map(
      ({ atMs, stakeMicros, tick, cause }) =>
        `${atMs - TAPE_START_MS}: ${fromMicros(stakeMicros)} @ ${priceOf(tick)} ${cause}`,
    ),
  );

const inEach = (steps: readonly Step[], quotes: readonly FixedQuote[]): Record<string, string[][]> =>
  Object.fromEntries(SCENARIOS.map((scenario) => [scenario, fills(scenario, steps, quotes)]));

/** 100 rests `for` at 2.5, and 80 `against` at 2.3. */
const BOOK: readonly Step[] = [
  [0, 'for', 2.5, 100],
  [0, 'against', 2.3, 80],
];

describe('a quote behind 100 of recorded stake', () => {
  it('fills at once under touch, after the stake ahead under queue, and when the price is passed under through', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [100, 'trade for', 2.5, 30],
      [100, 'for', 2.5, 70],
      [150, 'for', 2.5, 80],
      [200, 'trade for', 2.5, 75],
      [200, 'for', 2.5, 5],
      [300, 'trade for', 2.52, 50],
    ];
    expect(inEach(steps, [quote('for', 2.5, 40)])).toEqual({
      touch: [['100: 30 @ 2.5 trade', '200: 10 @ 2.5 trade']],
      queue: [['200: 5 @ 2.5 trade', '300: 35 @ 2.5 trade']],
      through: [['300: 40 @ 2.5 trade']],
    });
  });

  it('is reached by no trade at a better price for takers, and by none of the other side', () => {
    const steps: readonly Step[] = [...BOOK, [100, 'trade for', 2.48, 500], [200, 'trade against', 2.5, 500]];
    expect(inEach(steps, [quote('for', 2.5, 40)])).toEqual({ touch: [[]], queue: [[]], through: [[]] });
  });

  it('moves up by the share of the power law when stake is cancelled', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      // 100 ahead and 100 behind: half of a cancellation of 50 was ahead.
      [100, 'for', 2.5, 200],
      [200, 'for', 2.5, 150],
      // 75 ahead.
      [300, 'trade for', 2.5, 76],
      [300, 'for', 2.5, 74],
    ];
    expect(fills('queue', steps, [quote('for', 2.5, 40)])).toEqual([['300: 1 @ 2.5 trade']]);
    // 100 ahead and 50 behind: 8/9 of a cancellation of 45.
    const longer: readonly Step[] = [
      ...BOOK,
      [100, 'for', 2.5, 150],
      [200, 'for', 2.5, 105],
      [300, 'trade for', 2.5, 61],
      [300, 'for', 2.5, 44],
    ];
    expect(fills('queue', longer, [quote('for', 2.5, 40)])).toEqual([['300: 1 @ 2.5 trade']]);
  });

  it('does not count a trade and the fall of its level twice', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [100, 'for', 2.5, 200],
      [200, 'trade for', 2.5, 60],
      [200, 'for', 2.5, 140],
      // 40 ahead, 100 behind.
      [300, 'trade for', 2.5, 41],
      [300, 'for', 2.5, 99],
    ];
    expect(fills('queue', steps, [quote('for', 2.5, 40)])).toEqual([['300: 1 @ 2.5 trade']]);
  });

  it('keeps its place when an image repeats the level', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [100, 'clear'],
      [100, 'for', 2.5, 100],
      [150, 'for', 2.5, 110],
      [200, 'trade for', 2.5, 101],
      [200, 'for', 2.5, 9],
    ];
    expect(fills('queue', steps, [quote('for', 2.5, 40)])).toEqual([['200: 1 @ 2.5 trade']]);
    const gone: readonly Step[] = [
      ...BOOK,
      [100, 'clear'],
      [100, 'against', 2.3, 80],
      [150, 'for', 2.5, 100],
      [200, 'trade for', 2.5, 1],
      [200, 'for', 2.5, 99],
    ];
    expect(fills('queue', gone, [quote('for', 2.5, 40)])).toEqual([['200: 1 @ 2.5 trade']]);
  });
});

describe('a trade', () => {
  const behind = [quote('for', 2.5, 40)];

  it('moves the queue at its price as far as the level falls at its instant', () => {
    const later: readonly Step[] = [
      [900, 'for', 2.5, 200],
      [950, 'trade for', 2.5, 61],
      [950, 'for', 2.5, 139],
    ];
    const moves = (...steps: readonly Step[]): string[][] =>
      fills('queue', [...BOOK, ...steps, ...later], behind);
    // Of the 100 ahead, 60 are left, 100, 100, and 60.
    expect(moves([100, 'trade for', 2.5, 90], [100, 'for', 2.5, 60])).toEqual([['950: 1 @ 2.5 trade']]);
    expect(moves([100, 'trade for', 2.5, 90])).toEqual([[]]);
    expect(moves([100, 'trade for', 2.5, 90], [100, 'for', 2.5, 120])).toEqual([[]]);
    expect(moves([100, 'trade for', 2.5, 30], [100, 'trade for', 2.5, 30], [100, 'for', 2.5, 60])).toEqual([
      ['950: 1 @ 2.5 trade'],
    ]);
  });

  it('does not move it by a fall of another instant, price, side or selection', () => {
    const options = { selections: [{ outcome: 'h' }, { outcome: 'a' }] };
    const trade: Step = [100, 'trade for', 2.5, 50];
    const others: readonly (readonly Step[])[] = [
      // Half of such a fall is cancelled from before the quote: 75 are left ahead.
      [trade, [101, 'for', 2.5, 150]],
      [[99, 'for', 2.5, 150], trade],
      [[99, 'for', 2.48, 60], trade, [100, 'for', 2.48, 10]],
      [trade, [100, 'against', 2.3, 30]],
      [[99, 'for', 2.5, 60, 1], trade, [100, 'for', 2.5, 10, 1]],
    ];
    const later: readonly Step[] = [
      [900, 'for', 2.5, 200],
      [950, 'trade for', 2.5, 75],
      [950, 'for', 2.5, 125],
    ];
    for (const steps of others)
      expect(
        fills('queue', [...BOOK, [50, 'for', 2.5, 200], ...steps, ...later], behind, INSTANT, options),
      ).toEqual([[]]);
  });

  it('fills a quote at a better price by its whole size, and the queue by what is left of it', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [50, 'for', 2.5, 300],
      [100, 'trade for', 2.5, 130],
      [100, 'for', 2.5, 160],
    ];
    const quotes = [quote('for', 2.5, 20), quote('for', 2.48, 25)];
    // 105 are left after the better quote, and the level fell by 140.
    expect(fills('queue', steps, quotes)).toEqual([['100: 5 @ 2.5 trade'], ['100: 25 @ 2.48 trade']]);
    expect(fills('queue', [...BOOK, [100, 'trade for', 2.5, 130]], quotes)).toEqual([
      [],
      ['100: 25 @ 2.48 trade'],
    ]);
  });
});

describe('a book that crosses a quote', () => {
  it('fills it once for each unit of the level, at the price of the quote', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [100, 'against', 2.52, 15],
      [200, 'against', 2.52, 25],
      [300, 'against', 2.52, 5],
      [400, 'against', 2.52, 9],
    ];
    const each = ['100: 15 @ 2.5 book-crossed', '200: 10 @ 2.5 book-crossed', '400: 4 @ 2.5 book-crossed'];
    expect(inEach(steps, [quote('for', 2.5, 40)])).toEqual({ touch: [each], queue: [each], through: [each] });
  });

  it('fills it at its very price, but not under through', () => {
    const steps: readonly Step[] = [...BOOK, [100, 'against', 2.5, 15]];
    const each = ['100: 15 @ 2.5 book-crossed'];
    expect(inEach(steps, [quote('for', 2.5, 40)])).toEqual({ touch: [each], queue: [each], through: [[]] });
  });
});

describe('two quotes', () => {
  it('share the volume of one trade at one price, the older first', () => {
    const steps: readonly Step[] = [...BOOK, [100, 'trade for', 2.5, 30], [200, 'trade for', 2.52, 30]];
    const quotes = [quote('for', 2.5, 20), quote('for', 2.5, 20)];
    expect(inEach(steps, quotes)).toEqual({
      touch: [['100: 20 @ 2.5 trade'], ['100: 10 @ 2.5 trade', '200: 10 @ 2.5 trade']],
      queue: [['200: 20 @ 2.5 trade'], ['200: 10 @ 2.5 trade']],
      through: [['200: 20 @ 2.5 trade'], ['200: 10 @ 2.5 trade']],
    });
  });

  it('share it over prices, the better price for takers first', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [50, 'for', 2.5, 300],
      [100, 'trade for', 2.5, 130],
      [100, 'for', 2.5, 170],
    ];
    const quotes = [quote('for', 2.5, 20), quote('for', 2.48, 25)];
    expect(inEach(steps, quotes)).toEqual({
      touch: [['100: 20 @ 2.5 trade'], ['100: 25 @ 2.48 trade']],
      queue: [['100: 5 @ 2.5 trade'], ['100: 25 @ 2.48 trade']],
      through: [[], ['100: 25 @ 2.48 trade']],
    });
  });

  it('of both sides take no unit twice: a trade has one side', () => {
    const steps: readonly Step[] = [...BOOK, [100, 'trade for', 2.5, 500]];
    const quotes = [quote('for', 2.5, 20), quote('against', 2.32, 20)];
    expect(fills('touch', steps, quotes)).toEqual([['100: 20 @ 2.5 trade'], []]);
  });
});

describe('a quote that takes when it arrives', () => {
  it('gets what rests at its price or better, at those prices, and rests the remainder', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [0, 'against', 2.32, 30],
      [100, 'against', 2.32, 30],
      [100, 'against', 2.3, 90],
      [200, 'against', 2.3, 100],
    ];
    const taking = ['10: 30 @ 2.32 taken', '10: 80 @ 2.3 taken', '100: 10 @ 2.3 book-crossed'];
    for (const scenario of ['touch', 'queue'] as const) {
      expect(fills(scenario, steps, [quote('for', 2.3, 120)])).toEqual([taking]);
    }
  });
});

describe('the state of the market', () => {
  it('stops every fill while it is suspended, and lets crossing orders take when it opens', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [50, 'state', suspended],
      [100, 'trade for', 2.52, 500],
      [100, 'against', 2.52, 15],
      [200, 'state', open],
    ];
    expect(inEach(steps, [quote('for', 2.5, 40)])).toEqual({
      touch: [['200: 15 @ 2.52 taken']],
      queue: [['200: 15 @ 2.52 taken']],
      through: [['200: 15 @ 2.52 taken']],
    });
  });

  it('closes orders when the event turns in play and when its market closes', () => {
    const after: Step = [100, 'trade for', 2.52, 10];
    const turned: readonly Step[] = [...BOOK, [50, 'state', open + inPlay], after];
    expect(fills('touch', turned, [quote('for', 2.5, 40)])).toEqual([[]]);
    expect(fills('touch', turned, [quote('for', 2.5, 40, { placedMs: 60 })])).toEqual([
      ['100: 10 @ 2.5 trade'],
    ]);
    const ended: readonly Step[] = [...BOOK, [50, 'state', closed], after];
    expect(fills('touch', ended, [quote('for', 2.5, 40)])).toEqual([[]]);
    expect(fills('touch', ended, [quote('for', 2.5, 40, { placedMs: 60 })])).toEqual([[]]);
  });

  it('delays orders in play by the recorded bet delay, by the state when they reach the exchange', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [50, 'state', open + inPlay, 5_000],
      [5_059, 'trade for', 2.5, 10],
      [5_060, 'trade for', 2.5, 11],
      [5_061, 'trade for', 2.5, 12],
    ];
    expect(fills('touch', steps, [quote('for', 2.5, 40, { placedMs: 60 })])).toEqual([
      ['5060: 11 @ 2.5 trade', '5061: 12 @ 2.5 trade'],
    ]);
    const before = [quote('for', 2.5, 40, { placedMs: 49 })];
    expect(fills('touch', steps, before)).toEqual([[]]);
  });

  it('uses the delays of the exchange in play where the recording states none', () => {
    const settings = fastSettings({ placementDelayMs: [200, 200], inPlayDelayMs: [700, 700] });
    const steps: readonly Step[] = [
      ...BOOK,
      [50, 'state', open + inPlay],
      [959, 'trade for', 2.5, 10],
      [960, 'trade for', 2.5, 11],
    ];
    expect(fills('touch', steps, [quote('for', 2.5, 40, { placedMs: 60 })], settings)).toEqual([
      ['960: 11 @ 2.5 trade'],
    ]);
  });

  describe('under a passive bet delay', () => {
    const passive = { markets: [{ betDelayModels: ['PASSIVE'] }] };
    const steps: readonly Step[] = [
      [0, 'state', open + inPlay, 1_000],
      ...BOOK,
      [20, 'trade for', 2.5, 1],
      [1_009, 'against', 2.3, 50],
      [1_010, 'trade for', 2.5, 2],
    ];

    it('rests an order at once that matches nothing', () => {
      expect(fills('touch', steps, [quote('for', 2.5, 40)], INSTANT, passive)).toEqual([
        ['20: 1 @ 2.5 trade', '1010: 2 @ 2.5 trade'],
      ]);
      expect(fills('touch', steps, [quote('for', 2.5, 40)])).toEqual([['1010: 2 @ 2.5 trade']]);
    });

    it('holds an order that would match, and matches it with what is there then', () => {
      expect(fills('touch', steps, [quote('for', 2.3, 60)], INSTANT, passive)).toEqual([
        ['1010: 50 @ 2.3 taken', '1010: 2 @ 2.3 trade'],
      ]);
    });

    it('rests an order at once while the market is suspended', () => {
      const halted: readonly Step[] = [
        ...steps.slice(0, 3),
        [5, 'state', suspended + inPlay, 1_000],
        [500, 'state', open + inPlay, 1_000],
      ];
      expect(fills('touch', halted, [quote('for', 2.3, 60)], INSTANT, passive)).toEqual([
        ['500: 60 @ 2.3 taken'],
      ]);
    });
  });

  it('fills nothing in a gap of the recording', () => {
    const steps: readonly Step[] = [...BOOK, [100, 'trade for', 2.5, 10], [300, 'trade for', 2.5, 11]];
    const options = { gaps: [[50, 200]] };
    expect(fills('touch', steps, [quote('for', 2.5, 40)], INSTANT, options)).toEqual([
      ['300: 11 @ 2.5 trade'],
    ]);
  });
});

describe('an order', () => {
  it('fills before its cancellation arrives, and not after: the task of an instant comes before its updates', () => {
    const steps: readonly Step[] = [...BOOK, [99, 'trade for', 2.5, 3], [100, 'trade for', 2.5, 4]];
    expect(fills('touch', steps, [quote('for', 2.5, 40, { closedMs: 100 })])).toEqual([
      ['99: 3 @ 2.5 trade'],
    ]);
    expect(fills('touch', steps, [quote('for', 2.5, 40, { placedMs: 100 })])).toEqual([
      ['100: 4 @ 2.5 trade'],
    ]);
  });

  it('lapses at its expiry', () => {
    const steps: readonly Step[] = [...BOOK, [100, 'trade for', 2.5, 3]];
    const lapsing = { ...quote('for', 2.5, 40), expiryMs: TAPE_START_MS + 100 };
    expect(fills('touch', steps, [lapsing])).toEqual([[]]);
  });

  it('knows the stake ahead when it began to rest, and what traded at its price or beyond', () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [100, 'trade for', 2.5, 30],
      [150, 'trade for', 2.48, 30],
      [200, 'trade for', 2.52, 30],
    ];
    const [fate] = fillsOfQuotes(tapeOf(steps), [quote('for', 2.5, 40)], FILL_MODELS.queue, {
      settings: INSTANT,
    });
    expect(fate).toMatchObject({ queueAheadMicros: toMicros(100), tradedMicros: toMicros(60) });
    expect(fate?.restedFromMs).toBe(TAPE_START_MS + 10);
  });
});

describe('an order that will rest', () => {
  const own = fastSettings({ placementDelayMs: [100, 100], inPlayDelayMs: [2_000, 2_000] });

  it.each<[string, number, number, readonly string[], number]>([
    ['before play after its placement alone', open, 0, [], 100],
    ['before play after the recorded delay', open, 3_000, [], 3_100],
    ['before play at once under a passive one', open, 3_000, ['PASSIVE'], 100],
    ['in play after the recorded delay', open + inPlay, 5_000, [], 5_100],
    ['in play at once under a passive one', open + inPlay, 5_000, ['PASSIVE'], 100],
    ["in play after the exchange's own delay where none is recorded", open + inPlay, 0, [], 2_100],
    ['in play so, too, where none is recorded but its model is', open + inPlay, 0, ['PASSIVE'], 2_100],
  ])('rests %s', (_, state, betDelayMs, betDelayModels, afterMs) => {
    const steps: readonly Step[] = [[0, 'state', state, betDelayMs], ...BOOK, [60_000, 'for', 2.6, 1]];
    const tape = tapeOf(steps, { markets: [{ betDelayModels }] });
    const [fate] = fillsOfQuotes(tape, [quote('for', 2.48, 10)], FILL_MODELS.queue, { settings: own });
    expect(fate?.restedFromMs).toBe(TAPE_START_MS + 10 + afterMs);
  });
});
