import type { Clock } from '../ports/clock.ts';
import { type Logger, logPluginText } from '../ports/logger.ts';
import type { StrategyProblem } from '../strategy/host.ts';
import type { Surroundings } from '../strategy/session.ts';

/** A strategy that writes a line for each view would fill a disk. */
const LINES_A_MINUTE = 100;
const MINUTE_MS = 60_000;

interface Written {
  /** Monotonic. */
  readonly sinceMs: number;
  lines: number;
}

/** The log for strategies. Each may write a hundred lines a minute; the first line beyond is reported as a fault, and all are dropped. */
export function limitedLog(
  logger: Logger,
  clock: Clock,
  onFault: (problem: StrategyProblem) => void,
): Surroundings['log'] {
  const written = new Map<string, Written>();
  return (message, fields) => {
    const { strategy, sport, eventId } = fields;
    const nowMs = clock.monotonicMs();
    const last = written.get(strategy);
    const now = last === undefined || nowMs - last.sinceMs >= MINUTE_MS ? { sinceMs: nowMs, lines: 0 } : last;
    written.set(strategy, now);
    now.lines++;
    if (now.lines <= LINES_A_MINUTE) logPluginText(logger, 'strategy_line', message, fields);
    else if (now.lines === LINES_A_MINUTE + 1)
      onFault({
        kind: 'too-many-lines',
        strategy,
        sport,
        eventId,
        selectionId: null,
        message: `it has written more than ${LINES_A_MINUTE} log lines within a minute; the others of that minute are dropped`,
      });
  };
}
