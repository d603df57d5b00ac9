/**
 * Lives through simulated days under faults and judges them:
 *
 *     npm run simulate -- --seeds 100 [--from N] [--minutes M | --hours H] [--jobs 2]    a campaign
 *     npm run simulate -- --seed N [--minutes M]                                         one day again, with its log
 *     npm run simulate -- --crash-points [--only PATTERN] [--jobs 2]                     a death at every crossing
 *     npm run simulate -- --seeds 10 --arena 'hung loop'                                 all days in one arena
 *     npm run simulate -- --plan FILE                                                    a plan again, with its log
 *
 * A campaign shrinks its first failing plan and writes it to a file that `--plan` takes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { drawArena, planOf } from '../test/sim/arenas.ts';
import { crashPointsOf, SCENARIOS } from '../test/sim/crash-points.ts';
import type { SimPlan } from '../test/sim/plan.ts';
import { Reach } from '../test/sim/reach.ts';
import { shrink } from '../test/sim/shrink.ts';
import { simulate } from '../test/sim/simulate.ts';
import type { SimResult } from '../test/sim/simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    plan: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    hours: { type: 'string' },
    'crash-points': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    arena: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
});

const drawDay = (seed: number): SimPlan =>
  values.arena === undefined ? planOf(seed, activeS) : drawArena(values.arena, seed, activeS);
const activeS = values.hours === undefined ? Number(values.minutes) * 60 : Number(values.hours) * 3600;
const TRACE_LINES = 25;

function tell({ seed, violations, traceHash, simulatedS, orders, fills }: SimResult): void {
  const verdict =
    violations.length === 0
      ? 'ok'
      : violations.map((v) => `${v.invariant}: ${v.seen} at ${v.atS} s`).join('; ');
  console.log(
    `seed ${seed}  ${simulatedS.toFixed(0)} s  ${orders} orders  ${fills} fills  ${traceHash.slice(0, 12)}  ${verdict}`,
  );
}

/** Lives through all plans, `jobs` at a time; each result as it comes. */
async function liveAll(
  plans: readonly SimPlan[],
  jobs: number,
  onResult: (plan: SimPlan, result: SimResult) => void,
) {
  const waiting = [...plans];
  if (jobs === 1) for (const plan of waiting) onResult(plan, await simulate(plan));
  else await Promise.all(Array.from({ length: jobs }, () => inWorker(waiting, onResult)));
}

function inWorker(waiting: SimPlan[], onResult: (plan: SimPlan, result: SimResult) => void): Promise<void> {
  const worker = new Worker(new URL('simulate-worker.ts', import.meta.url));
  let current: SimPlan | undefined;
  const next = (): void => {
    current = waiting.shift();
    if (current === undefined) void worker.terminate();
    else worker.postMessage(current);
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (result: SimResult) => {
      if (current !== undefined) onResult(current, result);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
    next();
  });
}

async function campaign(plans: readonly SimPlan[], jobs: number): Promise<number> {
  const reach = new Reach();
  const failed: { readonly plan: SimPlan; readonly result: SimResult }[] = [];
  const startedMs = performance.now();
  let simulatedS = 0;
  await liveAll(plans, jobs, (plan, result) => {
    simulatedS += result.simulatedS;
    reach.add(plan, result.reached);
    if (result.violations.length > 0) failed.push({ plan, result });
    tell(result);
  });
  for (const [what, times] of reach.counts()) console.log(`reached ${times} times: ${what}`);
  const tookS = (performance.now() - startedMs) / 1000;
  const hours = simulatedS / 3600;
  console.log(
    `${hours.toFixed(1)} simulated hours in ${tookS.toFixed(0)} s, ${failed.length} of ${plans.length} failed`,
  );
  const missing = reach.missing();
  for (const what of missing) console.log(`never reached: ${what}`);
  for (const { plan, result } of failed.slice(0, 1)) await report(plan, result);
  return failed.length === 0 && missing.length === 0 ? 0 : 1;
}

/** Every death at every crossing of each scenario. */
async function crashPoints(jobs: number): Promise<number> {
  const failed: { readonly plan: SimPlan; readonly result: SimResult }[] = [];
  let deaths = 0;
  for (const each of SCENARIOS.filter(({ name }) => new RegExp(values.only).test(name))) {
    const { scenario, plans } = await crashPointsOf(each);
    const before = failed.length;
    const startedMs = performance.now();
    await liveAll(plans, jobs, (plan, result) => {
      if (result.violations.length > 0) failed.push({ plan, result });
    });
    deaths += plans.length;
    const tookS = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(`${scenario.name}: ${plans.length} deaths, ${failed.length - before} failed, ${tookS} s`);
  }
  console.log(`${deaths} deaths, ${failed.length} failed`);
  for (const { plan, result } of failed.slice(0, 1)) await report(plan, result);
  return deaths > 0 && failed.length === 0 ? 0 : 1;
}

/** Shrinks a failing plan, tells of it and keeps it in a file. */
async function report(plan: SimPlan, failed: SimResult): Promise<void> {
  const { plan: smallest, result, runs } = await shrink(plan, failed, simulate);
  const file = join(tmpdir(), `touchline-failing-plan-${plan.seed}.json`);
  writeFileSync(file, `${JSON.stringify(smallest, null, 1)}\n`);
  console.log(`shrunk in ${runs} runs from ${sizeOf(plan)} to ${sizeOf(smallest)}: ${file}`);
  console.log(JSON.stringify(smallest));
  for (const line of result.log.slice(-TRACE_LINES)) console.log(line);
  tell(result);
}

const sizeOf = ({ acts, faults, activeS: seconds }: SimPlan): string =>
  `${acts.length} acts, ${faults.length} faults, ${seconds} s`;

async function replay(plan: SimPlan): Promise<number> {
  const result = await simulate(plan);
  console.log(JSON.stringify(plan, null, 1));
  for (const line of result.log) console.log(line);
  tell(result);
  return result.violations.length === 0 ? 0 : 1;
}

function run(): Promise<number> {
  if (values.plan !== undefined) return replay(JSON.parse(readFileSync(values.plan, 'utf8')) as SimPlan);
  const jobs = Number(values.jobs);
  if (values['crash-points']) return crashPoints(jobs);
  if (values.seed !== undefined) return replay(drawDay(Number(values.seed)));
  const plans = Array.from({ length: Number(values.seeds) }, (_, at) => drawDay(Number(values.from) + at));
  return campaign(plans, jobs);
}

process.exitCode = await run();
