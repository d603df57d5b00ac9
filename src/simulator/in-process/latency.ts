import { type Random, uniformBetween } from '../../lib/random.ts';

/** Travel times between a client and the in-process exchange, asked for each message. */
export interface Latency {
  /** From the client to the exchange: requests, handshakes, client frames. */
  toExchangeMs(): number;
  /** From the exchange to the client: answers, stream frames. */
  toClientMs(): number;
}

/** A constant delay in each direction. */
export function constantLatency(oneWayMs: number): Latency {
  return { toExchangeMs: () => oneWayMs, toClientMs: () => oneWayMs };
}

/** A delay drawn uniformly from [lowMs, highMs) for each message in each direction. */
export function uniformLatency(random: Random, lowMs: number, highMs: number): Latency {
  const draw = (): number => uniformBetween(random, lowMs, highMs);
  return { toExchangeMs: draw, toClientMs: draw };
}
