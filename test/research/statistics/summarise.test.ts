import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { priceOf, tickOf } from '../../../src/domain/ladder.ts';
import { DIRECTIONS, selectionId } from '../../../src/domain/selection.ts';
import type { EventOutcome, ResearchFill, ScenarioResult } from '../../../src/research/result.ts';
import { drawdownOf, summarise } from '../../../src/research/statistics/summarise.ts';
import { warningsOf } from '../../../src/research/statistics/warnings.ts';
import { worthMicros } from '../../../src/fair/worth.ts';

const dayOf = (number: number): string => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);

const eventOf = (number: number) => ({ sport: sport('fb'), eventId: eventId(`${dayOf(number)},1,2`) });

interface Given extends Partial<ResearchFill> {
  readonly price?: number;
  readonly outcome?: string;
}

function fillOf(number: number, given: Given = {}): ResearchFill {
  const { price = 2, outcome = 'h', ...rest } = given;
  const { direction = 'for', stakeMicros = toMicros(10) } = rest;
  const { fairAtFill = 0.52, fairLater = [0.51, 0.5, null], fairAtClose = 0.53, settledMicros = null } = rest;
  const event = eventOf(number);
  const worthAt = (fair: number | null): number | null =>
    fair === null ? null : worthMicros({ direction, price, stakeMicros }, fair);
  return {
    event,
    selectionId: selectionId(event.sport, event.eventId, outcome),
    marketId: '1.1',
    direction,
    tick: tickOf(price) ?? -1,
    stakeMicros,
    atMs: 0,
    startsInMs: 1,
    inPlay: false,
    restedFromMs: 0,
    queueAheadMicros: 0,
    tradedMicros: 0,
    cause: 'trade',
    hedge: null,
    fairAtFill,
    worthMicros: worthAt(fairAtFill),
    markKinds: fairLater.map((fair) => (fair === null ? 'result' : 'on time')),
    fairLater,
    markMicros: fairLater.map((fair) => worthAt(fair) ?? settledMicros),
    fairAtClose,
    closingMicros: worthAt(fairAtClose),
    noClosing: fairAtClose === null ? 'the fill is in play' : null,
    startingMicros: null,
    lastMicros: worthAt(fairAtClose),
    perUnpushed: false,
    dataAgeMs: 500,
    settledMicros,
    ...rest,
  };
}

function outcomeOf(number: number, given: Partial<EventOutcome> = {}): EventOutcome {
  return {
    event: eventOf(number),
    eventName: 'Home v Away',
    day: dayOf(number),
    startMs: 0,
    fills: 1,
    stakeMicros: toMicros(10),
    settledMicros: null,
    afterCommissionMicros: null,
    markedMicros: 0,
    closingMicros: 0,
    closedFills: 1,
    closedStakeMicros: toMicros(10),
    twoSidedMs: 30,
    openMs: 40,
    surpriseMicros: 0,
    deviationMicros: 0,
    chanceCommissionMicros: 0,
    orders: 3,
    betslips: 2,
    refusals: { event_worst_case: 1 },
    worstMicros: -toMicros(10),
    besidesMicros: 0,
    byVariant: [],
    ...given,
  };
}

const resultOf = (fills: readonly ResearchFill[], events: readonly EventOutcome[]): ScenarioResult => ({
  scenario: 'queue',
  fills,
  events,
  equity: [0, 5, -2, 8, 1].map((markedMicros, atMs) => ({
    atMs,
    markedMicros,
    settledMicros: 0,
    worstMicros: 0,
    inventoryMicros: 0,
  })),
});

describe('the summary of a scenario', () => {
  it('has the hand-computed worth of one fill', () => {
    const { closingLine, markouts, split, twoSided, budgets, drawdownMicros, worstMicros } = summarise(
      resultOf([fillOf(0)], [outcomeOf(0)]),
      1,
    );
    // 10 at price 2, for: worth 10 x (2 x 0.53 - 1) = 0.6 at the close, 0.4 at once, nothing a minute later.
    expect(closingLine).toMatchObject({ fills: 1, events: 1, days: 1, interval: null, pValue: null });
    expect(closingLine.mean).toBeCloseTo(0.06, 12);
    expect(closingLine.reason).toBe('1 of 30 match days');
    expect(markouts.map(({ mean }) => (mean === null ? null : Number(mean.toFixed(9))))).toEqual([
      0.02,
      0,
      null,
    ]);
    expect(split).toEqual({
      spreadMicros: 400_000,
      adverseMicros: -400_000,
      inventoryMicros: 600_000,
      settlementMicros: null,
    });
    expect([twoSided, drawdownMicros, worstMicros]).toEqual([0.75, 7, -toMicros(10)]);
    expect(budgets).toEqual({ orders: 3, betslips: 2, refusals: { event_worst_case: 1 } });
  });

  it('mirrors the other direction', () => {
    const [forFill, against] = DIRECTIONS.map((direction) => fillOf(0, { direction }));
    expect(against?.closingMicros).toBe(0 - (forFill?.closingMicros ?? NaN));
    expect(forFill?.closingMicros).toBe(600_000);
  });

  it('has the edge by risk in place of stake', () => {
    // Both are worth 0.6; at 2 the risk of 10 is 10, at 5 it is 20.
    const fills = [fillOf(0), fillOf(0, { price: 5, fairAtClose: 0.212 })];
    const { closingLine } = summarise(resultOf(fills, [outcomeOf(0)]), 1);
    expect(closingLine.mean).toBeCloseTo(1.2 / 20, 9);
    expect(closingLine.edge).toBeCloseTo(1.2 / 30, 9);
  });

  it('splits the settled profit without a remainder', () => {
    const fair = fc.option(fc.double({ min: 0.1, max: 0.9, noNaN: true }));
    const drawn = fc.record({
      direction: fc.constantFrom(...DIRECTIONS),
      price: fc.constantFrom(1.33, 2, 4.7, 12),
      stakeMicros: fc.integer({ min: 1, max: 20_000_000 }),
      settledMicros: fc.integer({ min: -5_000_000, max: 5_000_000 }),
      fairAtFill: fair,
      fairLater: fc.tuple(fair, fair, fair),
      fairAtClose: fair,
    });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 20, size: 'max' }), (given) => {
        const fills = given.map((each, at) => fillOf(at, each));
        const events = given.map(({ settledMicros }, at) => outcomeOf(at, { settledMicros }));
        const { split, profit } = summarise(resultOf(fills, events), 1);
        const { spreadMicros, adverseMicros, inventoryMicros, settlementMicros } = split;
        expect(spreadMicros + adverseMicros + inventoryMicros + (settlementMicros ?? NaN)).toBe(
          profit.settledMicros,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('keeps a half apart from its match, which has the same id', () => {
    const half = { ...eventOf(0), sport: sport('fb_ht') };
    const settledMicros = toMicros(10);
    const fills = [fillOf(0, { settledMicros }), fillOf(0, { event: half, fairAtFill: 0.6 })];
    const events = [outcomeOf(0, { settledMicros }), outcomeOf(0, { event: half, day: dayOf(1) })];
    const { split, closingLine } = summarise(resultOf(fills, events), 1);
    // The half has no result: nothing of it is part of the settled profit.
    expect(split.spreadMicros).toBe(400_000);
    expect(split.settlementMicros).toBe(settledMicros - 600_000);
    expect(closingLine).toMatchObject({ events: 2, days: 2 });
    const hedged = fills.map((fill) => ({ ...fill, hedge: 'a' }));
    expect(summarise(resultOf(hedged, events), 1).hedges.count).toBe(2);
  });

  it('counts each hedge of an event once, with the stake and the worth of its bets alone', () => {
    const fills = [
      fillOf(0, { hedge: 'a', worthMicros: 300_000, stakeMicros: toMicros(4) }),
      fillOf(0, { hedge: 'a', worthMicros: -500_000, stakeMicros: toMicros(6) }),
      fillOf(0, { hedge: 'b', worthMicros: null, stakeMicros: toMicros(1) }),
      fillOf(1, { hedge: 'a', worthMicros: -100_000, stakeMicros: toMicros(2) }),
      fillOf(0, { worthMicros: 900_000, stakeMicros: toMicros(50) }),
    ];
    const { hedges } = summarise(resultOf(fills, [outcomeOf(0), outcomeOf(1)]), 1);
    expect(hedges).toEqual({ count: 3, stakeMicros: toMicros(13), worthMicros: -300_000 });
    const none = summarise(resultOf([fillOf(0)], [outcomeOf(0)]), 1).hedges;
    expect(none).toEqual({ count: 0, stakeMicros: 0, worthMicros: 0 });
  });

  it('gives what a fill without a fair value loses until its mark to adverse selection', () => {
    const fill = fillOf(0, { fairAtFill: null, settledMicros: -toMicros(10) });
    const { split } = summarise(resultOf([fill], [outcomeOf(0, { settledMicros: -toMicros(10) })]), 1);
    expect(split).toEqual({
      spreadMicros: 0,
      adverseMicros: 0,
      inventoryMicros: 600_000,
      settlementMicros: -10_600_000,
    });
  });

  it('holds nothing after a mark that is the result, although a fair value stood between fill and mark', () => {
    const settledMicros = -toMicros(10);
    const fill = fillOf(0, { fairLater: [0.51, null, null], settledMicros, lastMicros: 300_000 });
    const { split } = summarise(resultOf([fill], [outcomeOf(0, { settledMicros })]), 1);
    expect(split).toEqual({
      spreadMicros: 400_000,
      adverseMicros: settledMicros - 400_000,
      inventoryMicros: 0,
      settlementMicros: 0,
    });
  });

  it.each([
    [29, 29, '29 of 30 match days'],
    [60, 29, '29 of 30 match days'],
    [30, 30, null],
  ])('with %i events on %i days has an interval unless: %s', (events, days, reason) => {
    const numbers = Array.from({ length: events }, (_, at) => at);
    const fills = numbers.map((at) => fillOf(at, { fairAtClose: 0.5 + (at % 7) / 100 }));
    const outcomes = numbers.map((at) => outcomeOf(at, { day: dayOf(at % days) }));
    const { closingLine } = summarise(resultOf(fills, outcomes), 1);
    expect(closingLine.reason).toBe(reason);
    expect(closingLine.interval === null).toBe(reason !== null);
  });

  it('knows no profit without results', () => {
    const { profit, settlement } = summarise(resultOf([fillOf(0)], [outcomeOf(0)]), 1);
    expect(profit).toEqual({
      settledMicros: null,
      afterCommissionMicros: null,
      events: 1,
      open: { events: 1, fills: 1, markedMicros: 0 },
      withOpenMicros: 0,
      markedMicros: 0,
    });
    expect([settlement.mean, settlement.sigmasFromLuck]).toEqual([null, null]);
  });
});

describe('the break-even edge', () => {
  it.each([
    [2, 2],
    [1.25, 5],
    [10, 1.5],
  ])(
    'is what commission takes of bets without an edge, by the risk of all fills: at %d and %d',
    (...prices) => {
      const fills = prices.map((price, at) => fillOf(at, { price }));
      const risk = fills.reduce(
        (sum, { stakeMicros, tick }) => sum + stakeMicros * Math.sqrt(priceOf(tick) - 1),
        0,
      );
      const events = [
        outcomeOf(0, { chanceCommissionMicros: 0.01 * risk }),
        outcomeOf(1, { chanceCommissionMicros: 0.02 * risk }),
      ];
      expect(summarise(resultOf(fills, events), 1).breakEvenEdge).toBeCloseTo(0.03, 12);
      expect(summarise(resultOf([], events), 1).breakEvenEdge).toBeNull();
    },
  );
});

describe('the distance from luck', () => {
  it('adds the surprises of events, and their variances', () => {
    const events = [
      outcomeOf(0, { surpriseMicros: 6, deviationMicros: 3 }),
      outcomeOf(1, { surpriseMicros: 4, deviationMicros: 4 }),
    ];
    const { settlement } = summarise(resultOf([fillOf(0), fillOf(1)], events), 1);
    expect(settlement.sigmasFromLuck).toBe(2);
  });
});

describe('the verdict', () => {
  const many = Array.from({ length: 30 }, (_, at) => at);
  const verdicts = (given: (at: number) => Given) =>
    summarise(
      resultOf(
        many.map((at) => fillOf(at, given(at))),
        many.map((at) => outcomeOf(at)),
      ),
      1,
    ).verdicts.map(({ phase, says, lateShare }) => ({
      phase,
      says,
      lateShare: Number(lateShare.toFixed(3)),
    }));
  const inPlay = { inPlay: true, fairAtClose: null } as const;

  it.each<[string, (at: number) => Given, object[]]>([
    [
      'gains at the closing line',
      (at) => ({ fairAtClose: 0.53 + at / 1e4 }),
      [{ phase: 'before play', says: 'gains', lateShare: 0 }],
    ],
    [
      'loses at the closing line',
      (at) => ({ fairAtClose: 0.47 + at / 1e4 }),
      [{ phase: 'before play', says: 'loses', lateShare: 0 }],
    ],
    [
      'is open',
      (at) => ({ fairAtClose: at % 2 === 0 ? 0.47 : 0.53 }),
      [{ phase: 'before play', says: 'open', lateShare: 0 }],
    ],
    [
      'is by marks in play',
      (at) => ({ ...inPlay, fairLater: [null, 0.53 + at / 1e4, null] }),
      [{ phase: 'in play', says: 'gains', lateShare: 0 }],
    ],
    [
      'is of each phase',
      (at) => (at % 2 === 0 ? { ...inPlay, fairLater: [null, 0.53, null] } : { fairAtClose: 0.53 }),
      [
        { phase: 'before play', says: 'open', lateShare: 0 },
        { phase: 'in play', says: 'open', lateShare: 0 },
      ],
    ],
    [
      'bears a tenth of late marks',
      (at) => ({
        ...inPlay,
        markKinds: ['late', at < 3 ? 'late' : 'on time', 'late'],
        fairLater: [null, 0.53 + at / 1e4, null],
      }),
      [{ phase: 'in play', says: 'gains', lateShare: 0.1 }],
    ],
    [
      'is not measurable with more late marks',
      (at) => ({
        ...inPlay,
        markKinds: ['on time', at < 4 ? 'none' : 'on time', 'on time'],
        fairLater: [null, 0.53 + at / 1e4, null],
      }),
      [{ phase: 'in play', says: 'not measurable', lateShare: 0.133 }],
    ],
    [
      'is not measurable in one phase by the late marks of that phase alone',
      (at) =>
        at < 4
          ? {
              ...inPlay,
              markKinds: ['late', at < 2 ? 'late' : 'on time', 'late'],
              fairLater: [null, 0.53, null],
            }
          : { fairAtClose: 0.53 + at / 1e4 },
      [
        { phase: 'before play', says: 'open', lateShare: 0 },
        { phase: 'in play', says: 'not measurable', lateShare: 0.5 },
      ],
    ],
    [
      'does not need marks where there is a closing line',
      (at) => ({ markKinds: ['none', 'none', 'none'], fairAtClose: 0.53 + at / 1e4 }),
      [{ phase: 'before play', says: 'gains', lateShare: 0 }],
    ],
  ])('%s', (_, given, expected) => {
    expect(verdicts(given)).toEqual(expected);
  });

  /** With the worth of the fills of both phases by one variant after the other, per stake. */
  const byVariants = (fair: number, ...means: readonly number[]) => {
    const nothing = { worth: 0, stake: 0 };
    const byVariant = means.map((mean) => ({
      'before play': { worth: Math.round(1e6 * mean), stake: 1e6 },
      'in play': nothing,
    }));
    const result = resultOf(
      many.map((at) => fillOf(at, { fairAtClose: fair + at / 1e4 })),
      many.map((at) => outcomeOf(at, { byVariant })),
    );
    const [verdict] = summarise(result, 1).verdicts;
    return [verdict?.says, verdict?.range?.map((mean) => Number(mean.toFixed(3))) ?? null];
  };

  it('is not robust where a variant of the fair value changes the sign of the mean', () => {
    // The mean is 6.3 % of stake for the first fair value, and -6.3 % for the second.
    expect(byVariants(0.53)).toEqual(['gains', null]);
    expect(byVariants(0.53, 0.01, 0.09)).toEqual(['gains', [0.01, 0.09]]);
    expect(byVariants(0.53, 0.07, 0.08)).toEqual(['gains', [0.063, 0.08]]);
    expect(byVariants(0.53, 0.01, -0.001)).toEqual(['not robust', [-0.001, 0.063]]);
    expect(byVariants(0.467, -0.01, -0.001)).toEqual(['loses', [-0.063, -0.001]]);
    expect(byVariants(0.467, 0.002)).toEqual(['not robust', [-0.063, 0.002]]);
    // Its interval holds zero, too.
    expect(byVariants(0.4986, 0.001)).toEqual(['open', [0, 0.001]]);
    expect(byVariants(0.4986, -0.001)).toEqual(['not robust', [-0.001, 0]]);
  });

  it('counts a variant over all events by its stake, and says "not measurable" first', () => {
    const outcomes = many.map((at) =>
      outcomeOf(at, {
        byVariant: [
          {
            'before play': { worth: at === 0 ? -40e6 : 1e6, stake: at === 0 ? 100e6 : 1e6 },
            'in play': { worth: 1, stake: 1 },
          },
        ],
      }),
    );
    const fills = many.map((at) => fillOf(at, { fairAtClose: 0.53 + at / 1e4 }));
    expect(summarise(resultOf(fills, outcomes), 1).verdicts[0]?.range?.[0]).toBeCloseTo(-11 / 129, 9);
    const late = many.map((at) => fillOf(at, { fairAtClose: null, markKinds: ['late', 'late', 'late'] }));
    expect(summarise(resultOf(late, outcomes), 1).verdicts[0]?.says).toBe('not measurable');
  });
});

describe('the drawdown', () => {
  it.each([
    [[], 0],
    [[3, 5, 4], 1],
    [[-4, -1], 4],
    [[5, -2, 8, 1], 7],
  ])('of %j is %i', (marked, expected) => {
    expect(drawdownOf(marked)).toBe(expected);
  });
});

describe('the warnings', () => {
  const settledFor = (micros: number) => ({ settledMicros: micros, afterCommissionMicros: micros });
  const many = Array.from({ length: 30 }, (_, at) => at);
  const touch = resultOf(
    many.map((at) => fillOf(at)),
    many.map((at) => outcomeOf(at, settledFor(5))),
  );
  const queue = { ...touch, events: many.map((at) => outcomeOf(at, settledFor(-5))) };
  const warned = (results: readonly ScenarioResult[], tries = 1): string[] =>
    warningsOf(
      results,
      results.map((result) => summarise(result, 1)),
      tries,
    );

  it('are none for enough days and profit in every scenario', () => {
    expect(warned([{ ...touch, scenario: 'touch' }, touch])).toEqual([]);
  });

  it('judge profit only under touch with open bets, not by the settled events alone', () => {
    const events = [outcomeOf(0, settledFor(-5)), outcomeOf(1, { markedMicros: 9 })];
    const earns = resultOf([fillOf(0), fillOf(1)], events);
    const loses = resultOf(earns.fills, [outcomeOf(0, settledFor(5)), outcomeOf(1, { markedMicros: -9 })]);
    const warnings = warned([{ ...earns, scenario: 'touch' }, loses]);
    expect(warnings.filter((text) => text.includes('only under touch'))).toHaveLength(1);
  });

  it('say nothing of touch where any stricter scenario earns', () => {
    const through = { ...queue, scenario: 'through' } as const;
    expect(warned([{ ...touch, scenario: 'touch' }, touch, through])).toEqual([]);
    expect(warned([{ ...touch, scenario: 'touch' }, queue, { ...touch, scenario: 'through' }])).toEqual([]);
    expect(warned([{ ...touch, scenario: 'touch' }, queue, through])).toHaveLength(1);
  });

  it('are none for a little stake on stale data, in however many fills', () => {
    const stale = { dataAgeMs: 11_000, stakeMicros: 100_000 };
    expect(warned([{ ...touch, fills: many.map((at) => fillOf(at, at < 10 ? stale : {})) }])).toEqual([]);
  });

  it('are none for a twentieth of the stake on data that are too old, and for data of ten seconds', () => {
    const staleBy = (share: number, dataAgeMs: number) => [
      fillOf(0, { stakeMicros: 1e6 * share, dataAgeMs }),
      fillOf(1, { stakeMicros: 1e6 * (1 - share) }),
    ];
    const warnedOf = (share: number, dataAgeMs: number): number =>
      warned([{ ...touch, fills: staleBy(share, dataAgeMs) }]).length;
    expect([warnedOf(0.05, 10_001), warnedOf(0.06, 10_001), warnedOf(0.06, 10_000)]).toEqual([0, 1, 0]);
  });

  it.each<[string, string[], RegExp]>([
    ['few days', warned([resultOf([], [outcomeOf(0, { fills: 0 })])]), /1 of 30 match days: too few/],
    ['profit only under touch', warned([{ ...touch, scenario: 'touch' }, queue]), /only under touch/],
    [
      'stale data',
      warned([{ ...touch, fills: many.map((at) => fillOf(at, { dataAgeMs: at < 3 ? 11_000 : 10 })) }]),
      /queue: 10 % of the filled stake was quoted on data older than 10 s/,
    ],
    [
      'stale data by stake, not by fills',
      warned([
        {
          ...touch,
          fills: many.map((at) => fillOf(at, at > 0 ? {} : { dataAgeMs: 11_000, stakeMicros: 290e6 })),
        },
      ]),
      /queue: 50 % of the filled stake/,
    ],
    [
      'bets without a result',
      warned([
        {
          ...touch,
          events: many.map((at) =>
            outcomeOf(at, at < 28 ? settledFor(1e6) : { fills: 3, markedMicros: -5e6 }),
          ),
        },
      ]),
      /^queue: 28 of 30 events with bets settled, for \+28\.00 after commission; the other 2 \(6 fills\), at their last fair values: -10\.00\.$/,
    ],
    [
      'bets of which none has a result',
      warned([{ ...touch, events: many.map((at) => outcomeOf(at, { markedMicros: 1e6 })) }]),
      /^queue: 0 of 30 events with bets settled; the 30 fills, at their last fair values: \+30\.00\.$/,
    ],
    ['many tries', warned([touch], 10), /tried 10 times.*below 0.0051/],
  ])('tell of %s', (_, [first, ...others], expected) => {
    expect(first).toMatch(expected);
    expect(others).toEqual([]);
  });
});
