/** The program of a thread of a sweep. `sweep.ts` starts and ends it. */
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../lib/assert.ts';
import { reasonOf } from '../../lib/reason.ts';
import { runSet } from '../../research/fast/sweep.ts';
import { strategyNamed } from '../strategies/load.ts';
import type { SweepAnswer, SweepSet, SweepStart } from './sweep.ts';

invariant(parentPort !== null, 'a sweep runs in threads of its own');
const owner = parentPort;
const send = (answer: SweepAnswer): void => owner.postMessage(answer);

const { strategy: specifier, task } = workerData as SweepStart;
const loading = strategyNamed(specifier);

async function run({ at, parameters }: SweepSet): Promise<void> {
  try {
    send({ at, results: runSet(task, await loading, parameters) });
  } catch (error) {
    send({ at, failure: reasonOf(error) });
  }
}

owner.on('message', (set: SweepSet) => void run(set));
