import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/lib/time.ts';
import type { Phase } from '../../../src/research/facts/samples.ts';
import { MarketFacts } from '../../../src/research/facts/table.ts';
import { inPlay, open, type Step, suspended, tapeOf, type TapeOptions } from '../../support/tapes.ts';

const TWO_WAY: TapeOptions = {
  selections: [
    { outcome: 'odd', settlement: null },
    { outcome: 'even', settlement: null },
  ],
  markets: [{ marketType: 'oe' }],
};

/** Both sides of a selection, deep enough for a fair value. Takers `for` get the first price. */
const book = (ms: number, back: number, lay: number, selection: number): Step[] => [
  [ms, 'against', back, 100, selection],
  [ms, 'for', lay, 100, selection],
];

const OPENING: readonly Step[] = [[0, 'state', open], ...book(0, 2, 2.04, 0), ...book(0, 1.96, 2, 1)];

/** A last update, so that the recording reaches an instant. */
const until = (ms: number): Step => [ms, 'for', 50, 1, 0];

function measured(steps: readonly Step[], options: TapeOptions = TWO_WAY) {
  const facts = new MarketFacts();
  facts.add({ ...tapeOf(steps, options), inPlayMs: null });
  const all = facts.facts();
  return (figure: string, phase: Phase = 'before play'): number | null => {
    const found = all.find((fact) => fact.figure === figure && fact.phase === phase);
    if (found === undefined) throw new Error(`${figure} ${phase} is missing`);
    return found.value;
  };
}

describe('the facts of a market', () => {
  it('are the shape of its books, looked at every 10 s while it is open', () => {
    const of = measured([...OPENING, until(100_000)]);
    expect(of('time with a fair value')).toBe(1);
    // Log-odds of 2 and 2.04, of 1.96 and 2: 0 to -0.0392, 0.0408 to 0.
    expect(of('half-spread')).toBeCloseTo(0.0204, 4);
    expect(of('depth at the best price')).toBeCloseTo(100, 0);
    expect(of('overround at the touch')).toBeCloseTo(1 / 2 + 1 / 1.96 - 1, 9);
    expect(of('volatility')).toBe(0);
    // Nothing is known of trades where none are recorded.
    expect([of('trades'), of('suspensions')]).toEqual([null, 0]);
    expect([of('size of a trade'), of('effective half'), of('maker share after 10 s')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('are what a taker pays at once, and what the maker keeps of it', () => {
    const moved: Step[] = [
      [20_000, 'trade against', 2, 10, 0],
      [20_000, 'against', 2, 90, 0],
      // The taker knew: the selection is worth more.
      [22_000, 'against', 2, 0, 0],
      [22_000, 'for', 2.04, 0, 0],
      ...book(22_000, 1.9, 1.94, 0),
      [22_000, 'against', 1.96, 0, 1],
      [22_000, 'for', 2, 0, 1],
      ...book(22_000, 2.06, 2.1, 1),
    ];
    const of = measured([...OPENING, ...moved, until(100_000)]);
    expect(of('effective half')).toBeCloseTo(0.02, 2);
    expect(of('realised half after 10 s')).toBeCloseTo(0 - 0.08, 2);
    expect(of('maker share after 10 s')).toBeLessThan(-3);
    expect(of('realised half after 300 s')).toBeNull();
    // The other way round, the sign of what is paid is the same.
    const sold: Step[] = [
      [20_000, 'trade for', 2.04, 10, 0],
      [20_000, 'for', 2.04, 90, 0],
    ];
    expect(measured([...OPENING, ...sold, until(100_000)])('effective half')).toBeCloseTo(0.02, 2);
  });

  it.each([
    ['on time', 30_000, true],
    ['late', 60_000, true],
    ['very late', 300_000, true],
    ['never', null, false],
  ])('keep what the maker earns where the market is fair again %s', (_, againMs, isKept) => {
    const trade: Step[] = [
      [20_000, 'trade against', 2, 10, 0],
      [20_000, 'against', 2, 90, 0],
      [22_000, 'clear', 0],
      [22_000, 'clear', 1],
    ];
    const again = againMs === null ? [] : [...book(againMs, 1.9, 1.94, 0), ...book(againMs, 2.06, 2.1, 1)];
    const of = measured([...OPENING, ...trade, ...again, until(500_000)]);
    const realised = of('realised half after 10 s');
    if (isKept) expect(realised).toBeCloseTo(0 - 0.08, 2);
    else expect(realised).toBeNull();
    expect(of('effective half')).toBeCloseTo(0.02, 2);
  });

  it.each<[string, NonNullable<TapeOptions['gaps']>, trades: number, openS: number]>([
    ['without a gap', [], 2, 200],
    ['in a gap of all markets', [[40_000, 70_000]], 1, 140],
    ['in a gap of their market', [[40_000, 70_000, 0]], 1, 170],
    ['in a gap of another market', [[40_000, 70_000, 1]], 2, 170],
    [
      'in two gaps that overlap',
      [
        [40_000, 70_000, 0],
        [60_000, 90_000],
      ],
      1,
      120,
    ],
  ])('leave out what happens %s', (_, gaps, trades, openS) => {
    const options: TapeOptions = {
      selections: [
        { outcome: 'odd' },
        { outcome: 'even' },
        { outcome: 'dnb,h', market: 1 },
        { outcome: 'dnb,a', market: 1 },
      ],
      markets: [{ marketType: 'oe' }, { marketType: 'dnb' }],
      gaps,
    };
    const steps: Step[] = [
      ...OPENING,
      [0, 'state', open, 0, 1],
      [20_000, 'trade against', 2, 10, 0],
      [50_000, 'trade against', 2, 10, 0],
      until(100_000),
    ];
    expect(measured(steps, options)('trades')).toBeCloseTo((60 * trades) / openS, 9);
  });

  it('tell trades from cancels, and trades whose level did not fall', () => {
    const steps: Step[] = [
      [20_000, 'trade against', 2, 10, 0],
      [20_000, 'against', 2, 90, 0],
      // 30 leave, of which 12 traded.
      [30_000, 'trade against', 2, 12, 0],
      [30_000, 'against', 2, 60, 0],
      // A trade that no level shows.
      [40_000, 'trade for', 2.04, 8, 0],
      [50_000, 'against', 2, 0, 0],
    ];
    const of = measured([...OPENING, ...steps, until(100_000)]);
    expect(of('cancels')).toBeCloseTo(1 - 22 / 100, 9);
    expect(of('trades without a fall')).toBeCloseTo(8 / 30, 9);
    expect(of('life of a level')).toBe(50);
    expect(of('size of a trade')).toBe(10);
    expect(of('size of a trade, 95 %')).toBe(12);
    expect(of('trades')).toBeCloseTo(3 / (100 / 60), 9);
    expect(of('gaps of trades')).toBe(0);
  });

  it('are those of each phase, with suspensions and trades just before them', () => {
    const steps: Step[] = [
      [30_000, 'state', suspended],
      [50_000, 'state', open + inPlay],
      [70_000, 'trade against', 2, 10, 0],
      [78_000, 'trade against', 2, 5, 0],
      [80_000, 'state', suspended + inPlay],
      [95_000, 'state', open + inPlay],
    ];
    const of = measured([...OPENING, ...steps, until(200_000)]);
    expect(of('suspensions')).toBeCloseTo(3_600 / 30, 9);
    expect(of('trades in the last 5 s')).toBe(0);
    expect(of('trades', 'before play')).toBe(0);
    expect(of('length of a suspension')).toBe(20);
    expect(of('trades in the last 5 s', 'in play')).toBe(1);
    expect(of('length of a suspension', 'in play')).toBe(15);
    expect(of('move over a suspension', 'in play')).toBe(0);
    expect(of('volume in the last 5 min', 'in play')).toBeNull();
    expect(of('time with a fair value', 'in play')).toBeLessThan(1);
  });

  it.each([
    ['up', 2.2, 2.24, 2, 2.04],
    ['down', 2, 2.04, 2.2, 2.24],
  ])('have the size of a move over a suspension, %s alike', (_, back, lay, backLater, layLater) => {
    const steps: Step[] = [
      [0, 'state', open],
      ...book(0, back, lay, 0),
      [30_000, 'state', suspended],
      [40_000, 'clear', 0],
      ...book(40_000, backLater, layLater, 0),
      [50_000, 'state', open],
      until(200_000),
    ];
    const alone: TapeOptions = { selections: [{ outcome: 'ah,h,1' }], markets: [{ marketType: 'ah' }] };
    const size = (Math.log(1.2) + Math.log(1.24) - Math.log(1) - Math.log(1.04)) / 2;
    expect(measured(steps, alone)('move over a suspension')).toBeCloseTo(size, 9);
  });

  it.each<[string, emptyMs: number, againMs: number, move: number | null]>([
    ['measure a fair value that stood and is soon back', 40_000, 51_000, 0.05],
    ['measure one that is back within a minute', 40_000, 109_000, 0.05],
    ['measure one that is back after a minute exactly', 40_000, 110_000, 0.05],
    ['leave out one that is back later', 40_000, 111_000, null],
    ['leave out one that had ended before', 25_000, 51_000, null],
  ])('as moves over a suspension %s', (_, emptyMs, againMs, move) => {
    const steps: Step[] = [
      [emptyMs, 'clear', 0],
      [emptyMs, 'clear', 1],
      ...book(againMs, 1.9, 1.94, 0),
      ...book(againMs, 2.06, 2.1, 1),
    ];
    const states: Step[] = [
      [30_000, 'state', suspended],
      [50_000, 'state', open + inPlay],
    ];
    const inOrder = [...steps, ...states].toSorted(([a], [b]) => a - b);
    const moved = measured([...OPENING, ...inOrder, until(300_000)])('move over a suspension');
    if (move === null) expect(moved).toBeNull();
    else expect(moved).toBeGreaterThan(move);
  });

  it('know nothing of a fair value from before an earlier suspension that ended in a gap', () => {
    const steps: Step[] = [
      [30_000, 'state', suspended],
      [40_000, 'clear', 0],
      [40_000, 'clear', 1],
      [50_000, 'state', open],
      [90_000, 'state', suspended],
      [100_000, 'state', open + inPlay],
      ...book(110_000, 1.9, 1.94, 0),
      ...book(110_000, 2.06, 2.1, 1),
    ];
    const options = { ...TWO_WAY, gaps: [[45_000, 60_000]] } satisfies TapeOptions;
    const of = measured([...OPENING, ...steps, until(300_000)], options);
    expect([of('suspensions'), of('move over a suspension')]).toEqual([expect.any(Number), null]);
  });

  it.each([
    [24_999, 0],
    [25_000, 1],
    [29_999, 1],
  ])('count a trade at %i ms before a suspension at 30 s %i times', (ms, trades) => {
    const steps: Step[] = [
      [ms, 'trade against', 2, 10, 0],
      [30_000, 'state', suspended],
      [40_000, 'state', open],
    ];
    expect(measured([...OPENING, ...steps, until(100_000)])('trades in the last 5 s')).toBe(trades);
  });

  it.each([
    [299_999, [0, 0]],
    [300_000, [1, 0]],
    [539_999, [1, 0]],
    [540_000, [1, 1]],
  ])('count a trade at %i ms before play at 10 min as volume of its last minutes', (ms, shares) => {
    const facts = new MarketFacts();
    const tape = tapeOf([...OPENING, [ms, 'trade against', 2, 50, 0], until(580_000)], TWO_WAY);
    facts.add({ ...tape, inPlayMs: (tape.updates.atMs[0] ?? 0) + 600_000 });
    const of = (name: string) => facts.facts().find(({ figure }) => figure === name)?.value;
    expect([of('volume in the last 5 min'), of('volume in the last minute')]).toEqual(shares);
  });

  it('count volume before play by its distance from play', () => {
    const facts = new MarketFacts();
    const steps: Step[] = [
      [10_000, 'trade against', 2, 50, 0],
      [400_000, 'trade against', 2, 30, 0],
      [570_000, 'trade against', 2, 20, 0],
      until(580_000),
    ];
    const tape = tapeOf([...OPENING, ...steps], TWO_WAY);
    facts.add({ ...tape, inPlayMs: (tape.updates.atMs[0] ?? 0) + 600_000 });
    const of = (name: string) => facts.facts().find(({ figure }) => figure === name)?.value;
    expect([of('volume in the last 5 min'), of('volume in the last minute')]).toEqual([0.5, 0.2]);
  });

  it('see moves: volatility by bipower, of which a jump is no part', () => {
    const swings: Step[] = [];
    const swing = (ms: number, back: number, lay: number, other: readonly [number, number]): void => {
      for (const [selection, [b, l]] of [[back, lay], other].entries()) {
        swings.push([ms, 'clear', selection], ...book(ms, b as number, l as number, selection));
      }
    };
    // Up and down each 30 s by the same distance: neighbours' products are the squares.
    for (let at = 0; at < 40; at++)
      if (at % 2 === 0) swing(30_000 * at + 5_000, 2, 2.04, [1.96, 2]);
      else swing(30_000 * at + 5_000, 2.1, 2.14, [1.88, 1.9]);
    const calm = measured([...OPENING, ...swings, until(1_300_000)]);
    const volatility = calm('volatility') ?? NaN;
    expect(volatility).toBeGreaterThan(0.01);
    expect(calm('jumps')).toBe(0);
    swing(1_320_000, 4, 4.2, [1.31, 1.33]);
    const jumped = measured([...OPENING, ...swings, until(2_600_000)]);
    expect(jumped('jumps')).toBeGreaterThan(0.3);
  });

  it('are means over the match days that have them', () => {
    const facts = new MarketFacts();
    const trade = (stake: number): Step => [20_000, 'trade against', 2, stake, 0];
    for (const [day, trades] of [[trade(10)], [], [trade(30)]].entries()) {
      const tape = tapeOf([...OPENING, ...trades, until(100_000)], TWO_WAY);
      facts.add({ ...tape, startMs: tape.startMs + day * DAY_MS });
    }
    const of = (name: string) => facts.facts().find(({ figure }) => figure === name);
    expect(of('size of a trade')).toMatchObject({ value: 20, days: 2 });
    expect(of('time with a fair value')).toMatchObject({ value: 1, days: 3 });
  });

  it('are of the match day, whenever the recording begins', () => {
    const facts = new MarketFacts();
    const tape = tapeOf([...OPENING, until(100_000)], TWO_WAY);
    const nextDay = tape.startMs + DAY_MS;
    const early = { ...tape.updates, atMs: tape.updates.atMs.map((ms) => ms + DAY_MS) };
    for (const updates of [tape.updates, early]) facts.add({ ...tape, startMs: nextDay, updates });
    expect(facts.facts().find(({ figure }) => figure === 'half-spread')?.days).toBe(1);
  });

  it('have an interval over 30 match days, and none over fewer', () => {
    const factOf = (days: number) => {
      const facts = new MarketFacts();
      for (let day = 0; day < days; day++) {
        const tape = tapeOf(
          [...OPENING, [20_000, 'trade against', 2, 10 + (day % 7), 0], until(100_000)],
          TWO_WAY,
        );
        facts.add({ ...tape, startMs: tape.startMs + day * DAY_MS });
      }
      return facts.facts().find(({ figure }) => figure === 'size of a trade');
    };
    expect(factOf(29)).toMatchObject({ days: 29, interval: null });
    const { interval, value, days } = factOf(30) ?? { interval: null, value: NaN, days: 0 };
    expect([days, interval !== null]).toEqual([30, true]);
    expect(interval?.[0]).toBeLessThan(value ?? NaN);
    expect(interval?.[1]).toBeGreaterThan(value ?? NaN);
  });
});
