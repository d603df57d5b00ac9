import { Writable } from 'node:stream';
import { ConfigError, TouchlineError } from '../../domain/errors.ts';
import { type LineLevel, type LogFields, type Logger, passingOn } from '../../ports/logger.ts';
import type { RunningSimulator } from '../../simulator/server/start-simulator.ts';
import type { SimulatorChoice } from './simulation.ts';

/** Messages between the daemon and the thread of its embedded exchange: plain data, which a structured clone preserves. */

/** The thread's input at its start. The thread has its own clock and log. */
export type ExchangeChoice = Omit<SimulatorChoice, 'clock' | 'logger'>;

/** The addresses at which clients reach the exchange. */
export type ExchangeAddresses = Pick<RunningSimulator, 'rest' | 'stream'>;

/** From the thread. `lines` are JSON lines of its log, oldest first. */
export type FromExchange =
  | ({ readonly kind: 'ready' } & ExchangeAddresses)
  | { readonly kind: 'refused'; readonly error: PlainError }
  | { readonly kind: 'log'; readonly lines: readonly string[] };

/** To the thread: its last `log` was read, so it may send more. */
export interface LogTaken {
  readonly kind: 'log taken';
}

/** A TouchlineError as data, because classes do not survive the way between threads. */
export interface PlainError extends Pick<TouchlineError, 'code' | 'message' | 'details'> {
  readonly isConfigError: boolean;
}

export function plainError(error: TouchlineError): PlainError {
  const { code, message, details } = error;
  return { code, message, details, isConfigError: error instanceof ConfigError };
}

/** Restores the error in the class that decides the exit code. */
export const errorFrom = ({ code, message, details, isConfigError }: PlainError): TouchlineError =>
  isConfigError ? new ConfigError(message, details) : new TouchlineError(code, message, details);

/** The log of a thread: written and bounded in the thread, and added to the run's log by the thread that owns it. */

/** Log lines on their way out of a thread. */
export interface OutgoingLog {
  readonly stream: Writable;
  /** The owner has read the last lines; the waiting lines are sent next. */
  readonly taken: () => void;
}

/**
 * A stream of log lines that sends more only after the owner has read the last ones. Lines for a busy owner therefore wait here,
 * where the logger counts them (`writableLength`) and drops the excess.
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

/** Adds a thread's log lines to a log, each at its own level, with the time at which they are read. */
export function relayLog(lines: readonly string[], logger: Logger): void {
  for (const line of lines) {
    const { level, time: _time, msg, error, ...fields } = JSON.parse(line) as ThreadLine;
    passingOn(logger)[level](msg, error === undefined ? fields : { ...fields, error: errorOf(error) });
  }
}

/** A line as the logger writes it. */
interface ThreadLine extends LogFields {
  readonly level: LineLevel;
  readonly time: string;
  readonly msg: string;
  /** The logger's description of an Error, or any other value as text. */
  readonly error?: DescribedError | string;
}

interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: string;
  readonly stack?: string;
}

/** An Error that the logger describes with the same fields again. */
function errorOf(described: DescribedError | string): unknown {
  if (typeof described === 'string') return described;
  const { message, cause, ...rest } = described;
  const error = cause === undefined ? new Error(message) : new Error(message, { cause: new Error(cause) });
  return Object.assign(error, rest);
}
