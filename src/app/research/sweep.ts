import { Worker } from 'node:worker_threads';
import { TouchlineError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { SweepResult, SweepTask } from '../../research/fast/sweep.ts';
import { parseParameters } from '../../strategy/loader.ts';
import { threadProgram } from '../adapters/own-files.ts';
import { strategyToRun } from '../strategies/load.ts';

/** The data with which a thread of a sweep starts. */
export interface SweepStart {
  /** Name or path of the strategy. */
  readonly strategy: string;
  readonly task: SweepTask;
}

/** A set for a thread, by its place in the sweep. */
export interface SweepSet {
  readonly at: number;
  readonly parameters: object;
}

/** A thread's answer. */
export type SweepAnswer =
  | { readonly at: number; readonly results: readonly SweepResult[] }
  | { readonly at: number; readonly failure: string };

export interface SweepOptions extends SweepStart {
  /** As a configuration would name them; the strategy's schema fills in the defaults. */
  readonly sets: readonly object[];
  readonly threads: number;
  /** `done` of `total` sets. */
  readonly onProgress?: (done: number, total: number) => void;
}

const PROGRAM = threadProgram('src/app/research/sweep-thread.ts');

/**
 * Runs every set in threads that share the tapes. Returns the results in the order of the sets, whatever thread had which. Throws
 * ConfigError for a strategy that does not exist or parameters that it refuses, before anything runs.
 */
export async function sweep(options: SweepOptions): Promise<readonly (readonly SweepResult[])[]> {
  const { sets, threads, onProgress } = options;
  const { strategy } = await strategyToRun(options.strategy);
  for (const parameters of sets) parseParameters(strategy, parameters);
  const results: (readonly SweepResult[])[] = [];
  let next = 0;
  let done = 0;
  const take = (): SweepSet | null => {
    const parameters = sets[next];
    return parameters === undefined ? null : { at: next++, parameters };
  };
  const keep = (at: number, result: readonly SweepResult[]): void => {
    results[at] = result;
    onProgress?.(++done, sets.length);
  };
  const count = Math.max(1, Math.min(threads, sets.length));
  await Promise.all(Array.from({ length: count }, () => runThread(options, take, keep)));
  return results;
}

/** A thread, until no set is left. */
async function runThread(
  { strategy, task }: SweepStart,
  take: () => SweepSet | null,
  keep: (at: number, results: readonly SweepResult[]) => void,
): Promise<void> {
  const start: SweepStart = { strategy, task };
  const worker = new Worker(PROGRAM, {
    workerData: start,
    execArgv: [],
    name: 'sweep',
    // A run makes many objects that live for one decision: a small nursery would be collected all the time.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  });
  const ended = Promise.withResolvers<void>();
  const give = (): void => {
    const set = take();
    if (set === null) ended.resolve();
    else worker.postMessage(set);
  };
  worker.on('message', (answer: SweepAnswer) => {
    if ('failure' in answer) return ended.reject(failed(answer.failure));
    keep(answer.at, answer.results);
    give();
  });
  worker.on('error', (error: unknown) => ended.reject(failed(reasonOf(error))));
  give();
  try {
    await ended.promise;
  } finally {
    await worker.terminate();
  }
}

const failed = (reason: string): TouchlineError =>
  new TouchlineError('sweep_failed', `a run of the sweep failed: ${reason}`, {});
