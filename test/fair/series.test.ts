import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { probabilityAt } from '../../src/fair/worth.ts';
import { FAIR, FAIR_VARIANTS, type FairOptions } from '../../src/fair/options.ts';
import { lineOfFill } from '../../src/fair/closing-line.ts';
import { fairSeries } from '../../src/fair/series.ts';
import type { EventTape } from '../../src/research/tape.ts';
import {
  closed,
  generatedSteps,
  inPlay,
  open,
  type Step,
  suspended,
  TAPE_START_MS,
  type TapeOptions,
  tapeOf,
} from '../support/tapes.ts';

const at = (ms: number): number => TAPE_START_MS + ms;
const ofMatch: TapeOptions = {
  selections: [
    { outcome: 'h', settlement: WIN },
    { outcome: 'd', settlement: LOSS },
  ],
};
const seriesOf = (steps: readonly Step[], options: TapeOptions = {}) => fairSeries(tapeOf(steps, options));
/** The log-odds of the middle of two prices. */
const midOf = (back: number, lay: number): number => -(Math.log(back - 1) + Math.log(lay - 1)) / 2;
const whyAt = (steps: readonly Step[], ms: number, options: TapeOptions = {}): string | null =>
  seriesOf(steps, options).fairAt(0, at(ms)).why;

/** A book of takers' prices from an instant on. */
const book = (ms: number, back: number, lay: number, stake = 100): Step[] => [
  [ms, 'against', back, stake],
  [ms, 'for', lay, stake],
];
const END: Step = [900_000, 'state', closed];

describe('the numbers of the definition', () => {
  const held = [[100_000, 'state', suspended] as Step, [110_000, 'state', open] as Step];
  const tape = tapeOf([...book(0, 2, 2.1, 25), ...held, END]);
  /** When the value is there again after the market opened. */
  const backMs = (options: FairOptions): number =>
    Array.from({ length: 100 }, (_, step) => 110_000 + 250 * step).find(
      (ms) => fairSeries(tape, options).fairAt(0, at(ms) + 1).why === null,
    ) ?? Infinity;

  it('are depth, width and hold, which can be others', () => {
    expect(backMs(FAIR)).toBe(115_000);
    expect(backMs({ ...FAIR, holdMs: 10_000 })).toBe(120_000);
    expect(backMs({ ...FAIR, holdMs: 2_500 })).toBe(112_500);
    const why = (options: FairOptions): string | null => fairSeries(tape, options).fairAt(0, at(50_000)).why;
    // 25 of stake are 25.0 and 26.2 of risk; the width is 0.095.
    expect(why({ ...FAIR, riskMicros: 25e6 })).toBeNull();
    expect(why({ ...FAIR, riskMicros: 25e6 + 1 })).toBe('a side is thin');
    expect(why({ ...FAIR, width: 0.096 })).toBeNull();
    expect(why({ ...FAIR, width: 0.095 })).toBe('the sides are far apart');
  });

  it('are halved and doubled, each by itself, for the variants', () => {
    const numbers = FAIR_VARIANTS.map(({ riskMicros, width, holdMs }) => [
      riskMicros / FAIR.riskMicros,
      width / FAIR.width,
      holdMs / FAIR.holdMs,
    ]);
    expect(numbers).toEqual([
      [0.5, 1, 1],
      [1, 0.5, 1],
      [1, 1, 0.5],
      [2, 1, 1],
      [1, 2, 1],
      [1, 1, 2],
    ]);
  });
});

describe('the fair value of one book', () => {
  const steps = [...book(0, 2, 2.1), [1_000, 'against', 2, 0] as Step, ...book(1_000, 1.98, 2.1), END];

  it('is the middle of the touches in log-odds, before the updates of an instant', () => {
    const series = seriesOf(steps);
    expect(series.fairAt(0, at(0)).logOdds).toBeNull();
    expect(series.fairAt(0, at(1_000)).logOdds).toBeCloseTo(midOf(2, 2.1), 12);
    expect(series.fairAt(0, at(1_001)).logOdds).toBeCloseTo(midOf(1.98, 2.1), 12);
    expect(series.lastAt(0, at(-1))).toBeNull();
    expect(series.lastAt(0, at(0))).toBeCloseTo(midOf(2, 2.1), 12);
    expect(series.updatedBefore(0, at(1_000))).toBe(at(0));
  });

  it.each<[string, Step[], TapeOptions]>([
    ['a side is empty', [[0, 'for', 2.1, 100]], {}],
    [
      'a side is thin',
      [
        [0, 'against', 2, 19],
        [0, 'for', 2.1, 100],
      ],
      {},
    ],
    ['the sides cross', book(0, 2.1, 2), {}],
    ['the sides are far apart', book(0, 2, 2.3), {}],
    ['the market is not open', [...book(0, 2, 2.1), [20_000, 'state', suspended]], {}],
    ['the market is not open', book(0, 2, 2.1), { gaps: [[29_000, 40_000]] }],
    [
      'the runner does not take part',
      book(0, 2, 2.1),
      { removals: [{ atMs: 20, market: 0, selection: 0, factor: 40 }] },
    ],
  ])('is none because %s', (why, given, options) => {
    expect(whyAt([...given, END], 30_000, options)).toBe(why);
  });

  it.each<[string, Step[], TapeOptions, number]>([
    [
      'a suspension',
      [
        [10_000, 'state', suspended],
        [20_000, 'state', open],
      ],
      {},
      25_000,
    ],
    [
      'a suspension, by the bet delay',
      [
        [10_000, 'state', suspended],
        [20_000, 'state', open + inPlay, 8_000],
      ],
      {},
      28_000,
    ],
    ['a gap', [], { gaps: [[10_000, 20_000]] }, 25_000],
    [
      'gaps that overlap',
      [],
      {
        gaps: [
          [10_000, 20_000],
          [12_000, 18_000],
        ],
      },
      25_000,
    ],
    ['a removal', [], { removals: [{ atMs: 20_000, market: 0, selection: null, factor: 3 }] }, 25_000],
  ])('holds after %s', (_, given, options, fromMs) => {
    const whole = [...book(0, 2, 2.1), ...given, END];
    expect(whyAt(whole, fromMs, options)).toBe('the market is not open for long enough');
    expect(whyAt(whole, fromMs + 1, options)).toBeNull();
  });
});

it.each([
  [0, 'the market is not open', null],
  [1, null, 'the market is not open'],
  [null, 'the market is not open', 'the market is not open'],
] as const)('a gap of market %j stops its own fair values alone', (market, first, second) => {
  const steps = [...book(0, 2, 2.1), ...book(0, 2, 2.1).map((step) => [...step, 1] as unknown as Step), END];
  const series = seriesOf(steps, {
    selections: [{ outcome: 'ah,h,1' }, { outcome: 'ah,h,2', market: 1 }],
    markets: [{}, {}],
    gaps: [market === null ? [10_000, 20_000] : [10_000, 20_000, market]],
  });
  expect([0, 1].map((selection) => series.fairAt(selection, at(15_000)).why)).toEqual([first, second]);
  expect([0, 1].map((selection) => series.fairAt(selection, at(26_000)).why)).toEqual([null, null]);
});

describe('the fair values of a set', () => {
  const match: TapeOptions = { selections: [{ outcome: 'h' }, { outcome: 'd' }, { outcome: 'a' }] };
  const booksOf = (lay: number): Step[] =>
    [
      ...book(0, 2, 2.06),
      ...book(0, 4, 4.3).map((step) => [...step.slice(0, 4), 1]),
      [0, 'against', 3.9, 100, 2],
      [0, 'for', lay, 100, 2],
      END,
    ] as Step[];

  it('add up to one', () => {
    const series = seriesOf(booksOf(4.2), match);
    const fair = [0, 1, 2].map((selection) => series.fairAt(selection, at(1)).logOdds ?? NaN);
    expect(fair.reduce((sum, each) => sum + probabilityAt(each), 0)).toBeCloseTo(1, 12);
    // The mids add up to 0.981, so all rise.
    expect(fair[0]).toBeGreaterThan(midOf(2, 2.06));
  });

  it('count a book that is too wide, which gets none itself', () => {
    const series = seriesOf(booksOf(5.2), match);
    expect(series.fairAt(2, at(1)).why).toBe('the sides are far apart');
    expect(series.fairAt(0, at(1)).logOdds).not.toBeNull();
    expect(series.fairAt(0, at(1)).logOdds).not.toBeCloseTo(midOf(2, 2.06), 6);
  });

  it('are none if runners without two sides could hold a part', () => {
    const steps = booksOf(4.2).filter(([, what, , , selection]) => !(what === 'for' && selection === 2));
    expect(whyAt(steps, 1, match)).toBe('other runners may win');
  });

  it('are none after a removal until the rest add up', () => {
    const removals = [{ atMs: 20_000, market: 0, selection: 2, factor: null }];
    const rest = [
      ...booksOf(4.2),
      [40_000, 'against', 1.33, 100] as Step,
      [40_000, 'for', 2.06, 0] as Step,
      [40_000, 'for', 1.35, 100] as Step,
    ].toSorted(([a], [b]) => a - b);
    expect(whyAt(rest, 20_000, { ...match, removals })).toBeNull();
    expect(whyAt(rest, 24_000, { ...match, removals })).toBe('the market is not open for long enough');
    expect(whyAt(rest, 30_000, { ...match, removals })).toBe('the books of the set disagree');
    expect(whyAt(rest, 41_000, { ...match, removals })).toBe('the sides cross');
  });
});

describe('a mark', () => {
  const moves: Step[] = [
    ...book(0, 2, 2.1),
    [12_000, 'for', 2.1, 0],
    [40_000, 'for', 2.12, 100],
    [100_000, 'state', suspended],
    [200_000, 'state', open],
    END,
  ];
  const markAfter = (ms: number, horizonS: number, options = ofMatch) =>
    seriesOf(moves, options).markAfter(0, at(ms), horizonS);

  it('is the fair value at its time', () => {
    const mark = markAfter(1_000, 10);
    expect(mark).toMatchObject({ kind: 'on time', atMs: at(11_000) });
    expect(mark.logOdds).toBeCloseTo(midOf(2, 2.1), 12);
  });

  it('is late by more than half its horizon, and on time by half', () => {
    expect(markAfter(3_000, 10)).toMatchObject({ kind: 'late', atMs: at(40_000) });
    expect(markAfter(25_000, 10)).toMatchObject({ kind: 'on time', atMs: at(40_000) });
    expect(markAfter(24_999, 10)).toMatchObject({ kind: 'late', atMs: at(40_000) });
  });

  it('counts open time alone', () => {
    // Due 60 s of open time later, 40 of them after the suspension.
    expect(markAfter(80_000, 60)).toMatchObject({ kind: 'on time', atMs: at(240_000) });
    // Due at the suspension; prices settle 5 s after it.
    expect(markAfter(90_000, 10)).toMatchObject({ kind: 'on time', atMs: at(205_000) });
  });

  it('may be that of the last update of the recording, and is none beyond', () => {
    const series = seriesOf([...book(0, 2, 2.1), [60_000, 'for', 2.14, 1]], ofMatch);
    expect(series.markAfter(0, at(50_000), 10)).toMatchObject({ kind: 'on time', atMs: at(60_000) });
    expect(series.markAfter(0, at(50_001), 10)).toEqual({ kind: 'result', logOdds: null });
  });

  it('is the result if no fair value comes, or none without one', () => {
    expect(markAfter(890_000, 60)).toEqual({ kind: 'result', logOdds: null });
    expect(markAfter(890_000, 60, {})).toEqual({ kind: 'none', logOdds: null });
  });
});

describe('the closing line', () => {
  const moves: Step[] = [
    ...book(0, 2, 2.1),
    [570_000, 'for', 2.1, 0],
    [570_000, 'for', 2.2, 100],
    [600_000, 'state', suspended],
    [650_000, 'state', suspended + inPlay, 5_000],
    [700_000, 'state', open + inPlay, 5_000],
    END,
  ];

  it('is the mean of the last minute before the suspension that turns the market in play', () => {
    const line = seriesOf(moves).closingLine(0);
    expect(line).toMatchObject({ fromMs: at(540_000), toMs: at(600_000) });
    expect(line.logOdds).toBeCloseTo((midOf(2, 2.1) + midOf(2, 2.2)) / 2, 12);
    expect(lineOfFill(line, at(539_999)).logOdds).toBe(line.logOdds);
    expect(lineOfFill(line, at(540_000)).why).toBe('the fill is in the last minute before play');
    expect(lineOfFill(line, at(600_000)).why).toBe('the fill is in play');
  });

  it('is the mean of the time with a fair value', () => {
    const thin: Step[] = [
      ...moves.slice(0, 2),
      [560_000, 'for', 2.1, 1],
      [600_000, 'state', open + inPlay, 5_000],
    ];
    expect(seriesOf(thin).closingLine(0).logOdds).toBeCloseTo(midOf(2, 2.1), 12);
  });

  it.each<[string, Step[]]>([
    ['the recording ends before play', [...book(0, 2, 2.1), [600_000, 'for', 2.1, 90]]],
    ['no fair value in the last minute before play', [...book(0, 2, 2.4), END]],
  ])('is none because %s', (why, steps) => {
    expect(seriesOf(steps).closingLine(0).why).toBe(why);
  });
});

describe('the last fair value of the recording', () => {
  const ends: Step[] = [...book(0, 2, 2.1), [30_000, 'for', 2.1, 0]];
  const lastOf = (ms: number, more: readonly Step[] = []) =>
    seriesOf([...ends, ...more, END]).lastAfter(0, at(ms));
  const lastAfter = (ms: number, more: readonly Step[] = []): number | null =>
    lastOf(ms, more)?.logOdds ?? null;

  it('counts for a fill as long as it stood after it', () => {
    expect(lastAfter(29_999)).toBeCloseTo(midOf(2, 2.1), 12);
    expect(lastAfter(30_000)).toBeNull();
    expect(lastAfter(100_000)).toBeNull();
  });

  it('stood until just before it ended: by its book, or by the close of its market', () => {
    expect(lastOf(10_000)?.atMs).toBe(at(29_999));
    expect(lastOf(10_000, [[50_000, 'for', 2.2, 100]])?.atMs).toBe(at(END[0] - 1));
  });

  it('is a later one if the book comes back', () => {
    const again: Step[] = [[50_000, 'for', 2.2, 100]];
    for (const ms of [10_000, 40_000, 60_000]) expect(lastAfter(ms, again)).toBeCloseTo(midOf(2, 2.2), 12);
  });

  it('is none where none ever stood', () => {
    expect(seriesOf([[0, 'for', 2.1, 100], END]).lastAfter(0, at(-1))).toBeNull();
  });
});

describe('every series', () => {
  /** All that a series says of a selection, at regular instants. */
  function said(tape: EventTape, byMs = 0): unknown[] {
    const series = fairSeries(tape);
    return Array.from({ length: 200 }, (_, step) => {
      const ms = at(step * 400 + byMs);
      const { logOdds, why } = series.fairAt(0, ms);
      const mark = series.markAfter(0, ms, 10);
      return { logOdds, why, kind: mark.kind, mark: mark.logOdds };
    });
  }

  it('does not depend on when it happened', () => {
    fc.assert(
      fc.property(generatedSteps, (steps) => {
        const later = steps.map(([ms, ...rest]) => [ms + 86_400_000, ...rest] as unknown as Step);
        expect(said(tapeOf(later), 86_400_000)).toEqual(said(tapeOf(steps)));
      }),
      { numRuns: 30 },
    );
  });

  it('does not see levels behind the touch', () => {
    const deep: Step[] = [
      [0, 'against', 2.32, 500],
      [0, 'for', 2.5, 500],
    ];
    fc.assert(
      fc.property(generatedSteps, (steps) => {
        const near = steps.filter(([, , price]) => price !== 2.32 && price !== 2.5);
        const [without, withFar] = [
          tapeOf([...deep, ...near]),
          tapeOf([...deep, [0, 'against', 1.5, 300], [0, 'for', 9, 80], ...near]),
        ];
        expect(said(withFar)).toEqual(said(without));
      }),
      { numRuns: 30 },
    );
  });

  it('is the same for an image as for the changes that lead to it', () => {
    const image: Step[] = [...book(0, 2, 2.1), [5_000, 'clear'], ...book(5_000, 2, 2.1), END];
    expect(said(tapeOf(image))).toEqual(said(tapeOf([...book(0, 2, 2.1), END])));
  });

  it('has pairs that add up to one', () => {
    const line: TapeOptions = { selections: [{ outcome: 'ah,h,1' }, { outcome: 'ah,a,1' }] };
    const away = (steps: readonly Step[]) =>
      steps.map((step) =>
        typeof step[3] === 'number' && step.length < 5 && step[1] !== 'state' ? [...step, 1] : step,
      ) as Step[];
    const steps = [...book(0, 1.9, 1.95), ...away(book(0, 2.06, 2.14)), END];
    const series = seriesOf(steps, line);
    const [home, visitor] = [0, 1].map((selection) =>
      probabilityAt(series.fairAt(selection, at(1)).logOdds ?? NaN),
    );
    expect((home ?? NaN) + (visitor ?? NaN)).toBeCloseTo(1, 12);
  });
});
