import { LADDER, priceOf } from '../../src/domain/ladder.ts';
import { type Direction, selectionId } from '../../src/domain/selection.ts';
import type { EventName } from '../../src/domain/events.ts';
import { type Random, seededRandom } from '../../src/lib/random.ts';
import { type Scenario, SCENARIOS } from '../../src/fills/fill-model.ts';
import {
  type EquityPoint,
  type EventOutcome,
  RESULT_HEAD,
  type ResearchFill,
  type ScenarioResult,
} from '../../src/research/result.ts';
import { summarise } from '../../src/research/statistics/summarise.ts';
import { warningsOf } from '../../src/research/statistics/warnings.ts';
import { signedContracts, type Terms, worthMicros } from '../../src/fair/worth.ts';
import type { BacktestReport } from '../../src/research/summary.ts';

const FIRST_MS = Date.UTC(2026, 0, 3, 19, 45);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const COMMISSION = 0.05;

export interface ReportSize {
  readonly events: number;
  readonly fillsPerEvent: number;
  readonly seed?: number;
  /** So many of the last events have no result. */
  readonly unsettled?: number;
}

/** The part of the fills of `touch` that a scenario has. */
const KEPT: Readonly<Record<Scenario, number>> = { touch: 1, queue: 0.7, through: 0.5 };

/**
 * A report whose numbers agree with each other: fills are drawn, the events and the equity are their sums, and the statistics are
 * those of a backtest.
 */
export function generatedReport({
  events,
  fillsPerEvent,
  seed = 1,
  unsettled = 0,
}: ReportSize): BacktestReport {
  const random = seededRandom(seed, 'report');
  const days = Array.from({ length: events }, (_, at) => {
    const day = drawEvent(random, at, fillsPerEvent);
    return at < events - unsettled ? day : withoutResult(day);
  });
  const scenarios = SCENARIOS.map((scenario): ScenarioResult => {
    const kept = days.map((day) => ({
      ...day,
      fills: day.fills.filter((_, at) => (at * 7) % 10 < 10 * KEPT[scenario]),
    }));
    return {
      scenario,
      fills: kept.flatMap(({ fills }) => fills),
      events: kept.map(outcomeOf),
      equity: equityOf(kept),
    };
  });
  const summaries = scenarios.map((scenario) => summarise(scenario, seed));
  return {
    result: {
      ...RESULT_HEAD,
      strategy: 'symmetric',
      parameters: { halfSpread: 0.03, stake: 20, placement: 'join', note: '</script><b>\u2028' },
      engine: 'fast',
      seed,
      latencyMs: 50,
      commission: COMMISSION,
      coverage: {
        sources: ['recordings/january'],
        events,
        selections: events,
        fromMs: FIRST_MS - 60 * MINUTE_MS,
        toMs: FIRST_MS + events * DAY_MS,
        updates: events * 1000,
        trades: events * 100,
        gapMs: 0,
        remarks: ['The markets are drawn, and their trades with them.'],
        dataHash: 'ab'.repeat(32),
      },
      scenarios,
    },
    summaries,
    tries: 3,
    warnings: warningsOf(scenarios, summaries, 3),
  };
}

interface Day {
  readonly event: EventName;
  readonly name: string;
  readonly startMs: number;
  readonly hasResult: boolean;
  readonly fills: readonly ResearchFill[];
}

function drawEvent(random: Random, at: number, fillCount: number): Day {
  const event: EventName = { sport: 'fb' as never, eventId: `2026-01-03,${at + 1},${at + 1001}` as never };
  const startMs = FIRST_MS + at * DAY_MS;
  const fairAtClose = 0.3 + 0.4 * random.next();
  const won = random.next() < fairAtClose;
  const fills = Array.from({ length: fillCount }, (_, place) =>
    drawFill(random, { event, startMs, fairAtClose, won, untilStartMs: (fillCount - place) * MINUTE_MS }),
  );
  return { event, name: `Harrow Vale ${at + 1} v Wexley ${at + 1}`, startMs, hasResult: true, fills };
}

const withoutResult = (day: Day): Day => ({
  ...day,
  hasResult: false,
  fills: day.fills.map((fill) => ({ ...fill, settledMicros: null })),
});

interface Market {
  readonly event: EventName;
  readonly startMs: number;
  readonly fairAtClose: number;
  readonly won: boolean;
  readonly untilStartMs: number;
}

function drawFill(random: Random, { event, startMs, fairAtClose, won, untilStartMs }: Market): ResearchFill {
  const near = (spread: number): number => fairAtClose + spread * (random.next() - 0.5);
  const direction: Direction = random.next() < 0.5 ? 'for' : 'against';
  const fairAtFill = near(0.04);
  const mid = LADDER.findIndex((price) => price >= 1 / fairAtFill);
  const tick = mid + (direction === 'for' ? 1 : -1) * Math.floor(4 * random.next());
  const stakeMicros = 10_000 * Math.ceil(2000 * random.next());
  const atMs = startMs - untilStartMs;
  const terms = { direction, price: priceOf(tick), stakeMicros };
  return {
    event,
    selectionId: selectionId(event.sport, event.eventId, 'h'),
    marketId: `1.${event.eventId.split(',')[1]}`,
    direction,
    tick,
    stakeMicros,
    atMs,
    startsInMs: untilStartMs,
    inPlay: false,
    restedFromMs: atMs - Math.ceil(30_000 * random.next()),
    queueAheadMicros: 10_000 * Math.floor(5000 * random.next()),
    tradedMicros: stakeMicros,
    cause: random.next() < 0.8 ? 'trade' : 'book-crossed',
    hedge: null,
    fairAtFill,
    worthMicros: worthMicros(terms, fairAtFill),
    ...marksOf(random, terms, won, [near(0.03), near(0.02), near(0.01)]),
    fairAtClose,
    closingMicros: worthMicros(terms, fairAtClose),
    noClosing: null,
    startingMicros: null,
    lastMicros: worthMicros(terms, fairAtClose),
    perUnpushed: false,
    dataAgeMs: Math.floor(3000 * random.next()),
    settledMicros: worthMicros(terms, won ? 1 : 0),
  };
}

/** Now and then the last mark is the result. */
function marksOf(
  random: Random,
  terms: Terms,
  won: boolean,
  fairs: readonly number[],
): Pick<ResearchFill, 'fairLater' | 'markKinds' | 'markMicros'> {
  const isResult = random.next() < 0.1;
  const marks = fairs.map((fair, at) => (isResult && at === fairs.length - 1 ? null : fair));
  return {
    fairLater: marks,
    markKinds: marks.map((fair) => (fair === null ? 'result' : 'on time')),
    markMicros: marks.map((fair) => worthMicros(terms, fair ?? (won ? 1 : 0))),
  };
}

const sum = (fills: readonly ResearchFill[], value: (fill: ResearchFill) => number): number =>
  fills.reduce((total, fill) => total + value(fill), 0);

const termsOf = ({ direction, tick, stakeMicros }: ResearchFill): Terms => ({
  direction,
  price: priceOf(tick),
  stakeMicros,
});
const closing = (fill: ResearchFill): number => fill.closingMicros ?? 0;
const settled = (fill: ResearchFill): number => fill.settledMicros ?? 0;
const afterCommission = (micros: number): number => micros - Math.max(0, Math.round(COMMISSION * micros));

/** The least over both outcomes of what the fills hold. */
const worst = (fills: readonly ResearchFill[]): number =>
  Math.round(
    Math.min(
      sum(fills, (fill) => worthMicros(termsOf(fill), 1)),
      sum(fills, (fill) => worthMicros(termsOf(fill), 0)),
    ),
  );

function outcomeOf({ event, name, startMs, hasResult, fills }: Day): EventOutcome {
  const settledMicros = hasResult ? sum(fills, settled) : null;
  const stakeMicros = sum(fills, (fill) => fill.stakeMicros);
  return {
    event,
    eventName: name,
    day: new Date(startMs).toISOString().slice(0, 10),
    startMs,
    fills: fills.length,
    stakeMicros,
    settledMicros,
    afterCommissionMicros: settledMicros === null ? null : afterCommission(settledMicros),
    markedMicros: Math.round(sum(fills, closing)),
    closingMicros: Math.round(sum(fills, closing)),
    closedFills: fills.length,
    closedStakeMicros: stakeMicros,
    surpriseMicros: sum(fills, (fill) => settled(fill) - (fill.worthMicros ?? 0)),
    deviationMicros: Math.abs(sum(fills, (fill) => signedContracts(termsOf(fill)))) / 2,
    chanceCommissionMicros: (COMMISSION * Math.abs(sum(fills, (fill) => signedContracts(termsOf(fill))))) / 4,
    twoSidedMs: 40 * MINUTE_MS,
    openMs: 60 * MINUTE_MS,
    orders: 3 * fills.length,
    betslips: 2,
    refusals: { event_worst_case: 1 },
    worstMicros: Math.min(0, worst(fills)),
    besidesMicros: 0,
    byVariant: [],
  };
}

function equityOf(days: readonly Day[]): EquityPoint[] {
  let [before, settledBefore] = [0, 0];
  return days.flatMap(({ startMs, hasResult, fills }) => {
    let [marked, inventory] = [0, 0];
    const points = fills.map((fill): EquityPoint => {
      marked += fill.worthMicros ?? 0;
      inventory += (fill.direction === 'for' ? 1 : -1) * Math.round(fill.stakeMicros * priceOf(fill.tick));
      return {
        atMs: fill.atMs,
        settledMicros: settledBefore,
        markedMicros: before + marked,
        worstMicros: before - fill.stakeMicros,
        inventoryMicros: inventory,
      };
    });
    const paid = hasResult ? afterCommission(sum(fills, settled)) : 0;
    settledBefore += paid;
    before += hasResult ? paid : Math.round(sum(fills, closing));
    const end = {
      settledMicros: settledBefore,
      markedMicros: before,
      worstMicros: before,
      inventoryMicros: 0,
    };
    return [...points, { atMs: startMs + 120 * MINUTE_MS, ...end }];
  });
}
