import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import { Registrations } from '../../src/venue/stream/registrations.ts';
import type { EventName } from '../../src/domain/events.ts';
import { makeRig, type Rig } from './support/make-venue.ts';

const CAP = 10;
const STEP_MS = 1_000;

/** Registrations of more events than an account may have registered, `elsewhere` included. */
class Account {
  readonly registrations = new Registrations();
  nowMs = 0;
  elsewhere = 0;
  #here = 0;

  constructor() {
    for (let at = 0; at < 2 * CAP; at++)
      this.registrations.want({ sport: 'fb', eventId: `event-${at}` } as EventName, -at);
  }

  advance(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; this.nowMs += STEP_MS) this.#step();
  }

  /** The connection is replaced. The exchange still counts the registrations of the old one. */
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
  'registers again soon when a lost connection held all places, %i s after the cap was met',
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

it('registers within two minutes when others release the places that they had held for an hour', () => {
  const account = new Account();
  account.elsewhere = CAP;
  account.advance(3_620_000);
  expect(account.registrations.counts()).toMatchObject({ registered: 0, cap: 0 });
  account.elsewhere = 0;
  account.advance(120_000);
  expect(account.registrations.counts().registered).toBe(CAP);
});

describe('an event that counts as registered', () => {
  const FB = sport('fb');
  const [FIRST, SECOND] = [eventId('2026-01-01,1,1'), eventId('2026-01-01,2,2')];
  const OK = ['response', { status: 'ok' }] as const;
  const FAILED = ['response', { status: 'error', code: 'system_error' }] as const;
  const FULL = ['response', { status: 'error', code: 'customer_event_limit_exceeded' }] as const;
  type Answer = typeof OK | typeof FAILED | typeof FULL;

  /** A connection that answers each command in this way, and lists its registrations. */
  function rigWith(answers: (command: readonly unknown[], on: Set<unknown>) => readonly Answer[]) {
    const rig: Rig = makeRig();
    rig.venue.stream$.subscribe();
    const socket = rig.sockets.last;
    const on = new Set<unknown>();
    socket.onSend = (command) => {
      const data = { registered_events: [...on].map((id) => ['fb', id]) };
      const list = [['response', { status: 'ok', data }]] as const;
      const entries = command[0] === 'list_registered_events' ? list : answers(command, on);
      rig.clock.after(1, () => socket.push(...entries));
    };
    socket.begin();
    return { rig, on };
  }

  it('is requested again when an answer that came twice had been taken for its own', async () => {
    let fails = true;
    const { rig, on } = rigWith(([, , id], held) => {
      if (id === SECOND && fails) {
        fails = false;
        return [FAILED];
      }
      held.add(id);
      return id === FIRST ? [OK, OK] : [OK];
    });
    rig.venue.registerEvent(FB, FIRST);
    rig.venue.registerEvent(FB, SECOND);
    await rig.clock.advance(60_000);
    expect([...on]).toEqual([FIRST, SECOND]);
  });

  it('is unregistered again when that had failed', async () => {
    let fails = true;
    const { rig, on } = rigWith(([name, , id], held) => {
      if (name === 'register_event') held.add(id);
      else if (fails) {
        fails = false;
        return [FAILED];
      } else held.delete(id);
      return [OK];
    });
    rig.venue.registerEvent(FB, FIRST);
    rig.venue.registerEvent(FB, SECOND);
    await rig.clock.advance(1_000);
    rig.venue.unregisterEvent(FB, SECOND);
    await rig.clock.advance(60_000);
    expect([...on]).toEqual([FIRST]);
  });

  it('is unregistered again when it holds the only place, and another event waits for that', async () => {
    let fails = true;
    const { rig, on } = rigWith(([name, , id], held) => {
      if (name === 'unregister_event') {
        if (fails) {
          fails = false;
          return [FAILED];
        }
        held.delete(id);
      } else if (held.size > 0) return [FULL];
      else held.add(id);
      return [OK];
    });
    rig.venue.registerEvent(FB, FIRST);
    await rig.clock.advance(1_000);
    rig.venue.unregisterEvent(FB, FIRST);
    rig.venue.registerEvent(FB, SECOND);
    await rig.clock.advance(120_000);
    expect([...on]).toEqual([SECOND]);
  });
});
