import { pino } from 'pino';
import type { DestinationStream, Logger as Pino } from 'pino';
import type { LogFields, Logger } from '../ports/logger.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines by pino: `level` as a word, `time` in ISO 8601, the message under `msg`. */
export function createLogger(level: LogLevel, destination: DestinationStream): Logger {
  return adapt(
    pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { error: describeError },
      },
      destination,
    ),
  );
}

function adapt(log: Pino): Logger {
  return {
    debug: (message, fields = {}) => log.debug(fields, message),
    info: (message, fields = {}) => log.info(fields, message),
    warn: (message, fields = {}) => log.warn(fields, message),
    error: (message, fields = {}) => log.error(fields, message),
    child: (bindings: LogFields) => adapt(log.child(bindings)),
  };
}

/** What a log line says of an error: no enumerable extras, because those could hold anything. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  return { name: error.name, code, message: error.message, stack: error.stack };
}
