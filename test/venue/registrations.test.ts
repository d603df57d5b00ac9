import { expect, it } from 'vitest';
import type { EventRef } from '../../src/venue/wire/registered.ts';
import { Registrations } from '../../src/venue/stream/registrations.ts';

const CAP = 10;
const STEP_MS = 1_000;

/** Registrations of more events than an account may have registered, `elsewhere` counted. */
class Account {
  readonly registrations = new Registrations();
  nowMs = 0;
  elsewhere = 0;
  #here = 0;

  constructor() {
    for (let at = 0; at < 2 * CAP; at++)
      this.registrations.want({ sport: 'fb', eventId: `event-${at}` } as EventRef, -at);
  }

  advance(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; this.nowMs += STEP_MS) this.#step();
  }

  /** The connection is replaced; the exchange goes on counting what the old one has registered. */
  reconnect(): void {
    this.elsewhere = this.#here;
    this.#here = 0;
    this.registrations.reset();
  }

  #step(): void {
    for (const command of this.registrations.plan(this.nowMs)) {
      const isFull = command.kind === 'register' && this.#here + this.elsewhere >= CAP;
      if (!isFull) this.#here += command.kind === 'register' ? 1 : -1;
      this.registrations.answered(command, isFull ? 'customer_event_limit_exceeded' : null, this.nowMs);
    }
  }
}

it.each([300, 614, 900])(
  'is registered again soon when a connection that is gone held all places, %i s after the cap was met',
  (afterS) => {
    const account = new Account();
    account.advance(afterS * 1_000);
    expect(account.registrations.counts()).toMatchObject({ registered: CAP, cap: CAP });
    account.reconnect();
    account.advance(3_000);
    expect(account.registrations.counts().registered).toBe(0);
    account.elsewhere = 0;
    account.advance(30_000);
    expect(account.registrations.counts().registered).toBe(CAP);
  },
);
