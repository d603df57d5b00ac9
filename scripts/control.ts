/**
 * `npm run control`: do the statistics of a backtest call luck an edge, and do they see an edge that is there?
 *
 *     npm run control -- --seed 7                  200 runs without an edge, and 200 with one of 1 % of stake
 *     npm run control -- --runs 20 --evenings 30
 *
 * Each run backtests `symmetric` over evenings on as many days, with the real engine, fills and statistics, and asks whether the
 * closing-line value differs from zero at the 5 % level. Without an edge at most 18 of 200 may: a correct test exceeds 18 in 0.6 % of
 * cases. With the edge at least 160 of 200 must. Prints a line of JSON last; exits 1 if a bound is broken.
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
import type { ScenarioSummary } from '../src/research/summary.ts';
import { parseParameters } from '../src/strategy/loader.ts';
import { eveningTape } from './control/evening.ts';

const LEVEL = 0.05;
const EDGE = 0.01;
/** Of 200 runs; other numbers of runs in proportion. */
const MOST_FALSE = 18 / 200;
const LEAST_FOUND = 160 / 200;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '200' },
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
  significant: number;
  fills: number;
  readonly means: number[];
}

async function tallyOf(edge: number): Promise<Tally> {
  const tally: Tally = { significant: 0, fills: 0, means: [] };
  for (let number = 1; number <= runs; number++) {
    const { closingLine } = await run(number, edge);
    if (closingLine.pValue === null)
      throw new Error(`run ${number} has no p-value: ${closingLine.reason ?? ''}`);
    if (closingLine.pValue < LEVEL) tally.significant++;
    tally.fills += closingLine.fills;
    tally.means.push(closingLine.mean ?? 0);
    if (number % 20 === 0)
      process.stderr.write(`edge ${edge}: ${number} of ${runs}, ${tally.significant} significant\n`);
  }
  return tally;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const [none, planted] = [await tallyOf(0), await tallyOf(EDGE)];
const ok = none.significant <= MOST_FALSE * runs && planted.significant >= LEAST_FOUND * runs;
const row = ({ significant, fills, means }: Tally) => ({
  significant,
  fills_per_run: Math.round(fills / runs),
  mean: Number(mean(means).toFixed(5)),
});
console.log(
  `without an edge: ${none.significant} of ${runs} runs significant, at most ${MOST_FALSE * runs} allowed`,
);
console.log(
  `with ${100 * EDGE} % of stake: ${planted.significant} of ${runs}, at least ${LEAST_FOUND * runs} needed`,
);
console.log(JSON.stringify({ ok, seed, runs, evenings, without: row(none), planted: row(planted) }));
process.exitCode = ok ? 0 : 1;
