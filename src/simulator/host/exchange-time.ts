import type { Clock } from '../../ports/clock.ts';

/**
 * The exchange's own wall clock, in whole milliseconds. It starts at the machine's wall time and then runs on monotonic
 * time. It never goes back, and a jump of the machine's clock does not move it, as with a remote exchange.
 */
export function exchangeTime(clock: Clock): () => number {
  const startMs = clock.wallMs() - clock.monotonicMs();
  return () => Math.floor(startMs + clock.monotonicMs());
}
