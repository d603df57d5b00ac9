import type { Random } from './random.ts';

export interface BackoffPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Exponential backoff with jitter: the `attempt`-th wait (from 0) is uniform in the upper half of `firstMs` × 2^attempt,
 * so that clients which failed together do not come back together.
 */
export function backoffMs(policy: BackoffPolicy, attempt: number, random: Random): number {
  const full = Math.min(policy.longestMs, policy.firstMs * 2 ** Math.min(attempt, 30));
  return full * (0.5 + random.next() / 2);
}
