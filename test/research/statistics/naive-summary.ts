/**
 * The figures of a backtest once more, by `docs/statistics.md` alone: every figure walks over all fills. It shares no code with what it
 * checks but the forms of fills and outcomes, and takes intervals as they are given.
 */
import { LADDER } from '../../../src/domain/ladder.ts';
import type { EventOutcome, ResearchFill, ScenarioResult } from '../../../src/research/result.ts';
import type { Estimate, ScenarioSummary } from '../../../src/research/summary.ts';

type Worth = (fill: ResearchFill) => number | null | undefined;

/** An estimate without its interval. */
export type NaiveEstimate = Pick<Estimate, 'mean' | 'edge' | 'fills' | 'events' | 'days'>;

type NaiveVerdict = Pick<ScenarioSummary['verdicts'][number], 'phase' | 'lateShare' | 'range'> & {
  readonly estimate: NaiveEstimate;
};

/** A summary with estimates that have no interval, and verdicts that say nothing. */
export type NaiveSummary = Omit<
  ScenarioSummary,
  'verdicts' | 'markouts' | 'closingLine' | 'startingPrice' | 'settlement'
> & {
  readonly verdicts: readonly NaiveVerdict[];
  readonly markouts: readonly (NaiveEstimate & { readonly kinds: Readonly<Record<string, number>> })[];
  readonly closingLine: NaiveEstimate;
  readonly startingPrice: NaiveEstimate;
  readonly settlement: NaiveEstimate & { readonly sigmasFromLuck: number | null };
};

const named = ({ event }: Pick<ResearchFill, 'event'>): string => JSON.stringify(event);

/** s √(p − 1) */
const risk = ({ stakeMicros, tick }: ResearchFill): number =>
  stakeMicros * Math.sqrt((LADDER[tick] ?? NaN) - 1);

const total = (values: readonly (number | null | undefined)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

const part = (some: number, all: number): number => (all === 0 ? 0 : some / all);

function estimate({ events }: ScenarioResult, fills: readonly ResearchFill[], worth: Worth): NaiveEstimate {
  const judged = fills.filter((fill) => typeof worth(fill) === 'number');
  const sum = total(judged.map(worth));
  const names = new Set(judged.map(named));
  const days = new Set(events.filter((event) => names.has(named(event))).map(({ day }) => day));
  return {
    mean: judged.length === 0 ? null : sum / total(judged.map(({ stakeMicros }) => stakeMicros)),
    edge: judged.length === 0 ? null : sum / total(judged.map(risk)),
    fills: judged.length,
    events: names.size,
    days: days.size,
  };
}

/** Before play the closing line, and the mark after 60 seconds for fills without one. Fills in play have no closing line. */
const verdictWorth: Worth = ({ closingMicros, markMicros }) => closingMicros ?? markMicros[1];

function verdict(result: ScenarioResult, phase: 'before play' | 'in play'): NaiveVerdict[] {
  const fills = result.fills.filter(({ inPlay }) => inPlay === (phase === 'in play'));
  if (fills.length === 0) return [];
  const late = fills.filter(
    ({ closingMicros, markKinds }) =>
      closingMicros === null && (markKinds[1] === 'late' || markKinds[1] === 'none'),
  );
  const judged = estimate(result, fills, verdictWorth);
  const means = [0, 1, 2, 3, 4, 5].flatMap((variant) => {
    const sums = result.events.flatMap(({ byVariant }) => byVariant[variant]?.[phase] ?? []);
    const stake = total(sums.map((sum) => sum.stake));
    return stake === 0 ? [] : [total(sums.map((sum) => sum.worth)) / stake];
  });
  const all =
    judged.mean === null || means.length === 0 ? null : [judged.mean, ...means].toSorted((a, b) => a - b);
  return [
    {
      phase,
      estimate: judged,
      lateShare: part(total(late.map(risk)), total(fills.map(risk))),
      range: all === null ? null : [all[0] ?? NaN, all.at(-1) ?? NaN],
    },
  ];
}

/** Where the settled profit of fills comes from: of all fills, or where any event has a result of those of events with one. */
function split({ fills, events }: ScenarioResult): ScenarioSummary['split'] {
  const settled = events.filter(({ settledMicros }) => settledMicros !== null).map(named);
  const counted = settled.length === 0 ? fills : fills.filter((fill) => settled.includes(named(fill)));
  const parts = counted.map(({ worthMicros, markMicros, markKinds, lastMicros, settledMicros }) => {
    const first = worthMicros ?? 0;
    const marked = markMicros[1] ?? first;
    const last = markKinds[1] === 'result' ? marked : (lastMicros ?? marked);
    return [first, marked - first, last - marked, (settledMicros ?? last) - last];
  });
  const [spreadMicros = 0, adverseMicros = 0, inventoryMicros = 0, settlementMicros = 0] = [0, 1, 2, 3].map(
    (at) => total(parts.map((each) => each[at])),
  );
  return {
    spreadMicros,
    adverseMicros,
    inventoryMicros,
    settlementMicros: settled.length === 0 ? null : settlementMicros,
  };
}

/** What open bets of an event are worth; without bets nothing is. */
const openWorth = ({ fills, afterCommissionMicros, markedMicros }: EventOutcome): number =>
  afterCommissionMicros === null && fills > 0 ? markedMicros : 0;

function totalKnown(values: readonly (number | null)[]): number | null {
  return values.every((value) => value === null) ? null : total(values);
}

/** The deepest fall from any earlier point, or from the empty account. */
function drawdown(marked: readonly number[]): number {
  const course = [0, ...marked];
  return Math.max(...course.map((low, at) => Math.max(...course.slice(0, at + 1)) - low));
}

function refusals(events: readonly EventOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events)
    for (const [code, count] of Object.entries(event.refusals)) counts[code] = (counts[code] ?? 0) + count;
  return counts;
}

function hedges(fills: readonly ResearchFill[]): ScenarioSummary['hedges'] {
  const legs = fills.filter(({ hedge }) => hedge !== null);
  return {
    count: new Set(legs.map((fill) => `${named(fill)} ${fill.hedge}`)).size,
    stakeMicros: total(legs.map(({ stakeMicros }) => stakeMicros)),
    worthMicros: total(legs.map(({ worthMicros }) => worthMicros)),
  };
}

export function naiveSummary(result: ScenarioResult): NaiveSummary {
  const { scenario, fills, events, equity } = result;
  const stakeMicros = total(fills.map((fill) => fill.stakeMicros));
  const besides = total(events.map(({ besidesMicros }) => besidesMicros));
  const variance = total(events.map(({ deviationMicros }) => deviationMicros * deviationMicros));
  const allRisk = total(fills.map(risk));
  return {
    scenario,
    fills: fills.length,
    stakeMicros,
    decidedByRule: part(besides, stakeMicros + besides),
    profit: {
      events: events.filter((event) => event.fills > 0).length,
      open: {
        events: events.filter((event) => event.fills > 0 && event.afterCommissionMicros === null).length,
        fills: total(events.map((event) => (event.afterCommissionMicros === null ? event.fills : 0))),
        markedMicros: total(events.map((event) => openWorth(event))),
      },
      withOpenMicros: total(events.map((event) => event.afterCommissionMicros ?? openWorth(event))),
      settledMicros: totalKnown(events.map(({ settledMicros }) => settledMicros)),
      markedMicros: total(events.map(({ markedMicros }) => markedMicros)),
      afterCommissionMicros: totalKnown(events.map(({ afterCommissionMicros }) => afterCommissionMicros)),
    },
    hedges: hedges(fills),
    split: split(result),
    verdicts: [...verdict(result, 'before play'), ...verdict(result, 'in play')],
    markouts: [0, 1, 2].map((at) => ({
      ...estimate(result, fills, ({ markMicros }) => markMicros[at]),
      kinds: Object.fromEntries(
        ['on time', 'late', 'result', 'none'].map((kind) => [
          kind,
          part(total(fills.filter(({ markKinds }) => markKinds[at] === kind).map(risk)), allRisk),
        ]),
      ),
    })),
    closingLine: estimate(result, fills, ({ closingMicros }) => closingMicros),
    startingPrice: estimate(result, fills, ({ startingMicros }) => startingMicros),
    settlement: {
      ...estimate(result, fills, ({ settledMicros }) => settledMicros),
      sigmasFromLuck:
        variance === 0
          ? null
          : total(events.map(({ surpriseMicros }) => surpriseMicros)) / Math.sqrt(variance),
    },
    breakEvenEdge:
      allRisk === 0
        ? null
        : total(events.map(({ chanceCommissionMicros }) => chanceCommissionMicros)) / allRisk,
    worstMicros: Math.min(0, ...events.map(({ worstMicros }) => worstMicros)),
    drawdownMicros: drawdown(equity.map(({ markedMicros }) => markedMicros)),
    twoSided: part(
      total(events.map(({ twoSidedMs }) => twoSidedMs)),
      total(events.map(({ openMs }) => openMs)),
    ),
    budgets: {
      orders: total(events.map(({ orders }) => orders)),
      betslips: total(events.map(({ betslips }) => betslips)),
      refusals: refusals(events),
    },
  };
}
