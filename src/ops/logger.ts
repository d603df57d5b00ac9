import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import { TouchlineError } from '../domain/errors.ts';
import { plainJson } from '../lib/plain-text.ts';
import { reasonOf } from '../lib/reason.ts';
import { logEventOf } from '../ports/log-events/index.ts';
import type { LineLevel, LogFields, Logger } from '../ports/logger.ts';
import { LogMemory, type LogQuestion } from './log-memory.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A logger whose level and common fields can change; its children follow. */
export interface LevelledLogger extends Logger {
  setLevel(level: LogLevel): void;
  /** Adds the fields to every line from now on, of earlier children too. */
  bind(fields: LogFields): void;
  /** Lines written so far, those of its children included. */
  readonly lines: LogLines;
  /** The last lines as JSON, the newest last, those of its children included. */
  tail(): readonly string[];
  /** The newest lines of a kind that are kept, the newest last. */
  find(question: LogQuestion): readonly string[];
}

/** Lines by level, and lines that were dropped because the reader is too slow. They only grow. */
export type LogLines = Readonly<Record<LineLevel | 'dropped', number>>;

/** What the children of a logger share. */
interface Shared {
  level: LogLevel;
  readonly lines: Record<LineLevel | 'dropped', number>;
}

interface CountingLogger extends LevelledLogger {
  readonly lines: Shared['lines'];
}

/**
 * JSON lines by pino: `level` as a word, `time` in ISO 8601, the name of the line in the catalogue as `logEvent`, the message
 * under `msg`.
 */
export function createLogger(level: LogLevel, destination: DestinationStream): CountingLogger {
  const memory = new LogMemory();
  const lines = { debug: 0, info: 0, warn: 0, error: 0, fatal: 0, dropped: 0 };
  const shared: Shared = { level, lines };
  const common: Record<string, unknown> = {};
  const logger = adapt(
    pino(
      {
        level: 'debug',
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { error: describeError },
        mixin: () => ({ ...common }),
      },
      {
        write(written) {
          const line = plainJson(written);
          memory.push(line.trimEnd());
          destination.write(line);
        },
      },
    ),
    shared,
  );
  return {
    ...logger,
    lines,
    tail: () => memory.tail(),
    find: (question) => memory.find(question),
    setLevel: (next) => void (shared.level = next),
    bind: (fields) => void Object.assign(common, fields),
  };
}

/** Maximum of log output held for a slow reader: about twenty thousand lines. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

export interface StreamLoggerOptions {
  /** Default: 8 MB. */
  readonly mostWaitingBytes?: number;
  /** Whether systemd's journal reads the stream, which takes a line's priority from its beginning. Default: no. */
  readonly isJournal?: boolean;
  /** Writes a JSON line for people. Default: the line stays as it is. */
  readonly pretty?: (line: string) => string;
}

/**
 * A logger for a stream that may be read slowly or not at all, such as a pipe to a stopped program. Unread lines are held in
 * memory. Beyond `mostWaitingBytes` new lines are dropped, and a line reports their number once there is room again.
 */
export function createStreamLogger(
  level: LogLevel,
  stream: Writable,
  { mostWaitingBytes = MOST_WAITING_BYTES, isJournal = false, pretty }: StreamLoggerOptions = {},
): LevelledLogger {
  let leftOut = 0;
  const write = (line: string): void => {
    if (stream.writableLength >= mostWaitingBytes) {
      logger.lines.dropped++;
      return void leftOut++;
    }
    const lines = leftOut;
    leftOut = 0;
    if (lines > 0) logger.warn('log lines were dropped: the reader is too slow', { lines });
    stream.write(isJournal ? withPriority(line) : (pretty?.(line) ?? line));
  };
  const logger = createLogger(level, { write });
  return logger;
}

/** The priorities of syslog, as systemd's journal reads them at the beginning of a line (sd-daemon(3)). */
const PRIORITIES: Readonly<Record<string, string>> = {
  fatal: '<2>',
  error: '<3>',
  warn: '<4>',
  info: '<6>',
  debug: '<7>',
};
const LEVEL = /^\{"level":"(\w+)"/;

/** A line of the log as systemd's journal takes it, with the priority of its level. */
export const withPriority = (line: string): string =>
  (PRIORITIES[LEVEL.exec(line)?.[1] ?? ''] ?? PRIORITIES['info']) + line;

/** The level is checked here, because the library's children keep the level that they were created with. */
function adapt(log: Pino, shared: Shared): Logger {
  const at =
    (level: LineLevel) =>
    (message: string, fields: LogFields = {}): void => {
      const isLogged = level === 'fatal' ? shared.level !== 'silent' : isAtLeast(level, shared.level);
      if (!isLogged) return;
      shared.lines[level]++;
      log[level]({ logEvent: logEventOf(level, message) ?? undefined, ...fields }, message);
    };
  const [debug, info, warn, error, fatal] = [at('debug'), at('info'), at('warn'), at('error'), at('fatal')];
  return { debug, info, warn, error, fatal, child: (bindings) => adapt(log.child(bindings), shared) };
}

const isAtLeast = (level: Exclude<LineLevel, 'fatal'>, least: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);

/**
 * The log fields of an error and its causes. Other enumerable fields are left out, because they could hold anything. An expected failure has
 * no stack: its message says what to do, and a stack would hide it.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return reasonOf(error);
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const stack = error instanceof TouchlineError ? undefined : error.stack;
  return { name: error.name, code, message: error.message, cause, stack };
}
