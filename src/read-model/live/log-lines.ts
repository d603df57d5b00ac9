/** A line of the log for people. */
export interface LogLine {
  /** Of the day, UTC. */
  readonly time: string;
  readonly level: string;
  /** The message with its fields. */
  readonly words: string;
}

export const LEAST_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LeastLevel = (typeof LEAST_LEVELS)[number];

/** Whether a line of a level is among those from another level on. */
export const isFrom = (level: string, least: LeastLevel): boolean =>
  LEAST_LEVELS.indexOf(level === 'fatal' ? 'error' : (level as LeastLevel)) >= LEAST_LEVELS.indexOf(least);

/** Fields that are in every line or have a place of their own. */
const APART: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'version', 'runId', 'logEvent']);

/** Whether the words have a text somewhere, in letters of any case. */
export const hasText = (words: string, text: string): boolean =>
  words.toLowerCase().includes(text.trim().toLowerCase());

/** A JSON line of the log. What is no JSON is shown as it is. */
export function readLine(text: string): LogLine {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return { time: '', level: 'info', words: text };
  }
  const { level, time, msg } = fields;
  const rest = Object.entries(fields).flatMap(([name, value]) =>
    APART.has(name) ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  return {
    time: String(time).slice(11, 19),
    level: String(level),
    words: [String(msg), ...rest].join('  '),
  };
}
