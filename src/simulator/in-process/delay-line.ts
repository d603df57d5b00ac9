import { type Random, uniformBetween } from '../../lib/random.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

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

interface Waiting<T> {
  readonly item: T;
  readonly dueMs: number;
}

/** A direction of a connection: delivers each item after a delay, in order and never synchronously. */
export class DelayLine<T> {
  readonly #clock: Clock;
  readonly #delayMs: () => number;
  readonly #deliver: (item: T) => void;
  #waiting: Waiting<T>[] = [];
  #timer: Timer | null = null;

  constructor(clock: Clock, delayMs: () => number, deliver: (item: T) => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#deliver = deliver;
  }

  push(item: T): void {
    const earliestMs = this.#clock.monotonicMs() + this.#delayMs();
    this.#waiting.push({ item, dueMs: Math.max(earliestMs, this.#waiting.at(-1)?.dueMs ?? 0) });
    this.#arm();
  }

  /** Drops the items that have not arrived. */
  clear(): void {
    this.#waiting = [];
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(): void {
    const first = this.#waiting[0];
    if (first === undefined || this.#timer !== null) return;
    this.#timer = this.#clock.after(first.dueMs - this.#clock.monotonicMs(), () => this.#arrive());
  }

  #arrive(): void {
    this.#timer = null;
    const nowMs = this.#clock.monotonicMs();
    const arrived = this.#waiting.findIndex(({ dueMs }) => dueMs > nowMs);
    const due = this.#waiting.splice(0, arrived === -1 ? this.#waiting.length : arrived);
    // A delivery may clear the line: no further item arrives after that.
    const line = this.#waiting;
    for (const { item } of due) if (this.#waiting === line) this.#deliver(item);
    this.#arm();
  }
}
