import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Surroundings } from '../strategy/session.ts';

/** A strategy that writes a line for each view would fill a disk. */
const LINES_A_MINUTE = 100;
const MINUTE_MS = 60_000;

/** The log for strategies. It drops lines beyond a hundred a minute, and says how many it dropped. */
export function limitedLog(logger: Logger, clock: Clock): Surroundings['log'] {
  let minuteMs = -Infinity;
  let lines = 0;
  return (message, fields) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - minuteMs >= MINUTE_MS) {
      if (lines > LINES_A_MINUTE)
        logger.warn('strategies wrote too many log lines; the rest of that minute was dropped', {
          dropped: lines - LINES_A_MINUTE,
        });
      minuteMs = nowMs;
      lines = 0;
    }
    lines++;
    if (lines <= LINES_A_MINUTE) logger.info(message, fields);
  };
}
