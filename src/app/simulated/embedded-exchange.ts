import { Worker } from 'node:worker_threads';
import { TouchlineError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { threadProgram } from '../adapters/own-files.ts';
import {
  errorFrom,
  type ExchangeAddresses,
  type ExchangeChoice,
  type FromExchange,
  type LogTaken,
  relayLog,
} from './exchange-messages.ts';

/** An exchange in a thread of this process, with its own event loop and clock. */
export interface EmbeddedExchange extends ExchangeAddresses {
  /** Settles when the exchange ends without `close`. Its orders are lost with it. */
  readonly ended: Promise<TouchlineError>;
  /** Ends the exchange and its connections, and frees its ports. */
  close(): Promise<void>;
}

export interface EmbeddedExchangeOptions {
  readonly choice: ExchangeChoice;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The thread's program. Default: the exchange's. */
  readonly program?: URL;
}

const PROGRAM = threadProgram('src/app/simulated/exchange-thread.ts');

/** The thread may wait for a disk that hangs. The process then ends anyway, and the thread with it. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * Starts the embedded exchange in a thread. Throws the errors of `openSimulator`, with the same messages. The thread does not
 * repeat preloads from the daemon's command line.
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
