import { TERMINAL } from '../../lib/formats.ts';
import { explainResults } from '../report/words.ts';
import type { ResearchFill, ScenarioResult } from '../result.ts';
import type { ScenarioSummary } from '../summary.ts';
import { LEAST_DAYS } from './summarise.ts';

/** A quote whose data are older rested on stale data. */
const STALE_AFTER_MS = 10_000;
/** Warn above this share of stale stake. */
const STALE_SHARE = 0.05;
const SIGNIFICANCE = 0.05;

/** Sentences that a reader of the result must not miss. */
export function warningsOf(
  results: readonly ScenarioResult[],
  summaries: readonly ScenarioSummary[],
  tries: number,
): string[] {
  return [
    ...openBets(summaries),
    ...fewDays(results),
    ...onlyUnderTouch(summaries),
    ...staleQuotes(results),
    ...(tries > 1 ? [manyTries(tries)] : []),
  ];
}

function fewDays([first]: readonly ScenarioResult[]): string[] {
  const days = new Set(first?.events.map(({ day }) => day)).size;
  if (days >= LEAST_DAYS) return [];
  return [`${days} of ${LEAST_DAYS} match days: too few to tell an edge from luck.`];
}

/** Events without a result, which a settled profit leaves out. */
function openBets(summaries: readonly ScenarioSummary[]): string[] {
  return summaries.flatMap(({ scenario, profit }) =>
    profit.open.events === 0 ? [] : [`${scenario}: ${explainResults(profit, TERMINAL)}.`],
  );
}

const profitOf = ({ profit }: ScenarioSummary): number => profit.withOpenMicros;

function onlyUnderTouch(summaries: readonly ScenarioSummary[]): string[] {
  const [touch, ...stricter] = summaries;
  if (touch?.scenario !== 'touch' || stricter.length === 0 || profitOf(touch) <= 0) return [];
  if (stricter.some((summary) => profitOf(summary) > 0)) return [];
  return [
    'The profit exists only under touch, which fills every quote that a trade reaches: do not expect it.',
  ];
}

function staleQuotes(results: readonly ScenarioResult[]): string[] {
  return results.flatMap(({ scenario, fills }) => {
    const share = stakeOf(fills.filter(({ dataAgeMs }) => dataAgeMs > STALE_AFTER_MS)) / stakeOf(fills);
    if (!(share > STALE_SHARE)) return [];
    const percent = (100 * share).toFixed(0);
    return [
      `${scenario}: ${percent} % of the filled stake was quoted on data older than ${STALE_AFTER_MS / 1000} s.`,
    ];
  });
}

const stakeOf = (fills: readonly ResearchFill[]): number =>
  fills.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0);

/** The best of several tries looks good by luck; Šidák 1967 gives the level at which one of them does so in 5 % of cases. */
function manyTries(tries: number): string {
  const level = 1 - (1 - SIGNIFICANCE) ** (1 / tries);
  return `These data were tried ${tries} times. The best of so many is significant at 5 % only with a p-value below ${level.toPrecision(2)}.`;
}
