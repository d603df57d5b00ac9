/**
 * `npm run research`: what the bundled strategies earn, in the three fill scenarios.
 *
 *     npm run research -- cricket.jsonl.gz football.jsonl.gz --evenings 200
 *     npm run research -- --from 50 --evenings 50 --out second     a piece: evenings 50 to 99, kept in a file
 *     npm run research -- --evenings 0 --strategies inventory,consensus --out third football.jsonl.gz
 *     npm run research -- --merge first second third               the tables over pieces
 *
 * Backtests all of them with their default parameters over each recording, and over evenings of the modelled market. Prints the tables of
 * `docs/research.md`. `--evenings 0` leaves out the modelled market.
 */
import { basename } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { fromMicros, type Micros } from '../src/domain/money.ts';
import type { Scenario } from '../src/fills/fill-model.ts';
import type { ScenarioResult } from '../src/research/result.ts';
import { summarise } from '../src/research/statistics/summarise.ts';
import type { Estimate, ScenarioSummary } from '../src/research/summary.ts';
import { readPieces, wholeNumbers, writePiece } from './pieces.ts';
import { STRATEGIES, type Task, type TaskDone, TERMS } from './research/worker.ts';

const THREADS = 2;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '0' },
    evenings: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    strategies: { type: 'string', default: STRATEGIES.join(',') },
    out: { type: 'string' },
    merge: { type: 'boolean', default: false },
  },
});
const { from, evenings, seed } = wholeNumbers('research', {
  from: options.from,
  evenings: options.evenings,
  seed: options.seed,
});

/** Of recordings: evenings take them all. */
const strategies = options.strategies.split(',');

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
  'by rule',
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
  `${(100 * summary.decidedByRule).toFixed(1)} %`,
];

/** A block of the table: one recording, or all evenings. It stands in a piece as it is. */
interface Section {
  /** The name of the recording; null for the modelled market. */
  readonly file: string | null;
  readonly results: Map<string, ScenarioResult[]>;
  readonly about: Record<'events' | 'selections' | 'updates' | 'trades', number>;
}

const newSection = (file: string | null): Section => ({
  file,
  results: new Map(),
  about: { events: 0, selections: 0, updates: 0, trades: 0 },
});

function addTo(section: Section, { strategy, about, scenarios }: TaskDone): void {
  if (strategy === STRATEGIES[0]) addAbout(section, about);
  for (const result of scenarios) addResult(section, `${strategy} ${result.scenario}`, [result]);
}

function addAbout(section: Section, about: Section['about']): void {
  for (const name of ['events', 'selections', 'updates', 'trades'] as const)
    section.about[name] += about[name];
}

function addResult({ results }: Section, key: string, more: readonly ScenarioResult[]): void {
  results.set(key, [...(results.get(key) ?? []), ...more]);
}

function printSection(section: Section): void {
  const { events, selections, updates, trades } = section.about;
  const title = section.file ?? `${events} modelled evenings`;
  const traded = trades === 0 ? '' : `, ${trades} trades`;
  print(`\n${title}: ${events} events, ${selections} selections, ${updates} updates${traded}\n`);
  printTable(
    STRATEGIES.flatMap((strategy) =>
      TERMS.scenarios.map((scenario) =>
        rowOf(strategy, scenario, summarise(whole(section, strategy, scenario), seed)),
      ),
    ),
  );
}

function whole({ results: all }: Section, strategy: string, scenario: Scenario): ScenarioResult {
  const results = all.get(`${strategy} ${scenario}`) ?? [];
  return {
    scenario,
    fills: results.flatMap(({ fills }) => fills),
    events: results.flatMap(({ events }) => events).toSorted((a, b) => a.startMs - b.startMs),
    equity: results.flatMap(({ equity }) => equity),
  };
}

/** The sections of pieces, those of one title together. */
function mergedSections(pieces: readonly (readonly Section[])[]): Section[] {
  const merged = new Map<string | null, Section>();
  for (const section of pieces.flat()) {
    const known = merged.get(section.file) ?? newSection(section.file);
    merged.set(section.file, known);
    addAbout(known, section.about);
    for (const [key, results] of section.results) addResult(known, key, results);
  }
  return [...merged.values()];
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
      if (job !== undefined) for (const each of done) addTo(job.section, each);
      next();
    });
    worker.on('error', reject);
    next();
  });
}

async function sectionsOf(): Promise<Section[]> {
  const recordings = files.map((file) => ({ file, section: newSection(basename(file)) }));
  const modelled = newSection(null);
  // The longest first.
  const jobs: Job[] = [
    ...recordings.flatMap(({ file, section }) =>
      strategies.map((strategy) => ({ task: { kind: 'recording', file, strategy } as const, section })),
    ),
    ...Array.from({ length: evenings }, (_, at) => ({
      task: { kind: 'evening', number: from + at, seed } as const,
      section: modelled,
    })),
  ];
  await Promise.all(Array.from({ length: THREADS }, () => thread(jobs)));
  return [...recordings.map(({ section }) => section), ...(evenings > 0 ? [modelled] : [])];
}

const sections = options.merge ? mergedSections(readPieces<Section[]>(files)) : await sectionsOf();
if (options.out === undefined) for (const section of sections) printSection(section);
else writePiece(options.out, sections);
