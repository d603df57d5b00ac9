import { Writable } from 'node:stream';
import { ConfigError, TouchlineError } from '../../domain/errors.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';
import type { RunningSimulator } from '../../simulator/server/start-simulator.ts';
import type { SimulatorChoice } from './simulation.ts';

/** What the daemon and the thread of its embedded exchange say to each other: plain data, which a structured copy keeps whole. */

/** What the thread gets at its start. Its clock and its log are its own. */
export type ExchangeChoice = Omit<SimulatorChoice, 'clock' | 'logger'>;

/** Where clients reach the exchange. */
export type ExchangeAddresses = Pick<RunningSimulator, 'rest' | 'stream'>;

/** From the thread. `lines` are JSON lines of its log, oldest first. */
export type FromExchange =
  | ({ readonly kind: 'ready' } & ExchangeAddresses)
  | { readonly kind: 'refused'; readonly error: PlainError }
  | { readonly kind: 'log'; readonly lines: readonly string[] };

/** To the thread: its last `log` was read, and more may come. */
export interface LogTaken {
  readonly kind: 'log taken';
}

/** A TouchlineError as data. Classes do not survive the way between threads. */
export interface PlainError extends Pick<TouchlineError, 'code' | 'message' | 'details'> {
  readonly isConfigError: boolean;
}

export function plainError(error: TouchlineError): PlainError {
  const { code, message, details } = error;
  return { code, message, details, isConfigError: error instanceof ConfigError };
}

/** The error again, of the class that decides on the exit code. */
export const errorFrom = ({ code, message, details, isConfigError }: PlainError): TouchlineError =>
  isConfigError ? new ConfigError(message, details) : new TouchlineError(code, message, details);

/** The log of a thread: written there, bounded there, and added to the log of the run by the thread that owns it. */

/** Lines on their way out of a thread. */
export interface OutgoingLog {
  readonly stream: Writable;
  /** The owner has read what was last sent: what waits meanwhile goes next. */
  readonly taken: () => void;
}

/**
 * A stream of log lines that sends nothing more until the owner has read what was sent. So an owner that is busy leaves the
 * lines here, where the logger counts what waits (`writableLength`) and drops what is too much.
 */
export function outgoingLog(send: (lines: readonly string[]) => void): OutgoingLog {
  let whenTaken: (() => void) | null = null;
  const sendAll = (chunks: readonly { readonly chunk: unknown }[], done: () => void): void => {
    whenTaken = done;
    send(chunks.map(({ chunk }) => String(chunk)));
  };
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => sendAll([{ chunk }], done),
    writev: sendAll,
  });
  const taken = (): void => {
    const done = whenTaken;
    whenTaken = null;
    done?.();
  };
  return { stream, taken };
}

/** Adds a thread's log lines to a log, each under its own level. They get the time at which they are read. */
export function relayLog(lines: readonly string[], logger: Logger): void {
  for (const line of lines) {
    const { level, time: _time, msg, error, ...fields } = JSON.parse(line) as ThreadLine;
    logger[level](msg, error === undefined ? fields : { ...fields, error: errorOf(error) });
  }
}

/** A line as the logger writes it. */
interface ThreadLine extends LogFields {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly time: string;
  readonly msg: string;
  /** What the logger says of an Error, or the text of anything else. */
  readonly error?: DescribedError | string;
}

interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: string;
  readonly stack?: string;
}

/** An Error that the logger describes in the same words again. */
function errorOf(described: DescribedError | string): unknown {
  if (typeof described === 'string') return described;
  const { message, cause, ...rest } = described;
  const error = cause === undefined ? new Error(message) : new Error(message, { cause: new Error(cause) });
  return Object.assign(error, rest);
}
