/**
 * Runs simulated days under faults and judges them:
 *
 *     npm run simulate -- --seeds 100 [--from N] [--minutes M | --hours H] [--jobs 2]    run a campaign
 *                         [--progress FILE]                                              that can be continued later
 *     npm run simulate -- --seed N [--minutes M]                                         run one day again, with its log
 *     npm run simulate -- --crash-points [--only PATTERN] [--jobs 2]                     kill the daemon at every crossing
 *     npm run simulate -- --seeds 10 --arena 'hung loop'                                 run all days in one arena
 *     npm run simulate -- --seeds 30 --against-prices odds                               an exchange whose `against` prices are odds
 *     npm run simulate -- --seeds 100 --hours 4 --awake                                  leave out the quiet weeks
 *     npm run simulate -- --plan FILE                                                    run a plan again, with its log
 *
 * Each day is printed with two hashes, one over its requests and answers and one over its journal. A campaign ends with the
 * hashes of all its days. A change that must not change behaviour leaves the hashes as they are. With
 * `--without owner,mode` the journal's hash leaves out these fields.
 *
 * A campaign shrinks its first failing plan and writes it to a file that `--plan` takes. With `--progress` the campaign
 * saves its state to a file after every day, and continues from it when `--from` is the file's `next`. Reached points then
 * count over all parts of the campaign.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { drawArena } from '../test/sim/arenas.ts';
import { crashPointsOf, SCENARIOS } from '../test/sim/crash-points.ts';
import { dayOf } from '../test/sim/long-day.ts';
import type { SimPlan } from '../test/sim/plan.ts';
import { Reach } from '../test/sim/reach.ts';
import { shrink } from '../test/sim/shrink.ts';
import { simulate } from '../test/sim/simulate.ts';
import type { SimResult } from '../test/sim/simulate.ts';
import type { TraceHashes } from '../test/sim/trace.ts';
import { endedSeeds, nothingYet, summaryOf, Tally } from '../test/sim/tally.ts';
import type { Progress } from '../test/sim/tally.ts';
import { freeName, optionsOrExit } from './simulate-options.ts';
import type { RunReport, WorkerOptions } from './simulate-worker.ts';

const values = optionsOrExit(process.argv.slice(2));
const { activeS } = values;

const drawDay = (seed: number): SimPlan =>
  withPrices(values.arena === undefined ? dayOf(seed, activeS) : drawArena(values.arena, seed, activeS));

/** The plan with the chosen prices of `against` markets. */
function withPrices(plan: SimPlan): SimPlan {
  const { againstPrices } = values;
  return againstPrices === undefined ? plan : { ...plan, world: { ...plan.world, againstPrices } };
}
const TRACE_LINES = 25;

function printDay({ seed, violations, hashes, simulatedS, orders, fills }: SimResult): void {
  const verdict =
    violations.length === 0
      ? 'ok'
      : violations.map((v) => `${v.invariant}: ${v.seen} at ${v.atS} s`).join('; ');
  console.log(
    `seed ${seed}  ${simulatedS.toFixed(0)} s  ${orders} orders  ${fills} fills  wire ${short(hashes.wire)}  journal ${short(hashes.journal)}  ${verdict}`,
  );
}

const short = (hash: string): string => hash.slice(0, 12);

/** Combines the hashes of all days into one, in the order of their seeds. */
function combinedHash(days: ReadonlyMap<number, TraceHashes>, of: keyof TraceHashes): string {
  const hash = createHash('sha256');
  for (const [seed, hashes] of [...days].sort(([a], [b]) => a - b)) hash.update(`${seed} ${hashes[of]}\n`);
  return short(hash.digest('hex'));
}

/** Runs all days, `jobs` at a time. Reports each result as it comes, with its processor time in seconds. */
async function runAll(days: Iterator<SimPlan, undefined>, jobs: number, onResult: OnResult): Promise<void> {
  await Promise.all(Array.from({ length: jobs }, () => inWorker(days, onResult)));
}

/** A day creates gigabytes of short-lived text: with a large young generation the collector runs less often. */
const YOUNG_MB = 192;

interface FailedPlan {
  readonly plan: SimPlan;
  readonly result: SimResult;
}

type OnResult = (plan: SimPlan, result: SimResult, busyS: number) => void;

function inWorker(days: Iterator<SimPlan, undefined>, onResult: OnResult): Promise<void> {
  const worker = new Worker(new URL('simulate-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    workerData: { without: values.without } satisfies WorkerOptions,
  });
  let current: SimPlan | undefined;
  const next = (): void => {
    current = days.next().value;
    if (current === undefined) void worker.terminate();
    else worker.postMessage(current);
  };
  return new Promise((resolve, reject) => {
    worker.on('message', ({ result, busyS }: RunReport) => {
      if (current !== undefined) onResult(current, result, busyS);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
    next();
  });
}

/** Runs the days of consecutive seeds, and adds them to the earlier days in the progress file. */
async function campaign(from: number, seeds: number, jobs: number): Promise<number> {
  const tally = new Tally(progressBefore(from));
  const reach = reachBefore(tally.progress);
  const failed: FailedPlan[] = [];
  const hashes = new Map<number, TraceHashes>();
  await runAll(daysOf(tally.progress, seeds), jobs, (plan, result, busyS) => {
    tally.add(plan, result, busyS);
    reach.add(plan, result.reached);
    if (result.violations.length > 0 && failed.length === 0) failed.push({ plan, result });
    hashes.set(plan.seed, result.hashes);
    printDay(result);
    saveProgress(tally.progress);
  });
  for (const [what, times] of reach.counts()) console.log(`reached ${times} times: ${what}`);
  for (const line of summaryOf(tally.progress)) console.log(line);
  const wire = combinedHash(hashes, 'wire');
  const journal = combinedHash(hashes, 'journal');
  console.log(`hashes of ${hashes.size} days: wire ${wire}, journal ${journal}`);
  // A single arena does not reach every path and log line.
  const missing = reach.missing().filter((what) => values.arena === undefined || !/^(path|log): /.test(what));
  for (const what of missing) console.log(`never reached: ${what}`);
  for (const first of failed) await reportOf(first);
  return tally.progress.failed.length === 0 && missing.length === 0 ? 0 : 1;
}

/** Earlier days' plans are drawn again from their seeds; the points that they reached are in the progress file. */
function reachBefore(progress: Progress): Reach {
  const reach = new Reach();
  let reached = new Map(Object.entries(progress.reached));
  for (const seed of endedSeeds(progress)) {
    reach.add(drawDay(seed), reached);
    reached = new Map();
  }
  return reach;
}

function* daysOf({ next, ahead }: Progress, seeds: number): Generator<SimPlan, undefined> {
  for (let seed = next; seed < next + seeds; seed++) {
    const day = ahead.includes(seed) ? null : drawDay(seed);
    if (day !== null && !(values.awake && isAsleep(day))) yield day;
  }
  return undefined;
}

/** A quiet week: such days take nearly all of a campaign's time, and find few mistakes. */
const isAsleep = ({ world }: SimPlan): boolean => world.market?.name === 'asleep';

/** The progress of earlier seeds. Throws when the file is of another campaign or continues at another seed. */
function progressBefore(from: number): Progress {
  const nothing = nothingYet(commitNow(), activeS, from);
  if (values.progress === undefined || !existsSync(values.progress)) return nothing;
  const before = JSON.parse(readFileSync(values.progress, 'utf8')) as Progress;
  const continues = before.commit === nothing.commit && before.activeS === activeS && before.next === from;
  if (continues) return before;
  throw new Error(`${values.progress} is of another campaign, or continues at --from ${before.next}`);
}

function saveProgress(progress: Progress): void {
  if (values.progress === undefined) return;
  writeFileSync(`${values.progress}.new`, `${JSON.stringify(progress, null, 1)}\n`);
  renameSync(`${values.progress}.new`, values.progress);
}

/** The files that a day depends on. A commit outside them, such as in the tally, does not end a campaign. */
const DAY_FILES = [
  'src',
  'strategies',
  'config',
  'test/sim',
  'test/support',
  'package-lock.json',
  ':(exclude)test/sim/planted',
  ':(exclude)test/sim/*.test.ts',
  ':(exclude)test/sim/tally.ts',
];

/** The last commit that changed files that a day depends on, with a plus when such files have changes. */
function commitNow(): string {
  const git = (...args: string[]): string => {
    const { stdout, status } = spawnSync('git', args, { encoding: 'utf8' });
    return status === 0 ? stdout.trim() : '';
  };
  const commit = git('log', '-1', '--format=%h', '--', ...DAY_FILES);
  return commit === ''
    ? 'unknown'
    : `${commit}${git('status', '--porcelain', '--', ...DAY_FILES) === '' ? '' : '+'}`;
}

/** Runs every death at every crossing of each scenario. */
async function crashPoints(jobs: number): Promise<number> {
  const failed: FailedPlan[] = [];
  let deaths = 0;
  for (const each of SCENARIOS.filter(({ name }) => new RegExp(values.only).test(name))) {
    const { scenario, plans } = await crashPointsOf(each);
    const before = failed.length;
    const startedMs = performance.now();
    await runAll(plans.map(withPrices).values(), jobs, (plan, result) => {
      if (result.violations.length > 0) failed.push({ plan, result });
    });
    deaths += plans.length;
    const tookS = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(`${scenario.name}: ${plans.length} deaths, ${failed.length - before} failed, ${tookS} s`);
  }
  console.log(`${deaths} deaths, ${failed.length} failed`);
  for (const first of failed.slice(0, 1)) await reportOf(first);
  return deaths > 0 && failed.length === 0 ? 0 : 1;
}

/** Shrinks a failing plan, prints it and writes it to a file. */
async function reportOf({ plan, result: failed }: FailedPlan): Promise<void> {
  const { plan: smallest, result, runs } = await shrink(plan, failed, simulate);
  const file = freeName(join(tmpdir(), `touchline-failing-plan-${plan.seed}`), '.json');
  writeFileSync(file, `${JSON.stringify(smallest, null, 1)}\n`);
  console.log(`shrunk in ${runs} runs from ${sizeOf(plan)} to ${sizeOf(smallest)}: ${file}`);
  console.log(JSON.stringify(smallest));
  for (const line of result.log.slice(-TRACE_LINES)) console.log(line);
  printDay(result);
}

const sizeOf = ({ acts, faults, activeS: seconds }: SimPlan): string =>
  `${acts.length} acts, ${faults.length} faults, ${seconds} s`;

async function replay(plan: SimPlan): Promise<number> {
  const result = await simulate(plan, null, values.without);
  console.log(JSON.stringify(plan, null, 1));
  for (const line of result.log) console.log(line);
  printDay(result);
  return result.violations.length === 0 ? 0 : 1;
}

function run(): Promise<number> {
  const { plan, seed, from, seeds, jobs } = values;
  if (plan !== null) return replay(plan);
  if (values['crash-points']) return crashPoints(jobs);
  if (seed !== null) return replay(drawDay(seed));
  return campaign(from, seeds, jobs);
}

process.exitCode = await run();
