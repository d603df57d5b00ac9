/** The levels of a line, most severe first. */
export const LINE_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug'] as const;
export type LineLevel = (typeof LINE_LEVELS)[number];

/** A kind of log line. Programs select lines by its name; the message is for people and may be reworded. */
export interface LogEvent {
  readonly level: LineLevel;
  /** The message. A word in braces stands for a text that differs from line to line. */
  readonly message: string;
  /** The fields that a line of this kind may have, beside those of every line. */
  readonly fields: readonly string[];
  /** What happened, and what follows for the reader. */
  readonly meaning: string;
}

export type LogEvents = Readonly<Record<string, LogEvent>>;
