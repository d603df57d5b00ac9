import { ProtocolError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { Random } from '../../lib/random.ts';
import { backoffMs, type BackoffPolicy } from '../../lib/backoff.ts';

/**
 * Whether a request may be retried. `safe`: reads and idempotent writes. `unsafe`: a second request would create a second
 * object, so only a request that had no effect is retried. `once`: never retried; the caller decides.
 */
export type Repeat = 'safe' | 'unsafe' | 'once';

export interface RetryPolicy extends BackoffPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** With a longer `retry_after` (as when the day's betslips are used up) there is no retry. Milliseconds. */
  readonly longestRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 4,
  firstMs: 250,
  longestMs: 8_000,
  longestRetryAfterMs: 120_000,
};

/**
 * The specification's retry rules. Milliseconds to wait before the next attempt, or null to give up. `attempt` counts
 * from 0.
 *
 * - 429: after `retry_after`.
 * - 500, 503, an unreadable response, no response: with backoff, if the request is `safe`.
 * - nothing was sent: with backoff.
 * - any other response (400, 401, 403, 404, 409): never, because a retry would not change it. After 401, the client sends nothing
 *   but closes (`client.ts`).
 */
export function retryDelayMs(
  error: unknown,
  repeat: Repeat,
  attempt: number,
  policy: RetryPolicy,
  random: Random,
): number | null {
  if (repeat === 'once' || attempt + 1 >= policy.attempts) return null;
  const backoff = backoffMs(policy, attempt, random);
  if (error instanceof VenueRejection && error.status === 429) {
    const delayMs = error.retryAfterS === null ? backoff : error.retryAfterS * 1000;
    return delayMs <= policy.longestRetryAfterMs ? delayMs : null;
  }
  if (error instanceof TransportError && error.outcome === 'not-sent') return backoff;
  return repeat === 'safe' && mayHaveFailedByChance(error) ? backoff : null;
}

function mayHaveFailedByChance(error: unknown): boolean {
  if (error instanceof VenueRejection) return error.status >= 500;
  return error instanceof TransportError || error instanceof ProtocolError;
}
