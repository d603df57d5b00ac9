import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Secret } from '../../domain/secret.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Venue } from '../../ports/venue.ts';
import type { CallObserver } from '../../strategy/session.ts';
import { waitWhile } from '../adapters/last-resort.ts';
import { threadProgram } from '../adapters/own-files.ts';
import { CallMarks, newCallMemory } from './call-marks.ts';
import { watchedVenue } from './watched-venue.ts';
import type { ReplacedKey, WatchdogTask } from './watchdog-task.ts';

/** A watchdog at work, as the main thread sees it. */
export interface RunningWatchdog {
  /** Must see every call of a strategy. */
  readonly calls: CallObserver;
  /** The venue through which all orders must be placed. */
  watched(venue: Venue): Venue;
  /** The API key was replaced. */
  useKey(key: Secret): void;
  /** Ends the watchdog. No strategy may be called afterwards. */
  stop(): Promise<void>;
}

/** Watches nothing. */
export const NO_WATCHDOG: RunningWatchdog = {
  calls: { onCall: () => undefined, onReturn: () => undefined },
  watched: (venue) => venue,
  useKey: () => undefined,
  stop: () => Promise.resolve(),
};

/** It makes few objects. Without a bound, V8 lets them pile up to dozens of megabytes before it collects them. */
const YOUNG_MB = 4;

const PROGRAM = threadProgram('src/app/watchdog/watchdog-thread.ts');

/**
 * Starts the watchdog in a thread of its own, with an event loop that runs on while a strategy hangs. If the thread fails, trading
 * goes on, and the log says that nothing ends a strategy that hangs. `hangMsOf`: a call of the strategy that has not returned for this
 * long hangs.
 */
export function startWatchdog(
  task: Omit<WatchdogTask, 'memory'>,
  hangMsOf: (strategy: string) => number,
  logger: Logger,
): RunningWatchdog {
  const memory = newCallMemory();
  const workerData: WatchdogTask = { ...task, memory };
  const worker = new Worker(PROGRAM, {
    workerData,
    execArgv: [],
    name: 'watchdog',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  let isStopped = false;
  const onEnd = (error: unknown): void => {
    if (!isStopped) logger.error('the watchdog ended: nothing ends a strategy that hangs', { error });
    isStopped = true;
  };
  worker.on('error', onEnd);
  worker.on('exit', (code) => onEnd(`exit code ${code}`));
  worker.unref();
  const isDebugged = (): boolean => inspector.url() !== undefined;
  const marks = new CallMarks(memory, hangMsOf, isDebugged, waitWhile);
  return {
    calls: marks,
    watched: (venue) => watchedVenue(venue, marks),
    useKey: (key) => worker.postMessage({ apiKey: key.reveal() } satisfies ReplacedKey),
    stop: async () => {
      isStopped = true;
      await worker.terminate();
    },
  };
}
