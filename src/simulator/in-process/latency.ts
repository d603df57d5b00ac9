import { type Random, uniformBetween } from '../../lib/random.ts';

/** How long things travel between a client and the in-process exchange; asked anew for each. */
export interface Latency {
  /** From the client to the exchange: requests, handshakes, client frames. */
  toExchangeMs(): number;
  /** From the exchange to the client: answers, stream frames. */
  toClientMs(): number;
}

/** The same delay each way, always. */
export function constantLatency(oneWayMs: number): Latency {
  return { toExchangeMs: () => oneWayMs, toClientMs: () => oneWayMs };
}

/** A delay drawn uniformly from [lowMs, highMs) for each way of each message. */
export function uniformLatency(random: Random, lowMs: number, highMs: number): Latency {
  const draw = (): number => uniformBetween(random, lowMs, highMs);
  return { toExchangeMs: draw, toClientMs: draw };
}
