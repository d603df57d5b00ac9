/**
 * `npm run research`: what the bundled strategies earn, in the three fill scenarios.
 *
 *     npm run research -- --data cricket.jsonl.gz football.jsonl.gz --evenings 200
 *
 * Backtests all of them with their default parameters over each recording, and over evenings of the modelled market. Prints the tables of
 * `docs/research.md`. `--evenings 0` leaves out the modelled market.
 */
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import { bundledConfig } from '../src/app/adapters/own-files.ts';
import { loadConfig } from '../src/app/config/load.ts';
import { backtest } from '../src/app/research/backtest.ts';
import { fromMicros, type Micros } from '../src/domain/money.ts';
import type { Scenario, ScenarioResult } from '../src/research/result.ts';
import { summarise } from '../src/research/statistics/summarise.ts';
import type { Estimate, ScenarioSummary } from '../src/research/summary.ts';
import { type EveningDone, type EveningsPart, limitsOfResearch, TERMS } from './research/evenings.ts';

const STRATEGIES = ['symmetric', 'inventory', 'consensus', 'score-grid', 'guarded-ladder'];
const THREADS = 2;

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: [] },
    evenings: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const [evenings, seed] = [options.evenings, options.seed].map((text) => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`research: expected a whole number, not ${text}\n`);
  process.exit(2);
}) as [number, number];

type Row = readonly string[];

const HEAD: Row = [
  ...['strategy', 'fills by', 'fills', 'stake', 'closing line', 'after 60 s'],
  ...['spread', 'adverse', 'settled', 'marked', 'two-sided'],
];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function printTable(rows: readonly Row[]): void {
  for (const row of [HEAD, HEAD.map(() => '---'), ...rows]) print(`| ${row.join(' | ')} |`);
}

const money = (micros: Micros | null): string => (micros === null ? '' : fromMicros(micros).toFixed(0));

function estimate(of: Estimate | undefined): string {
  if (of?.mean === undefined || of.mean === null) return '';
  const percent = (fraction: number): string => (100 * fraction).toFixed(2);
  const interval = of.interval === null ? '' : ` [${of.interval.map(percent).join(', ')}]`;
  return `${percent(of.mean)} %${interval}`;
}

const rowOf = (strategy: string, scenario: Scenario, summary: ScenarioSummary): Row => [
  ...[strategy, scenario, String(summary.fills), money(summary.stakeMicros)],
  ...[estimate(summary.closingLine), estimate(summary.markouts.find(({ horizonS }) => horizonS === 60))],
  ...[summary.split.spreadMicros, summary.split.adverseMicros, summary.profit.settledMicros].map(money),
  money(summary.profit.markedMicros),
  `${(100 * summary.twoSided).toFixed(0)} %`,
];

async function recording(file: string): Promise<void> {
  const { values: config } = loadConfig({
    files: [bundledConfig('recorded')],
    environment: {},
    settings: {},
  });
  const rows: Row[] = [];
  let about = '';
  for (const strategy of STRATEGIES) {
    const { report } = await backtest({
      ...{ ...TERMS, strategy, parameters: {}, data: [file], engine: 'fast', config },
      ...{ limits: limitsOfResearch(), commission: null, clock: systemClock },
      ledger: join(tmpdir(), 'touchline-research'),
      onProgress: () => undefined,
    });
    const { coverage } = report.result;
    about = `${coverage.events} events, ${coverage.selections} selections, ${coverage.updates} updates, ${coverage.trades} trades`;
    for (const summary of report.summaries) rows.push(rowOf(strategy, summary.scenario, summary));
  }
  print(`\n${basename(file)}: ${about}\n`);
  printTable(rows);
}

/** The results of all threads, by strategy and scenario. */
class Gathered {
  events = 0;
  updates = 0;
  readonly #results = new Map<string, ScenarioResult[]>();

  add({ events, updates, results }: EveningDone): void {
    this.events += events;
    this.updates += updates;
    for (const [strategy, scenarios] of Object.entries(results))
      for (const result of scenarios) {
        const key = `${strategy} ${result.scenario}`;
        this.#results.set(key, [...(this.#results.get(key) ?? []), result]);
      }
  }

  rows(): Row[] {
    return STRATEGIES.flatMap((strategy) =>
      TERMS.scenarios.map((scenario) => {
        const results = this.#results.get(`${strategy} ${scenario}`) ?? [];
        const whole: ScenarioResult = {
          scenario,
          fills: results.flatMap(({ fills }) => fills),
          events: results.flatMap(({ events }) => events).toSorted((a, b) => a.startMs - b.startMs),
          equity: results.flatMap(({ equity }) => equity),
        };
        return rowOf(strategy, scenario, summarise(whole, seed));
      }),
    );
  }
}

function thread(part: number, gathered: Gathered): Promise<void> {
  const workerData: EveningsPart = { strategies: STRATEGIES, evenings, seed, part, parts: THREADS };
  const worker = new Worker(new URL('research/evenings.ts', import.meta.url), { workerData });
  worker.on('message', (done: EveningDone) => gathered.add(done));
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}

for (const file of options.data) await recording(file);
if (evenings > 0) {
  const gathered = new Gathered();
  await Promise.all(Array.from({ length: THREADS }, (_, part) => thread(part, gathered)));
  print(`\n${evenings} modelled evenings: ${gathered.events} events, ${gathered.updates} updates\n`);
  printTable(gathered.rows());
}
