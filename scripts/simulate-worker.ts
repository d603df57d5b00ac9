/** Lives through the plans that its parent sends, one at a time. */
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { SimPlan } from '../test/sim/plan.ts';
import { simulate } from '../test/sim/simulate.ts';
import type { SimResult } from '../test/sim/simulate.ts';

/** What became of a plan, and the seconds that it kept a core busy, whatever else the machine did. */
export interface Lived {
  readonly result: SimResult;
  readonly busyS: number;
}

async function live(plan: SimPlan): Promise<Lived> {
  const before = process.threadCpuUsage();
  const result = await simulate(plan);
  const { user, system } = process.threadCpuUsage(before);
  return { result, busyS: (user + system) / 1e6 };
}

parentPort?.on('message', (plan: SimPlan) => {
  void live(plan).then(({ result, busyS }) => {
    parentPort?.postMessage({ result: { ...result, log: [], timeline: [] }, busyS });
  });
});
