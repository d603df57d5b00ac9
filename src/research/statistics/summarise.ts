/**
 * The statistics of a backtest. Closing-line value and mark-outs come first, because they need few fills: the closing line already
 * knows most of what settlement tells with the noise of a match. `docs/statistics.md` explains every figure.
 */
import { seededRandom } from '../../lib/random.ts';
import { priceOf } from '../../domain/ladder.ts';
import { MARK_HORIZONS_S, MARK_KINDS, type MarkKind, VERDICT_HORIZON_S } from '../../fair/marks.ts';
import { riskMicros } from '../../fair/worth.ts';
import { FAIR_VARIANTS } from '../../fair/options.ts';
import {
  type EventOutcome,
  type Phase,
  phaseOf,
  PHASES,
  type ResearchFill,
  type ScenarioResult,
} from '../result.ts';
import type {
  Estimate,
  HedgeSummary,
  MarkoutSummary,
  ProfitSummary,
  ScenarioSummary,
  SettlementSummary,
  Verdict,
} from '../summary.ts';
import { splitOf } from './attribution.ts';
import { type DaySums, intervalOf, ratioOf } from './bootstrap.ts';
import { refusalsTogether } from '../refusals.ts';

/** Fewer match days give no interval: too few to tell how much they differ. */
export const LEAST_DAYS = 30;
const JUDGE_AT = MARK_HORIZONS_S.indexOf(VERDICT_HORIZON_S);
/** With more of the risk at late marks, or at none, nothing can be said. */
const MOST_LATE = 0.1;

/** A sum of one event: its part of the ratio. */
interface Contribution extends DaySums {
  readonly event: string;
  readonly day: string;
  readonly risk: number;
  readonly fills: number;
}

function hedgesOf(fills: readonly ResearchFill[]): HedgeSummary {
  const legs = fills.filter(({ hedge }) => hedge !== null);
  return {
    count: new Set(legs.map((fill) => `${nameOf(fill)} ${fill.hedge}`)).size,
    stakeMicros: sumOf(legs, ({ stakeMicros }) => stakeMicros),
    worthMicros: sumOf(legs, ({ worthMicros }) => worthMicros ?? 0),
  };
}

type WorthOf = (fill: ResearchFill) => number | null;

/** Sums up one scenario. `seed` draws the days. */
export function summarise(result: ScenarioResult, seed: number): ScenarioSummary {
  const { scenario, fills, events, equity } = result;
  const dayOf = new Map(events.map((event) => [nameOf(event), event.day]));
  const estimate = (what: string, worth: WorthOf, of = fills): Estimate =>
    estimateOf(contributions(of, dayOf, worth), seed, `${scenario} ${what}`);
  const stakeMicros = sumOf(fills, (fill) => fill.stakeMicros);
  const besidesMicros = sumOf(events, (event) => event.besidesMicros);
  return {
    scenario,
    fills: fills.length,
    stakeMicros,
    decidedByRule: shareOf(besidesMicros, stakeMicros + besidesMicros),
    profit: profitOf(events),
    hedges: hedgesOf(fills),
    split: splitOf(fills, events),
    verdicts: verdictsOf(fills, events, estimate),
    markouts: MARK_HORIZONS_S.map((horizonS, at): MarkoutSummary => ({
      horizonS,
      kinds: kindsAt(fills, at),
      ...estimate(`mark-out ${horizonS}`, ({ markMicros }) => markMicros[at] ?? null),
    })),
    closingLine: estimate('closing line', ({ closingMicros }) => closingMicros),
    startingPrice: estimate('starting price', ({ startingMicros }) => startingMicros),
    settlement: settlementOf(result, dayOf, seed),
    breakEvenEdge: breakEvenOf(fills, events),
    worstMicros: Math.min(0, ...events.map(({ worstMicros }) => worstMicros)),
    drawdownMicros: drawdownOf(equity.map(({ markedMicros }) => markedMicros)),
    twoSided: shareOf(
      sumOf(events, ({ twoSidedMs }) => twoSidedMs),
      sumOf(events, ({ openMs }) => openMs),
    ),
    budgets: {
      orders: sumOf(events, ({ orders }) => orders),
      betslips: sumOf(events, ({ betslips }) => betslips),
      refusals: refusalsTogether(events.map(({ refusals }) => refusals)),
    },
  };
}

/** Profit and settlement of some events alone. */
export function settlementOn(
  result: ScenarioResult,
  isChosen: (event: EventOutcome) => boolean,
  seed: number,
): Pick<ScenarioSummary, 'profit' | 'settlement'> {
  const events = result.events.filter(isChosen);
  const dayOf = new Map(events.map((event) => [nameOf(event), event.day]));
  const fills = result.fills.filter((fill) => dayOf.has(nameOf(fill)));
  return {
    profit: profitOf(events),
    settlement: settlementOf({ ...result, events, fills }, dayOf, seed),
  };
}

function breakEvenOf(fills: readonly ResearchFill[], events: readonly EventOutcome[]): number | null {
  const risk = sumOf(fills, riskOf);
  return risk === 0 ? null : sumOf(events, ({ chanceCommissionMicros }) => chanceCommissionMicros) / risk;
}

/** The deepest fall from the highest point so far, which is at least zero: the account's beginning. */
export function drawdownOf(marked: readonly number[]): number {
  let highest = 0;
  let deepest = 0;
  for (const value of marked) {
    highest = Math.max(highest, value);
    deepest = Math.max(deepest, highest - value);
  }
  return deepest;
}

const nameOf = ({ event: { sport, eventId } }: Pick<ResearchFill, 'event'>): string => `${sport}|${eventId}`;

const riskOf = ({ stakeMicros, tick }: ResearchFill): number => riskMicros(stakeMicros, priceOf(tick));

/** The shares of the risk by the kind of the marks at one horizon. */
function kindsAt(fills: readonly ResearchFill[], at: number): Record<MarkKind, number> {
  const all = sumOf(fills, riskOf);
  const shares = MARK_KINDS.map((kind) => {
    const those = fills.filter(({ markKinds }) => markKinds[at] === kind);
    return [kind, shareOf(sumOf(those, riskOf), all)] as const;
  });
  return Object.fromEntries(shares) as Record<MarkKind, number>;
}

/** The verdict of each phase that has fills. */
function verdictsOf(
  fills: readonly ResearchFill[],
  events: readonly EventOutcome[],
  estimate: (what: string, worth: WorthOf, of: readonly ResearchFill[]) => Estimate,
): Verdict[] {
  return PHASES.flatMap((phase) => {
    const those = fills.filter(({ inPlay }) => phaseOf(inPlay) === phase);
    if (those.length === 0) return [];
    const judged = estimate(
      `verdict ${phase}`,
      (fill) => fill.closingMicros ?? fill.markMicros[JUDGE_AT] ?? null,
      those,
    );
    const isLate = ({ closingMicros, markKinds }: ResearchFill): boolean =>
      closingMicros === null && ['late', 'none'].includes(markKinds[JUDGE_AT] ?? 'none');
    const lateShare = shareOf(sumOf(those.filter(isLate), riskOf), sumOf(those, riskOf));
    const range = rangeOf(judged, meansByVariant(events, phase));
    return [{ phase, says: wordOf(judged, lateShare, range), estimate: judged, lateShare, range }];
  });
}

/** The verdict's mean by each variant of the fair value that judged any fill. */
function meansByVariant(events: readonly EventOutcome[], phase: Phase): number[] {
  return FAIR_VARIANTS.flatMap((_, variant) => {
    const parts = events.flatMap(({ byVariant }) => byVariant[variant]?.[phase] ?? []);
    return ratioOf(parts) ?? [];
  });
}

function rangeOf({ mean }: Estimate, means: readonly number[]): Verdict['range'] {
  return mean === null || means.length === 0 ? null : [Math.min(mean, ...means), Math.max(mean, ...means)];
}

function wordOf({ interval }: Estimate, lateShare: number, range: Verdict['range']): Verdict['says'] {
  if (lateShare > MOST_LATE) return 'not measurable';
  if (range !== null && range[0] < 0 && range[1] > 0) return 'not robust';
  if (interval === null || (interval[0] <= 0 && interval[1] >= 0)) return 'open';
  return interval[0] > 0 ? 'gains' : 'loses';
}

function profitOf(events: readonly EventOutcome[]): ProfitSummary {
  const withBets = events.filter(({ fills }) => fills > 0);
  const open = withBets.filter(({ afterCommissionMicros }) => afterCommissionMicros === null);
  const afterCommissionMicros = sumOfKnown(events.map((event) => event.afterCommissionMicros));
  const openMicros = sumOf(open, ({ markedMicros }) => markedMicros);
  return {
    settledMicros: sumOfKnown(events.map(({ settledMicros }) => settledMicros)),
    afterCommissionMicros,
    events: withBets.length,
    open: { events: open.length, fills: sumOf(open, ({ fills }) => fills), markedMicros: openMicros },
    withOpenMicros: (afterCommissionMicros ?? 0) + openMicros,
    markedMicros: sumOf(events, ({ markedMicros }) => markedMicros),
  };
}

function settlementOf(
  { scenario, fills, events }: ScenarioResult,
  dayOf: ReadonlyMap<string, string>,
  seed: number,
): SettlementSummary {
  const settled = (fill: ResearchFill): number | null => fill.settledMicros;
  // Matches are independent: their variances add.
  const variance = sumOf(events, ({ deviationMicros }) => deviationMicros ** 2);
  const surprise = sumOf(events, ({ surpriseMicros }) => surpriseMicros);
  return {
    ...estimateOf(contributions(fills, dayOf, settled), seed, `${scenario} settlement`),
    sigmasFromLuck: variance > 0 ? surprise / Math.sqrt(variance) : null,
  };
}

/** The sums by event of the fills that can be judged. */
function contributions(
  fills: readonly ResearchFill[],
  dayOf: ReadonlyMap<string, string>,
  worth: WorthOf,
): Contribution[] {
  const events = new Map<string, { worth: number; stake: number; risk: number; fills: number }>();
  for (const fill of fills) {
    const micros = worth(fill);
    if (micros === null) continue;
    const name = nameOf(fill);
    const sums = events.get(name) ?? { worth: 0, stake: 0, risk: 0, fills: 0 };
    events.set(name, sums);
    sums.worth += micros;
    sums.stake += fill.stakeMicros;
    sums.risk += riskOf(fill);
    sums.fills++;
  }
  return Array.from(events, ([event, sums]) => ({ event, day: dayOf.get(event) ?? '', ...sums }));
}

/** An estimate over contributions, with an interval if they are enough. */
function estimateOf(parts: readonly Contribution[], seed: number, label: string): Estimate {
  const byDay = Map.groupBy(parts, ({ day }) => day);
  const days = Array.from(byDay.keys())
    .sort()
    .map((day) => daySums(byDay.get(day) ?? []));
  const counted = { fills: sumOf(parts, ({ fills }) => fills), events: parts.length, days: days.length };
  const [mean, risk] = [ratioOf(days), sumOf(parts, (part) => part.risk)];
  const edge = risk > 0 ? sumOf(parts, ({ worth }) => worth) / risk : null;
  const none = (reason: string): Estimate => ({
    mean,
    edge,
    interval: null,
    pValue: null,
    reason,
    ...counted,
  });
  if (days.length < LEAST_DAYS) return none(`${days.length} of ${LEAST_DAYS} match days`);
  const found = intervalOf(days, seededRandom(seed, label));
  return found === null
    ? none('too few of the days differ')
    : { mean, edge, ...found, reason: null, ...counted };
}

const daySums = (parts: readonly Contribution[]): DaySums => ({
  worth: sumOf(parts, ({ worth }) => worth),
  stake: sumOf(parts, ({ stake }) => stake),
});

const sumOf = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0);

const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** The sum of those that are known; null if none is. */
function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
