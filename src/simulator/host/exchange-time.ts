import type { Clock } from '../../ports/clock.ts';

/**
 * The exchange's own wall clock, in whole milliseconds: it starts at the machine's and then runs on monotonic time, so
 * that it never goes back and a jump of the machine's clock leaves the exchange alone, as a remote one would be.
 */
export function exchangeTime(clock: Clock): () => number {
  const startMs = clock.wallMs() - clock.monotonicMs();
  return () => Math.floor(startMs + clock.monotonicMs());
}
