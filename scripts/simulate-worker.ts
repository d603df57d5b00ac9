/** Simulates the plans that its parent sends, one at a time. */
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import type { SimPlan } from '../test/sim/plan.ts';
import { simulate } from '../test/sim/simulate.ts';
import type { SimResult } from '../test/sim/simulate.ts';

/** A worker gets these options once, at its start. */
export interface WorkerOptions {
  /** Fields of journal records that the journal's hash leaves out. */
  readonly without: readonly string[];
}

/** The result of a plan, and the processor time that it took, in seconds. */
export interface RunReport {
  readonly result: SimResult;
  readonly busyS: number;
}

const { without } = workerData as WorkerOptions;

async function simulatePlan(plan: SimPlan): Promise<RunReport> {
  const before = process.threadCpuUsage();
  const result = await simulate(plan, null, without);
  const { user, system } = process.threadCpuUsage(before);
  return { result, busyS: (user + system) / 1e6 };
}

parentPort?.on('message', (plan: SimPlan) => {
  void simulatePlan(plan).then(({ result, busyS }) => {
    parentPort?.postMessage({ result: { ...result, log: [], timeline: [] }, busyS });
  });
});
