import type { FieldOf, LogEventName, LogMessage } from './log-events/index.ts';
import type { LineLevel } from './log-events/event.ts';

export type { LineLevel } from './log-events/event.ts';

/** Writes lines of one level. The catalogue (`log-events/`) names the messages and the fields of each. */
export type LogLine<L extends LineLevel> = <M extends LogMessage<L>>(
  message: M,
  fields?: Readonly<Partial<Record<FieldOf<M>, unknown>>>,
) => void;

/** Structured log: a message for people and fields for machines. Fields never hold a secret. */
export interface Logger {
  debug: LogLine<'debug'>;
  info: LogLine<'info'>;
  warn: LogLine<'warn'>;
  error: LogLine<'error'>;
  /** The last line of a process that ends with an error. */
  fatal: LogLine<'fatal'>;
  /** A logger that adds `bindings` to every line. */
  child(bindings: LogFields): Logger;
}

export type LogFields = Readonly<Record<string, unknown>>;

type FreeLine = (message: string, fields?: LogFields) => void;

/** A logger that takes any message: for code that passes on the lines of others. */
export interface FreeLogger extends Readonly<Record<LineLevel, FreeLine>> {
  child(bindings: LogFields): FreeLogger;
}

/** The logger as one that takes lines which were checked elsewhere, or which no catalogue can know. */
export const passingOn = (logger: Logger): FreeLogger => logger as FreeLogger;

/** Writes a line whose text is a plugin's own. */
export function logPluginText(
  logger: Logger,
  logEvent: Extract<LogEventName, 'strategy_line' | 'price_source_line'>,
  message: string,
  fields: LogFields,
): void {
  passingOn(logger).info(message, { ...fields, logEvent });
}

const nothing = (): void => undefined;

/** Drops every line. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: () => silentLogger,
};
