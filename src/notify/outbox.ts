import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Channel, Delivery } from './channel.ts';
import type { Message } from './notice.ts';

/** `sent`, or lost: `refused` by the receiver, `expired` without a delivery, or `dropped` because too many were waiting. */
export const OUTCOMES = ['sent', 'refused', 'expired', 'dropped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface OutboxParts {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Learns once what became of each message. */
  readonly onOutcome: (outcome: Outcome) => void;
}

const MOST_WAITING = 100;
/** An older message would confuse more than it helps. */
const EXPIRES_AFTER_MS = 3_600_000;
const RETRY: BackoffPolicy = { firstMs: 1_000, longestMs: 300_000 };

interface Waiting {
  readonly message: Message;
  /** Monotonic. */
  readonly sinceMs: number;
}

/** Delivers messages through a channel, one after the other, in order. Adding never waits. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #waiting: Waiting[] = [];
  readonly #closing = new AbortController();
  #work: Promise<void> | null = null;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** The oldest message is dropped if too many wait. */
  add(message: Message): void {
    if (this.#closing.signal.aborted) return;
    if (this.#waiting.length >= MOST_WAITING) {
      // The first one may be in flight.
      const [dropped] = this.#waiting.splice(1, 1);
      if (dropped !== undefined) this.#lost(dropped.message, 'dropped', 'too many are waiting');
    }
    this.#waiting.push({ message, sinceMs: this.#parts.clock.monotonicMs() });
    this.#work ??= this.#deliverAll().finally(() => (this.#work = null));
  }

  /** Resolves once nothing waits, or after the time, and then gives up what still waits. */
  async close(withinMs: number): Promise<void> {
    const limit = this.#parts.clock.after(withinMs, () => this.#closing.abort());
    await this.#work;
    limit.cancel();
    this.#closing.abort();
    await this.#parts.channel.close();
  }

  async #deliverAll(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      await this.#deliver(first);
      this.#waiting.shift();
    }
  }

  async #deliver({ message, sinceMs }: Waiting): Promise<void> {
    const { channel, clock, random } = this.#parts;
    for (let attempt = 0; ; attempt++) {
      const delivery = await this.#attempt(message);
      if (delivery.kind === 'sent') return this.#parts.onOutcome('sent');
      if (delivery.kind === 'refused') return this.#lost(message, 'refused', delivery.why);
      const pauseMs = Math.max(delivery.retryAfterMs, backoffMs(RETRY, attempt, random));
      const isTooLate = clock.monotonicMs() + pauseMs - sinceMs > EXPIRES_AFTER_MS;
      if (isTooLate || this.#closing.signal.aborted) return this.#lost(message, 'expired', delivery.why);
      this.#parts.logger.debug('a notification is sent again', {
        channel: channel.name,
        kind: message.kind,
        reason: delivery.why,
        retryInMs: Math.round(pauseMs),
      });
      await sleep(clock, pauseMs, this.#closing.signal).catch(() => undefined);
    }
  }

  /** A close does not wait for an answer. */
  #attempt(message: Message): Promise<Delivery> {
    const { signal } = this.#closing;
    const closed: Delivery = { kind: 'failed', why: 'the run ended', retryAfterMs: 0 };
    if (signal.aborted) return Promise.resolve(closed);
    return new Promise((resolve) => {
      const giveUp = (): void => resolve(closed);
      signal.addEventListener('abort', giveUp, { once: true });
      void this.#parts.channel.deliver(message).then((delivery) => {
        signal.removeEventListener('abort', giveUp);
        resolve(delivery);
      });
    });
  }

  #lost({ kind }: Message, outcome: Outcome, reason: string): void {
    this.#parts.onOutcome(outcome);
    const channel = this.#parts.channel.name;
    this.#parts.logger.warn('a notification is lost', { channel, kind, outcome, reason });
  }
}
