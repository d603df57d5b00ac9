/**
 * The statistics of a backtest. Closing-line value and mark-outs come first, because they need few fills: the closing line already
 * knows most of what settlement tells with the noise of a match. `docs/statistics.md` explains every figure.
 */
import { seededRandom } from '../../lib/random.ts';
import { type EventOutcome, RESEARCH_HORIZONS_S, type ResearchFill, type ScenarioResult } from '../result.ts';
import type { Estimate, ScenarioSummary, SettlementSummary } from '../summary.ts';
import { type DaySums, intervalOf, ratioOf } from './bootstrap.ts';
import { varianceAtClose } from './luck.ts';
import { worthMicros } from './worth.ts';

/** Fewer match days give no interval: too few to tell how much they differ. */
export const LEAST_DAYS = 30;
/** The fill's move is taken at this horizon, the third. */
const ADVERSE_AT = RESEARCH_HORIZONS_S.indexOf(60);

/** A sum of one event: its part of the ratio. */
interface Contribution extends DaySums {
  readonly event: string;
  readonly day: string;
  readonly fills: number;
}

/** Sums up one scenario. `seed` draws the days. */
export function summarise(result: ScenarioResult, seed: number): ScenarioSummary {
  const { scenario, fills, events, equity } = result;
  const dayOf = new Map(events.map((event) => [nameOf(event), event.day]));
  const estimate = (what: string, worth: (fill: ResearchFill) => number | null): Estimate =>
    estimateOf(contributions(fills, dayOf, worth), seed, `${scenario} ${what}`);
  return {
    scenario,
    fills: fills.length,
    stakeMicros: sumOf(fills, ({ stakeMicros }) => stakeMicros),
    profit: profitOf(events),
    split: splitOf(fills, events),
    markouts: RESEARCH_HORIZONS_S.map((horizonS, at) => ({
      horizonS,
      ...estimate(`mark-out ${horizonS}`, (fill) => worthAt(fill, fill.fairLater[at] ?? null)),
    })),
    closingLine: estimate('closing line', (fill) => worthAt(fill, fill.fairAtClose)),
    settlement: settlementOf(result, dayOf, seed),
    worstMicros: Math.min(0, ...events.map(({ worstMicros }) => worstMicros)),
    drawdownMicros: drawdownOf(equity.map(({ markedMicros }) => markedMicros)),
    twoSided: shareOf(
      sumOf(events, ({ twoSidedMs }) => twoSidedMs),
      sumOf(events, ({ openMs }) => openMs),
    ),
    budgets: {
      orders: sumOf(events, ({ orders }) => orders),
      betslips: sumOf(events, ({ betslips }) => betslips),
      refusals: sumOf(events, ({ refusals }) => refusals),
    },
  };
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

const worthAt = (fill: ResearchFill, fair: number | null): number | null =>
  fair === null ? null : worthMicros(fill, fair);

function profitOf(events: readonly EventOutcome[]): ScenarioSummary['profit'] {
  return {
    settledMicros: sumOfKnown(events.map(({ settledMicros }) => settledMicros)),
    markedMicros: sumOf(events, ({ markedMicros }) => markedMicros),
    afterCommissionMicros: sumOfKnown(events.map(({ afterCommissionMicros }) => afterCommissionMicros)),
  };
}

/** Spread at the fill, the mid's move in the minute after it, and the rest until the result. */
function splitOf(fills: readonly ResearchFill[], events: readonly EventOutcome[]): ScenarioSummary['split'] {
  let spread = 0;
  let adverse = 0;
  for (const fill of fills) {
    const atFill = worthAt(fill, fill.fairAtFill);
    if (atFill === null) continue;
    spread += atFill;
    const later = worthAt(fill, fill.fairLater[ADVERSE_AT] ?? null);
    if (later !== null) adverse += later - atFill;
  }
  const [spreadMicros, adverseMicros] = [Math.round(spread), Math.round(adverse)];
  const settledMicros = sumOfKnown(events.map((event) => event.settledMicros));
  const settlementMicros = settledMicros === null ? null : settledMicros - spreadMicros - adverseMicros;
  return { spreadMicros, adverseMicros, settlementMicros };
}

function settlementOf(
  { scenario, fills }: ScenarioResult,
  dayOf: ReadonlyMap<string, string>,
  seed: number,
): SettlementSummary {
  const settled = (fill: ResearchFill): number | null => fill.settledMicros;
  const judged = fills.filter(
    ({ settledMicros, fairAtClose }) => settledMicros !== null && fairAtClose !== null,
  );
  const surprise = sumOf(
    judged,
    (fill) => (fill.settledMicros as number) - worthMicros(fill, fill.fairAtClose as number),
  );
  const variance = varianceAtClose(judged);
  return {
    ...estimateOf(contributions(fills, dayOf, settled), seed, `${scenario} settlement`),
    sigmasFromLuck: variance > 0 ? surprise / Math.sqrt(variance) : null,
  };
}

/** The sums by event of the fills that can be judged. */
function contributions(
  fills: readonly ResearchFill[],
  dayOf: ReadonlyMap<string, string>,
  worth: (fill: ResearchFill) => number | null,
): Contribution[] {
  const events = new Map<string, { worth: number; stake: number; fills: number }>();
  for (const fill of fills) {
    const micros = worth(fill);
    if (micros === null) continue;
    const name = nameOf(fill);
    const sums = events.get(name) ?? { worth: 0, stake: 0, fills: 0 };
    events.set(name, sums);
    sums.worth += micros;
    sums.stake += fill.stakeMicros;
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
  const mean = ratioOf(days);
  const none = (reason: string): Estimate => ({ mean, interval: null, pValue: null, reason, ...counted });
  if (days.length < LEAST_DAYS) return none(`${days.length} of ${LEAST_DAYS} match days`);
  const found = intervalOf(days, seededRandom(seed, label));
  return found === null ? none('the days do not differ') : { mean, ...found, reason: null, ...counted };
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
