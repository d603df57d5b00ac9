import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { priceOf, tickOf } from '../../../src/domain/ladder.ts';
import { DIRECTIONS, selectionId } from '../../../src/domain/selection.ts';
import type { EventOutcome, ResearchFill, ScenarioResult } from '../../../src/research/result.ts';
import { varianceAtClose } from '../../../src/research/statistics/luck.ts';
import { drawdownOf, summarise } from '../../../src/research/statistics/summarise.ts';
import { warningsOf } from '../../../src/research/statistics/warnings.ts';
import { worthMicros } from '../../../src/research/statistics/worth.ts';

const dayOf = (number: number): string => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);

const eventOf = (number: number) => ({ sport: sport('fb'), eventId: eventId(`${dayOf(number)},1,2`) });

function fillOf(
  number: number,
  given: Partial<ResearchFill> & { price?: number; outcome?: string } = {},
): ResearchFill {
  const { price = 2, outcome = 'h', ...rest } = given;
  const event = eventOf(number);
  return {
    event,
    selectionId: selectionId(event.sport, event.eventId, outcome),
    marketId: '1.1',
    direction: 'for',
    tick: tickOf(price) ?? -1,
    stakeMicros: toMicros(10),
    atMs: 0,
    startsInMs: 1,
    inPlay: false,
    restedFromMs: 0,
    queueAheadMicros: 0,
    tradedMicros: 0,
    cause: 'trade',
    fairAtFill: 0.52,
    fairLater: [0.52, 0.51, 0.5, null],
    fairAtClose: 0.53,
    dataAgeMs: 500,
    settledMicros: null,
    ...rest,
  };
}

function outcomeOf(number: number, given: Partial<EventOutcome> = {}): EventOutcome {
  return {
    ...{ event: eventOf(number), eventName: 'Home v Away', day: dayOf(number), startMs: 0, fills: 1 },
    ...{ stakeMicros: toMicros(10), settledMicros: null, afterCommissionMicros: null, markedMicros: 0 },
    ...{ closingMicros: 0, closedFills: 1, closedStakeMicros: toMicros(10), twoSidedMs: 30, openMs: 40 },
    ...{ orders: 3, betslips: 2, refusals: 1, worstMicros: -toMicros(10) },
    ...given,
  };
}

const resultOf = (fills: readonly ResearchFill[], events: readonly EventOutcome[]): ScenarioResult => ({
  ...{ scenario: 'queue', fills, events },
  equity: [0, 5, -2, 8, 1].map((markedMicros, atMs) => ({
    ...{ atMs, markedMicros, settledMicros: 0, worstMicros: 0, inventoryMicros: 0 },
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
      0.04,
      0.02,
      0,
      null,
    ]);
    expect(split).toEqual({ spreadMicros: 400_000, adverseMicros: -400_000, settlementMicros: null });
    expect([twoSided, drawdownMicros, worstMicros]).toEqual([0.75, 7, -toMicros(10)]);
    expect(budgets).toEqual({ orders: 3, betslips: 2, refusals: 1 });
  });

  it('mirrors the other direction', () => {
    const [forFill, against] = DIRECTIONS.map((direction) => fillOf(0, { direction }));
    expect(worthMicros(against as ResearchFill, 0.53)).toBeCloseTo(
      -worthMicros(forFill as ResearchFill, 0.53),
      6,
    );
  });

  it('splits the settled profit without a remainder', () => {
    const cents = fc.integer({ min: -5_000_000, max: 5_000_000 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cents, fc.double({ min: 0.1, max: 0.9, noNaN: true })), { minLength: 1 }),
        (given) => {
          const fills = given.map(([settledMicros, fairAtFill], at) =>
            fillOf(at, { settledMicros, fairAtFill }),
          );
          const events = given.map(([settledMicros], at) => outcomeOf(at, { settledMicros }));
          const { split, profit } = summarise(resultOf(fills, events), 1);
          const { spreadMicros, adverseMicros, settlementMicros } = split;
          expect(spreadMicros + adverseMicros + (settlementMicros ?? NaN)).toBe(profit.settledMicros);
        },
      ),
      { numRuns: 50 },
    );
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
    expect(profit).toEqual({ settledMicros: null, markedMicros: 0, afterCommissionMicros: null });
    expect([settlement.mean, settlement.sigmasFromLuck]).toEqual([null, null]);
  });
});

describe('the distance from luck', () => {
  it('has the deviation of one bet', () => {
    // 10 at price 2 on a selection that wins with 0.5: plus or minus 10.
    expect(varianceAtClose([fillOf(0, { fairAtClose: 0.5 })])).toBeCloseTo(toMicros(10) ** 2, 0);
  });

  it('knows that home and away exclude each other', () => {
    const both = ['h', 'a'].map((outcome) => fillOf(0, { outcome, fairAtClose: 0.5 }));
    expect(varianceAtClose(both)).toBeCloseTo(0, 0);
  });

  it('assumes that handicaps go together, and that matches do not', () => {
    const handicaps = ['ah,h,0', 'ah,h,4'].map((outcome) => fillOf(0, { outcome, fairAtClose: 0.5 }));
    expect(varianceAtClose(handicaps)).toBeCloseTo(toMicros(20) ** 2, 0);
    const matches = [0, 1].map((number) => fillOf(number, { fairAtClose: 0.5 }));
    expect(varianceAtClose(matches)).toBeCloseTo(2 * toMicros(10) ** 2, 0);
  });

  it('is one deviation for an even bet that wins', () => {
    const fill = fillOf(0, { fairAtClose: 0.5, settledMicros: toMicros(10) });
    const { settlement } = summarise(resultOf([fill], [outcomeOf(0, { settledMicros: toMicros(10) })]), 1);
    expect(settlement.sigmasFromLuck).toBeCloseTo(1, 9);
  });

  it('never exceeds the sum of the single deviations', () => {
    const bet = fc.record({
      outcome: fc.constantFrom('h', 'd', 'a', 'over,2.5', 'ah,h,2'),
      direction: fc.constantFrom(...DIRECTIONS),
      fairAtClose: fc.double({ min: 0.05, max: 0.33, noNaN: true }),
      tick: fc.integer({ min: 20, max: 200 }),
    });
    fc.assert(
      fc.property(fc.array(bet, { minLength: 1, maxLength: 12 }), (bets) => {
        const fairs = new Map<string, number>();
        const fills = bets.map(({ outcome, fairAtClose, ...rest }) => {
          const fair = fairs.get(outcome) ?? fairAtClose;
          fairs.set(outcome, fair);
          return fillOf(0, { outcome, ...rest, fairAtClose: fair });
        });
        const single = ({ tick, fairAtClose, stakeMicros }: ResearchFill): number =>
          stakeMicros * priceOf(tick) * Math.sqrt((fairAtClose ?? 0) * (1 - (fairAtClose ?? 0)));
        const bound = fills.reduce((sum, fill) => sum + single(fill), 0);
        expect(Math.sqrt(varianceAtClose(fills))).toBeLessThanOrEqual(bound * (1 + 1e-9));
      }),
    );
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
  const many = Array.from({ length: 30 }, (_, at) => at);
  const touch = resultOf(
    many.map((at) => fillOf(at)),
    many.map((at) => outcomeOf(at, { markedMicros: 5 })),
  );
  const queue = { ...touch, events: many.map((at) => outcomeOf(at, { markedMicros: -5 })) };
  const warned = (results: readonly ScenarioResult[], tries = 1): string[] =>
    warningsOf(
      results,
      results.map((result) => summarise(result, 1)),
      tries,
    );

  it('are none for enough days and profit in every scenario', () => {
    expect(warned([{ ...touch, scenario: 'touch' }, touch])).toEqual([]);
  });

  it.each<[string, string[], RegExp]>([
    ['few days', warned([resultOf([], [outcomeOf(0)])]), /1 of 30 match days: too few/],
    ['profit only under touch', warned([{ ...touch, scenario: 'touch' }, queue]), /only under touch/],
    [
      'stale data',
      warned([{ ...touch, fills: many.map((at) => fillOf(at, { dataAgeMs: at < 3 ? 11_000 : 10 })) }]),
      /queue: 10 % of the filled stake was quoted on data older than 10 s/,
    ],
    ['many tries', warned([touch], 10), /tried 10 times.*below 0.0051/],
  ])('tell of %s', (_, [first, ...others], expected) => {
    expect(first).toMatch(expected);
    expect(others).toEqual([]);
  });
});
