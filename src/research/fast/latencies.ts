import type { Random } from '../../lib/random.ts';
import type { Latency } from '../backtest-engine.ts';

/** Draws a latency, in milliseconds. An empty list of observed ones is 0. */
export function latencyOf(latency: Latency, random: Random): () => number {
  if (typeof latency === 'number') return () => latency;
  return () => latency[Math.floor(random.next() * latency.length)] ?? 0;
}
