import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import { reasonOf } from '../lib/reason.ts';
import type { LogFields, Logger } from '../ports/logger.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A logger whose level may change, for all its children as well. */
export interface LevelledLogger extends Logger {
  setLevel(level: LogLevel): void;
}

/** JSON lines by pino: `level` as a word, `time` in ISO 8601, the message under `msg`. */
export function createLogger(level: LogLevel, destination: DestinationStream): LevelledLogger {
  const least = { level };
  const logger = adapt(
    pino(
      {
        level: 'debug',
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { error: describeError },
      },
      destination,
    ),
    least,
  );
  return { ...logger, setLevel: (next) => void (least.level = next) };
}

/** So much of a log that nobody reads is held: some twenty thousand lines. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

/**
 * The same into a stream that may be read too slowly, or not at all, as a pipe to a program that was stopped: what it has not
 * taken is held in memory. Beyond `mostWaitingBytes` lines are left out; how many, a line tells when there is room again.
 */
export function createStreamLogger(
  level: LogLevel,
  stream: Writable,
  mostWaitingBytes = MOST_WAITING_BYTES,
): LevelledLogger {
  let leftOut = 0;
  const write = (line: string): void => {
    if (stream.writableLength >= mostWaitingBytes) return void leftOut++;
    const lines = leftOut;
    leftOut = 0;
    if (lines > 0) logger.warn('lines of the log were left out: nobody read it', { lines });
    stream.write(line);
  };
  const logger = createLogger(level, { write });
  return logger;
}

/** The level is judged here: the library's children would keep the one that they were made with. */
function adapt(log: Pino, least: { readonly level: LogLevel }): Logger {
  const at =
    (level: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least.level)) log[level](fields, message);
    };
  const [debug, info, warn, error] = [at('debug'), at('info'), at('warn'), at('error')];
  return { debug, info, warn, error, child: (bindings) => adapt(log.child(bindings), least) };
}

/** What a log line says of an error, and of what caused it: no enumerable extras, because those could hold anything. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return reasonOf(error);
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { name: error.name, code, message: error.message, cause, stack: error.stack };
}
