import { Worker } from 'node:worker_threads';
import { TouchlineError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import {
  errorFrom,
  type ExchangeAddresses,
  type ExchangeChoice,
  type FromExchange,
  type LogTaken,
  relayLog,
} from './exchange-messages.ts';

/** An exchange in a thread of this process, on an event loop and a clock of its own. */
export interface EmbeddedExchange extends ExchangeAddresses {
  /** Settles when the exchange ends without having been closed. Its orders are gone with it. */
  readonly ended: Promise<TouchlineError>;
  /** Ends the exchange with all its connections, and frees its ports. */
  close(): Promise<void>;
}

export interface EmbeddedExchangeOptions {
  readonly choice: ExchangeChoice;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The thread's program. By default the exchange's. */
  readonly program?: URL;
}

const PROGRAM = new URL('exchange-thread.ts', import.meta.url);

/** The thread may wait for a disk that hangs. The process ends all the same, and the thread with it. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * Starts the embedded exchange in a thread. Throws what `openSimulator` throws, in the same words. Preloads of the daemon's
 * command line are not repeated in the thread.
 */
export async function openEmbeddedExchange(options: EmbeddedExchangeOptions): Promise<EmbeddedExchange> {
  const { choice, clock, logger, program = PROGRAM } = options;
  const worker = new Worker(program, { workerData: choice, execArgv: [], name: 'exchange' });
  const started = Promise.withResolvers<ExchangeAddresses>();
  const ended = Promise.withResolvers<TouchlineError>();
  let isClosed = false;
  const end = (reason: string, cause?: unknown): void => {
    const error = new TouchlineError('exchange_ended', `the embedded exchange ended: ${reason}`, {}, cause);
    started.reject(error);
    if (!isClosed) ended.resolve(error);
  };
  worker.on('message', (message: FromExchange) => {
    if (message.kind === 'ready') started.resolve({ rest: message.rest, stream: message.stream });
    else if (message.kind === 'refused') started.reject(errorFrom(message.error));
    else takeLog(worker, message.lines, logger);
  });
  worker.on('error', (error: unknown) => {
    started.reject(error);
    end(reasonOf(error), error);
  });
  worker.on('exit', (code) => end(`its thread ended with exit code ${code}`));
  const close = (): Promise<void> => {
    isClosed = true;
    return terminate(worker, clock);
  };
  try {
    return { ...(await started.promise), ended: ended.promise, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function takeLog(worker: Worker, lines: readonly string[], logger: Logger): void {
  relayLog(lines, logger);
  worker.postMessage({ kind: 'log taken' } satisfies LogTaken);
}

async function terminate(worker: Worker, clock: Clock): Promise<void> {
  const terminated = new AbortController();
  await Promise.race([worker.terminate(), sleep(clock, CLOSE_WITHIN_MS, terminated.signal)]);
  terminated.abort();
}
