/**
 * `npm run research`: what the bundled strategies earn, in the three fill scenarios.
 *
 *     npm run research -- cricket.jsonl.gz football.jsonl.gz --evenings 200
 *
 * Backtests all of them with their default parameters over each recording, and over evenings of the modelled market. Prints the tables of
 * `docs/research.md`. `--evenings 0` leaves out the modelled market.
 */
import { basename } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { fromMicros, type Micros } from '../src/domain/money.ts';
import type { Scenario, ScenarioResult } from '../src/research/result.ts';
import { summarise } from '../src/research/statistics/summarise.ts';
import type { Estimate, ScenarioSummary } from '../src/research/summary.ts';
import { STRATEGIES, type Task, type TaskDone, TERMS } from './research/worker.ts';

const THREADS = 2;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
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
  'strategy',
  'fills by',
  'fills',
  'stake',
  'closing line',
  'after 60 s',
  'spread',
  'adverse',
  'inventory',
  'settled',
  'marked',
  'two-sided',
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
  strategy,
  scenario,
  String(summary.fills),
  money(summary.stakeMicros),
  estimate(summary.closingLine),
  estimate(summary.markouts.find(({ horizonS }) => horizonS === 60)),
  ...[summary.split.spreadMicros, summary.split.adverseMicros, summary.split.inventoryMicros].map(money),
  money(summary.profit.settledMicros),
  money(summary.profit.markedMicros),
  `${(100 * summary.twoSided).toFixed(0)} %`,
];

/** A block of the table: one recording, or all evenings. */
class Section {
  readonly #title: string;
  readonly #results = new Map<string, ScenarioResult[]>();
  readonly #about = { events: 0, selections: 0, updates: 0, trades: 0 };

  constructor(title: string) {
    this.#title = title;
  }

  add({ strategy, about, scenarios }: TaskDone): void {
    if (strategy === STRATEGIES[0])
      for (const name of ['events', 'selections', 'updates', 'trades'] as const)
        this.#about[name] += about[name];
    for (const result of scenarios) {
      const key = `${strategy} ${result.scenario}`;
      this.#results.set(key, [...(this.#results.get(key) ?? []), result]);
    }
  }

  print(): void {
    const { events, selections, updates, trades } = this.#about;
    const traded = trades === 0 ? '' : `, ${trades} trades`;
    print(`\n${this.#title}: ${events} events, ${selections} selections, ${updates} updates${traded}\n`);
    printTable(
      STRATEGIES.flatMap((strategy) =>
        TERMS.scenarios.map((scenario) =>
          rowOf(strategy, scenario, summarise(this.#whole(strategy, scenario), seed)),
        ),
      ),
    );
  }

  #whole(strategy: string, scenario: Scenario): ScenarioResult {
    const results = this.#results.get(`${strategy} ${scenario}`) ?? [];
    return {
      scenario,
      fills: results.flatMap(({ fills }) => fills),
      events: results.flatMap(({ events }) => events).toSorted((a, b) => a.startMs - b.startMs),
      equity: results.flatMap(({ equity }) => equity),
    };
  }
}

interface Job {
  readonly task: Task;
  readonly section: Section;
}

/** Does jobs, one after the other, until none is left. */
function thread(jobs: Job[]): Promise<void> {
  const worker = new Worker(new URL('research/worker.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    let job: Job | undefined;
    const next = (): void => {
      job = jobs.shift();
      if (job === undefined) void worker.terminate().then(() => resolve());
      else worker.postMessage(job.task);
    };
    worker.on('message', (done: readonly TaskDone[]) => {
      for (const each of done) job?.section.add(each);
      next();
    });
    worker.on('error', reject);
    next();
  });
}

const recordings = files.map((file) => ({ file, section: new Section(basename(file)) }));
const modelled = new Section(`${evenings} modelled evenings`);
// The longest first.
const jobs: Job[] = [
  ...recordings.flatMap(({ file, section }) =>
    STRATEGIES.map((strategy) => ({ task: { kind: 'recording', file, strategy } as const, section })),
  ),
  ...Array.from({ length: evenings }, (_, number) => ({
    task: { kind: 'evening', number, seed } as const,
    section: modelled,
  })),
];
await Promise.all(Array.from({ length: THREADS }, () => thread(jobs)));
for (const { section } of recordings) section.print();
if (evenings > 0) modelled.print();
