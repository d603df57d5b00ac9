/**
 * Plants one realistic mistake after another in the daemon and checks that the simulated days catch each:
 *
 *     npm run simulate:planted [-- --seeds 75] [--from 1] [--minutes 2] [--seconds 900] [--jobs 2] [--only PATTERN]
 *                                    [--arena 'bad disk']
 *
 * Each mistake runs through the days of the same seeds until a day catches it, for `--seeds` seeds and `--seconds` seconds
 * of processor time at most. With `--arena` all days are in that arena.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { drawArena, planOf } from '../test/sim/arenas.ts';
import { PLANTED } from '../test/sim/planted/index.ts';
import type { SimPlan } from '../test/sim/plan.ts';
import type { Planted } from '../test/sim/planted/planted.ts';
import { simulate } from '../test/sim/simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '75' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '900' },
    arena: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});

const from = Number(values.from);
const most = Number(values.seeds);
const activeS = Number(values.minutes) * 60;
const limitMs = Number(values.seconds) * 1000;

/** The result of one mistake. `seeds` counts the days that were run, the catching one included. */
interface Verdict {
  readonly name: string;
  readonly seeds: number;
  readonly tookMs: number;
  /** Invariant, arena and trace of the first violation, null when none of the seeds caught it. */
  readonly caught: string | null;
}

const drawDay = (seed: number): SimPlan =>
  values.arena === undefined ? planOf(seed, activeS) : drawArena(values.arena, seed, activeS);

/** Processor time of this thread alone: other work on the machine must not decide what is caught. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function judge(planted: Planted): Promise<Verdict> {
  const startedMs = cpuMs();
  const tookMs = (): number => cpuMs() - startedMs;
  let seeds = 0;
  while (seeds < most && tookMs() < limitMs) {
    const plan = drawDay(from + seeds++);
    const { violations, hashes } = await simulate(plan, planted);
    const [first] = violations;
    if (first === undefined) continue;
    const caught = `${first.invariant} (${plan.arena ?? 'at large'}, seed ${plan.seed}, ${hashes.wire.slice(0, 8)})`;
    return { name: planted.name, seeds, tookMs: tookMs(), caught };
  }
  return { name: planted.name, seeds, tookMs: tookMs(), caught: null };
}

/** Judges mistakes in a thread of its own, one at a time. Mistakes change classes, which threads do not share. */
function inWorker(waiting: string[], onVerdict: (verdict: Verdict) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
  const next = (): void => {
    const name = waiting.shift();
    if (name === undefined) void worker.terminate();
    else worker.postMessage(name);
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (verdict: Verdict) => {
      onVerdict(verdict);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
    next();
  });
}

function printVerdict({ name, seeds, tookMs, caught }: Verdict): void {
  const took = `${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, ${(tookMs / 1000).toFixed(0)} s`;
  console.log(caught === null ? `MISSED  ${name}  in ${took}` : `caught  ${name}  after ${took}: ${caught}`);
}

async function campaign(): Promise<number> {
  const startedMs = performance.now();
  const waiting = PLANTED.map(({ name }) => name).filter((name) => new RegExp(values.only).test(name));
  const verdicts: Verdict[] = [];
  const onVerdict = (verdict: Verdict): void => {
    verdicts.push(verdict);
    printVerdict(verdict);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => inWorker(waiting, onVerdict)));
  const took = verdicts.filter(({ caught }) => caught !== null).map(({ seeds }) => seeds);
  const median = took.sort((a, b) => a - b)[Math.floor((took.length - 1) / 2)] ?? 'none';
  const tookS = (performance.now() - startedMs) / 1000;
  console.log(`${took.length} of ${verdicts.length} caught, median ${median} seeds, ${tookS.toFixed(0)} s`);
  return took.length > 0 && took.length === verdicts.length ? 0 : 1;
}

if (isMainThread) process.exitCode = await campaign();
else
  parentPort?.on('message', (name: string) => {
    const planted = PLANTED.find((one) => one.name === name) as Planted;
    void judge(planted).then((verdict) => parentPort?.postMessage(verdict));
  });
