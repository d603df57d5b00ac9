/**
 * `npm run control`: do the statistics of a backtest call luck an edge, and do they see an edge that is there?
 *
 *     npm run control -- --seed 7                  400 runs without an edge, and 400 with one of 1 % of stake
 *     npm run control -- --runs 20 --evenings 30
 *
 * Each run backtests `symmetric` over evenings on as many days, with the real engine, fills and statistics, and asks whether profit, the
 * closing-line value or the mark-out after a minute differs from zero, at the 5 % level for the three together: at a third of it for each.
 * Without an edge at most 33 of 400 may: a correct test exceeds 33 in 0.2 % of cases. With the edge at least 320 of 400 must. Prints a line
 * of JSON last; exits 1 if a bound is broken.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { toMicros } from '../src/domain/money.ts';
import { loadConfig } from '../src/app/config/load.ts';
import { riskLimitsOf } from '../src/app/config/part-options.ts';
import { strategyNamed } from '../src/app/strategies/load.ts';
import { bundledConfig } from '../src/app/adapters/own-files.ts';
import { runFast } from '../src/research/fast/engine.ts';
import { summarise } from '../src/research/statistics/summarise.ts';
import type { Estimate, ScenarioSummary } from '../src/research/summary.ts';
import { parseParameters } from '../src/strategy/loader.ts';
import { eveningTape } from './control/evening.ts';

const LEVEL = 0.05;
const EDGE = 0.01;
/** Of 400 runs; other numbers of runs in proportion. */
const MOST_FALSE = 33 / 400;
const LEAST_FOUND = 320 / 400;

/** The control judges a run by these figures. */
const FIGURES = {
  profit: ({ settlement }: ScenarioSummary): Estimate => settlement,
  closing_line: ({ closingLine }: ScenarioSummary): Estimate => closingLine,
  mark_out: ({ markouts }: ScenarioSummary): Estimate | undefined =>
    markouts.find(({ horizonS }) => horizonS === 60),
} as const;
type Figure = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as Figure[];

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '400' },
    evenings: { type: 'string', default: '60' },
  },
});
const [seed, runs, evenings] = [options.seed, options.runs, options.evenings].map((text) => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`control: expected a whole number, not ${text}\n`);
  process.exit(2);
}) as [number, number, number];

const strategy = await strategyNamed('symmetric');
/** Far from the makers by itself, the strategy joins them: its orders then stand at the prices that trade. */
const parameters = parseParameters(strategy, { placement: 'join', halfSpread: 0.1, minEdge: 0.001 });
const limits = riskLimitsOf(
  loadConfig({ files: [bundledConfig('recorded')], environment: {}, settings: {} }).values,
);

async function run(number: number, edge: number): Promise<ScenarioSummary> {
  const tapes = async function* () {
    for (let evening = 0; evening < evenings; evening++)
      yield eveningTape({ seed: seed * 1_000_003 + number, evening, edge });
  };
  const [result] = await runFast({
    tapes,
    strategy,
    parameters,
    limits,
    balanceMicros: toMicros(1_000_000),
    scenarios: ['queue'],
    requestLatencyMs: 50,
    feedLatencyMs: 50,
    commission: 0,
    fromMs: null,
    toMs: null,
    seed,
  });
  if (result === undefined) throw new Error('the engine returned no scenario');
  return summarise(result, number);
}

interface Tally {
  /** Runs in which any figure is significant, and each by itself. */
  significant: number;
  readonly of: Record<Figure, number>;
  fills: number;
  readonly means: number[];
}

async function tallyOf(edge: number): Promise<Tally> {
  const of = { profit: 0, closing_line: 0, mark_out: 0 };
  const tally: Tally = { significant: 0, of, fills: 0, means: [] };
  for (let number = 1; number <= runs; number++) {
    const summary = await run(number, edge);
    const significant = NAMES.filter((name) => isSignificant(FIGURES[name](summary), name, number));
    for (const name of significant) tally.of[name]++;
    if (significant.length > 0) tally.significant++;
    tally.fills += summary.closingLine.fills;
    tally.means.push(summary.closingLine.mean ?? 0);
    if (number % 20 === 0)
      process.stderr.write(`edge ${edge}: ${number} of ${runs}, ${tally.significant} significant\n`);
  }
  return tally;
}

function isSignificant(estimate: Estimate | undefined, name: Figure, number: number): boolean {
  const { pValue, reason } = estimate ?? { pValue: null, reason: 'it is missing' };
  if (pValue === null) throw new Error(`run ${number} has no p-value of ${name}: ${reason ?? ''}`);
  return pValue < LEVEL / NAMES.length;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const [none, planted] = [await tallyOf(0), await tallyOf(EDGE)];
const ok = none.significant <= MOST_FALSE * runs && planted.significant >= LEAST_FOUND * runs;
const row = ({ significant, of, fills, means }: Tally) => ({
  significant,
  ...of,
  fills_per_run: Math.round(fills / runs),
  mean: Number(mean(means).toFixed(5)),
});
console.log(
  `without an edge: ${none.significant} of ${runs} runs significant, at most ${Math.floor(MOST_FALSE * runs)} allowed`,
);
console.log(
  `with ${100 * EDGE} % of stake: ${planted.significant} of ${runs}, at least ${Math.ceil(LEAST_FOUND * runs)} needed`,
);
console.log(JSON.stringify({ ok, seed, runs, evenings, without: row(none), planted: row(planted) }));
process.exitCode = ok ? 0 : 1;
