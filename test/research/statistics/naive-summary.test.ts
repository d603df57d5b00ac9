import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { DIRECTIONS, selectionId } from '../../../src/domain/selection.ts';
import { MARK_KINDS } from '../../../src/fair/marks.ts';
import type {
  EquityPoint,
  EventOutcome,
  ResearchFill,
  ScenarioResult,
} from '../../../src/research/result.ts';
import { LEAST_DAYS, summarise } from '../../../src/research/statistics/summarise.ts';
import type { Estimate, ScenarioSummary } from '../../../src/research/summary.ts';
import { type NaiveEstimate, naiveSummary } from './naive-summary.ts';
import { assertUntil } from '../../support/covering.ts';

const micros = fc.integer({ min: -20_000_000, max: 20_000_000 });
const maybe = fc.option(micros, { freq: 3 });
const triple = <T>(each: fc.Arbitrary<T>) => fc.tuple(each, each, each);
const whole = (max: number) => fc.integer({ min: 0, max });
const byPhase = fc.record({ worth: micros, stake: fc.constantFrom(0, 1_000_000, 5_000_000) });
const variant = fc.record({ 'before play': byPhase, 'in play': byPhase });

/** Events of several sports share an id, and several events a day. */
const outcome: fc.Arbitrary<EventOutcome> = fc
  .record({
    of: fc.tuple(fc.constantFrom('fb', 'fb_ht', 'cricket'), fc.constantFrom('1', '2', '3')),
    fills: whole(2),
    day: fc.constantFrom('2026-01-03', '2026-01-04', '2026-02-03'),
    settledMicros: maybe,
    afterCommissionMicros: maybe,
    markedMicros: micros,
    closingMicros: micros,
    surpriseMicros: micros,
    deviationMicros: fc.constantFrom(0, 3_000_000, 7_000_000),
    chanceCommissionMicros: whole(100_000),
    twoSidedMs: whole(40),
    openMs: fc.constantFrom(0, 40, 90),
    orders: whole(9),
    betslips: whole(9),
    refusals: fc.dictionary(fc.constantFrom('event_worst_case', 'too_small'), whole(5)),
    worstMicros: micros,
    besidesMicros: fc.constantFrom(0, 0, 4_000_000),
    byVariant: fc.oneof(fc.constant([]), fc.array(variant, { minLength: 6, maxLength: 6 })),
  })
  .map(({ of: [inSport, id], ...given }) => ({
    event: { sport: sport(inSport), eventId: eventId(`2026-01-03,${id},9`) },
    eventName: 'Home v Away',
    startMs: 0,
    stakeMicros: 0,
    closedFills: 0,
    closedStakeMicros: 0,
    ...given,
  }));

const fillOn = (events: readonly EventOutcome[]): fc.Arbitrary<ResearchFill> =>
  fc
    .record({
      of: fc.constantFrom(...events),
      direction: fc.constantFrom(...DIRECTIONS),
      tick: whole(300),
      stakeMicros: fc.integer({ min: 1, max: 20_000_000 }),
      inPlay: fc.boolean(),
      hedge: fc.constantFrom(null, null, 'a', 'b'),
      markKinds: triple(fc.constantFrom(...MARK_KINDS)),
      markMicros: triple(maybe),
      worthMicros: maybe,
      closingMicros: maybe,
      startingMicros: maybe,
      lastMicros: maybe,
      settledMicros: maybe,
    })
    .map(({ of: { event }, ...given }) => ({
      event,
      selectionId: selectionId(event.sport, event.eventId, 'h'),
      marketId: '1.1',
      atMs: 0,
      startsInMs: 1,
      restedFromMs: 0,
      queueAheadMicros: 0,
      tradedMicros: 0,
      cause: 'trade' as const,
      fairAtFill: null,
      fairLater: [null, null, null],
      fairAtClose: null,
      noClosing: null,
      perUnpushed: false,
      dataAgeMs: 0,
      ...given,
    }));

const pointOf = (markedMicros: number, atMs: number): EquityPoint => ({
  atMs,
  markedMicros,
  settledMicros: 0,
  worstMicros: 0,
  inventoryMicros: 0,
});

const generated: fc.Arbitrary<ScenarioResult> = fc
  .uniqueArray(outcome, { minLength: 1, maxLength: 6, selector: ({ event }) => JSON.stringify(event) })
  .chain((events) =>
    fc.record({
      scenario: fc.constant('queue' as const),
      events: fc.constant(events),
      fills: fc.array(fillOn(events), { maxLength: 20, size: 'max' }),
      equity: fc.array(micros, { maxLength: 8 }).map((marked) => marked.map(pointOf)),
    }),
  );

/** Numbers that differ by rounding are the same. */
function expectSame(found: unknown, expected: unknown): void {
  const rounded = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (_, member: unknown) =>
        typeof member === 'number' ? Number(member.toPrecision(9)) : member,
      ),
    );
  expect(rounded(found)).toEqual(rounded(expected));
}

const withoutInterval = ({ mean, edge, fills, events, days }: Estimate): NaiveEstimate => ({
  mean,
  edge,
  fills,
  events,
  days,
});

const withoutIntervals = (summary: ScenarioSummary) => ({
  ...summary,
  verdicts: summary.verdicts.map(({ phase, lateShare, range, estimate }) => ({
    phase,
    estimate: withoutInterval(estimate),
    lateShare,
    range,
  })),
  markouts: summary.markouts.map(({ kinds, ...estimate }) => ({ ...withoutInterval(estimate), kinds })),
  closingLine: withoutInterval(summary.closingLine),
  startingPrice: withoutInterval(summary.startingPrice),
  settlement: {
    ...withoutInterval(summary.settlement),
    sigmasFromLuck: summary.settlement.sigmasFromLuck,
  },
});

const estimatesOf = ({ verdicts, markouts, closingLine, startingPrice, settlement }: ScenarioSummary) => [
  ...verdicts.map(({ estimate }) => estimate),
  ...markouts,
  closingLine,
  startingPrice,
  settlement,
];

describe('the summary of a scenario', () => {
  it('is that of a naive reading of its definition, on generated results', () => {
    fc.assert(
      fc.property(generated, (result) => {
        const summary = summarise(result, 1);
        expectSame(withoutIntervals(summary), naiveSummary(result));
        for (const { interval, pValue, reason, days } of estimatesOf(summary))
          expect([interval, pValue, reason]).toEqual([null, null, `${days} of ${LEAST_DAYS} match days`]);
      }),
      { numRuns: 300 },
    );
  });

  it('has the same figures beside intervals, and a verdict by these', () => {
    const says = new Set<string>();
    const many = Array.from({ length: LEAST_DAYS + 3 }, (_, number) => number);
    const long = fc
      .tuple(
        fc.constantFrom(-6_000_000, 0, 6_000_000),
        fc.boolean(),
        fc.array(outcome, { minLength: many.length, maxLength: many.length, size: 'max' }),
      )
      .chain(([edgeMicros, isRobust, outcomes]) => {
        const events = many.map((number): EventOutcome => ({
          ...(outcomes[number] as EventOutcome),
          event: { sport: sport('fb'), eventId: eventId(`2026-01-03,${number},9`) },
          day: new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10),
          byVariant: isRobust || number % 2 === 0 ? [] : (outcomes[number]?.byVariant ?? []),
        }));
        return fc.record({
          scenario: fc.constant('queue' as const),
          events: fc.constant(events),
          fills: fc.tuple(...events.flatMap((event) => [fillOn([event]), fillOn([event])])).map((fills) =>
            fills.map((fill, at): ResearchFill => ({
              ...fill,
              inPlay: at % 2 === 0,
              closingMicros: at % 2 === 0 ? null : (fill.closingMicros ?? 0) / 20 + edgeMicros,
              markMicros: fill.markMicros.map((each) => (each ?? 0) / 20 + edgeMicros),
              markKinds: isRobust ? ['late', 'on time', 'none'] : fill.markKinds,
              stakeMicros: 5_000_000 + (fill.stakeMicros % 1_000_000),
              settledMicros: fill.settledMicros ?? 0,
            })),
          ),
          equity: fc.constant([]),
        });
      });
    assertUntil(
      () => says.size === WORDS.length,
      fc.property(long, (result) => {
        const summary = summarise(result, 1);
        expectSame(withoutIntervals(summary), naiveSummary(result));
        for (const { interval, mean, days, pValue } of estimatesOf(summary)) {
          if (days < LEAST_DAYS) expect(interval).toBeNull();
          if (interval === null) continue;
          expect(interval[0]).toBeLessThanOrEqual(mean ?? NaN);
          expect(interval[1]).toBeGreaterThanOrEqual(mean ?? NaN);
          if (interval[0] > 0 || interval[1] < 0) expect(pValue).toBeLessThan(0.051);
        }
        for (const verdict of summary.verdicts) {
          expect(verdict.says).toBe(wordOf(verdict));
          says.add(verdict.says);
        }
      }),
      { numRuns: 25 },
    );
    expect([...says].toSorted()).toEqual(WORDS);
  });
});

/** What verdicts say. */
const WORDS = ['gains', 'loses', 'not measurable', 'not robust', 'open'];

/** By `docs/statistics.md`. */
function wordOf({ lateShare, range, estimate: { interval } }: ScenarioSummary['verdicts'][number]): string {
  if (lateShare > 0.1) return 'not measurable';
  const signs = new Set((range ?? []).map((mean) => Math.sign(mean)));
  if (signs.has(1) && signs.has(-1)) return 'not robust';
  if (interval !== null && interval[0] > 0) return 'gains';
  return interval !== null && interval[1] < 0 ? 'loses' : 'open';
}
