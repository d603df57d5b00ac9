import type { LineLevel, LogFields, Logger } from '../../src/ports/logger.ts';
import type { SimProcess } from './process.ts';

type Keep = (level: LineLevel, message: string, fields: LogFields) => void;

/** The log of a process while it is alive. */
export function processLog(process: SimProcess, keep: Keep, bindings: LogFields = {}): Logger {
  const write =
    (level: LineLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (process.alive) keep(level, message, { ...bindings, ...fields });
    };
  const [debug, info, warn, error] = [write('debug'), write('info'), write('warn'), write('error')];
  const child = (more: LogFields): Logger => processLog(process, keep, { ...bindings, ...more });
  return { debug, info, warn, error, fatal: write('fatal'), child };
}

/** A line of a log, at a monotonic instant. */
export function logLine(nowMs: number, level: string, message: string, fields: LogFields): string {
  return `${(nowMs / 1000).toFixed(3)} ${level} ${message} ${JSON.stringify(fields, plainError)}`;
}

/** Errors as JSON, so that a log line can be searched for forbidden content. */
function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, name: value.name, message: value.message } : value;
}
