/**
 * The catalogue of log lines. Each line of the log is of one of these kinds: a call with another message, or with another level,
 * does not compile.
 */
import { APP_EVENTS } from './app.ts';
import { ENGINE_EVENTS } from './engine.ts';
import type { LineLevel, LogEvent } from './event.ts';
import { EXCHANGE_EVENTS } from './exchange.ts';
import { ORDER_EVENTS } from './orders.ts';
import { RECORDING_EVENTS } from './recording.ts';

export const LOG_EVENTS = {
  ...APP_EVENTS,
  ...ORDER_EVENTS,
  ...ENGINE_EVENTS,
  ...EXCHANGE_EVENTS,
  ...RECORDING_EVENTS,
};

/** The stable name of a kind of line, as the field `logEvent` shows it. */
export type LogEventName = keyof typeof LOG_EVENTS;

type Row = (typeof LOG_EVENTS)[LogEventName];

/** The text of a plugin, which no message of the catalogue describes. */
type Free = '{text}';

/** The messages that a catalogued message allows. */
type Pattern<M extends string> = M extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Pattern<After>}`
  : M;

/** The messages of a level. */
export type LogMessage<L extends LineLevel> = Pattern<
  Exclude<Extract<Row, { readonly level: L }>['message'], Free>
>;

/** The names of the fields that a message may have. */
export type FieldOf<M extends string> = Row extends infer R
  ? R extends Row
    ? M extends Pattern<R['message']>
      ? R['fields'][number]
      : never
    : never
  : never;

const FREE: Free = '{text}';
const byLine = new Map<string, LogEventName>();
const byPattern: (readonly [RegExp, LogEventName])[] = [];

for (const [name, { level, message }] of Object.entries<LogEvent>(LOG_EVENTS)) {
  const line = `${level} ${message}`;
  if (!message.includes('{')) byLine.set(line, name as LogEventName);
  else if (message !== FREE) byPattern.push([patternOf(line), name as LogEventName]);
}

function patternOf(line: string): RegExp {
  const literal = line
    .split(/\{\w+\}/)
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}

/** The kind of a line; null for a message that is not catalogued, such as the text of a plugin. */
export function logEventOf(level: LineLevel, message: string): LogEventName | null {
  const line = `${level} ${message}`;
  return byLine.get(line) ?? byPattern.find(([pattern]) => pattern.test(line))?.[1] ?? null;
}
