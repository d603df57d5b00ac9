/** The levels of a daemon's log, counted, with the first lines of level error or fatal. */
export class LogLines {
  readonly errors: string[] = [];
  /** Warnings, by the name of the line in the catalogue. */
  readonly warnings = new Map<string, number>();

  /** A line as the daemon writes it. Text that is no JSON counts as an error, because only a crash writes such a line. */
  take(line: string): void {
    const { level, msg, logEvent } = parsed(line);
    if (level === 'warn') {
      const name = String(logEvent ?? msg);
      this.warnings.set(name, (this.warnings.get(name) ?? 0) + 1);
    }
    if (level === 'error' || level === 'fatal') this.errors.push(line);
  }
}

interface Line {
  readonly level: unknown;
  readonly msg?: unknown;
  readonly logEvent?: unknown;
}

function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return { level: 'error' };
  }
}
