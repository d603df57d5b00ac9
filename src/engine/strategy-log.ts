import { LineLimit } from '../lib/line-limit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Surroundings } from '../strategy/session.ts';

/** A strategy that writes a line for each view would fill a disk. */
const LINES_A_MINUTE = 100;

/** The log for strategies. It drops lines beyond a hundred a minute, and says how many it dropped. */
export function limitedLog(logger: Logger, clock: Clock): Surroundings['log'] {
  const limit = new LineLimit(LINES_A_MINUTE);
  return (message, fields) => {
    const { passes, dropped } = limit.take(clock.monotonicMs());
    if (dropped > 0)
      logger.warn('strategies wrote too many log lines; the rest of that minute was dropped', { dropped });
    if (passes) logger.info(message, fields);
  };
}
