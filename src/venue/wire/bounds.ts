import type { Survey } from './survey.ts';

/** The least and the greatest value of a number of the exchange that drives a time, a size or a count. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Seconds of `retry_after`. The limits refill within a minute, except that of the day's betslips. A wait of nothing would be a storm of
 * requests, and one of centuries the end of trading. `most` exceeds what a single request waits (`retry.ts`).
 */
export const RETRY_AFTER_S: Bounds = { least: 1, most: 180 };
export const BETSLIP_RETRY_AFTER_S: Bounds = { least: 1, most: 24 * 3_600 };

/** The number within its bounds. One outside is noted with what is used instead. */
export function within(bounds: Bounds, name: string, value: number, survey: Survey): number {
  const used = Math.min(bounds.most, Math.max(bounds.least, value));
  if (used !== value) survey.note('out-of-bounds', `${name}=${value}, taken as ${used}`);
  return used;
}
