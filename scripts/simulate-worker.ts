/** Lives through the plans that its parent sends, one at a time. */
import { parentPort } from 'node:worker_threads';
import type { SimPlan } from '../test/sim/plan.ts';
import { simulate } from '../test/sim/simulate.ts';

parentPort?.on('message', (plan: SimPlan) => {
  void simulate(plan).then((result) => parentPort?.postMessage({ ...result, log: [], timeline: [] }));
});
