/** What the daemon and the thread of its embedded exchange say to each other: plain data, which a structured copy keeps whole. */
import { ConfigError, TouchlineError } from '../../domain/errors.ts';
import type { RunningSimulator } from '../../simulator/server/start-simulator.ts';
import type { SimulatorChoice } from './simulation.ts';

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
