import { expect, it } from 'vitest';
import { watchedVenue } from '../../../src/app/watchdog/watched-venue.ts';
import type { HeartbeatId } from '../../../src/domain/ids.ts';
import type { CallOptions, Venue } from '../../../src/ports/venue.ts';

/** A venue with private state, which answers only calls on itself. */
class FakeVenue {
  readonly kind = 'live';
  #creates = 0;

  get throttledCount(): number {
    return this.#creates;
  }

  placeOrder(_order: unknown, options: CallOptions = {}): Promise<number> {
    options.beforeSend?.();
    options.whenConnected?.();
    return Promise.resolve(++this.#creates);
  }

  createHeartbeat(timeoutS: number): Promise<{ heartbeatId: string; expiryMs: null }> {
    return Promise.resolve({ heartbeatId: `of ${timeoutS} s`, expiryMs: null });
  }

  budgets(): number {
    return this.#creates;
  }
}

function bench() {
  const noted: string[] = [];
  const venue = watchedVenue(new FakeVenue() as unknown as Venue, {
    noteCreate: () => noted.push('create'),
    noteHeartbeat: (id: HeartbeatId) => noted.push(id),
  });
  return { noted, venue };
}

const ORDER = {} as Parameters<Venue['placeOrder']>[0];

it('notes a create request at the last instants before it leaves, after the checks of its sender', async () => {
  const { noted, venue } = bench();
  const options = {
    beforeSend: () => noted.push('checked'),
    whenConnected: () => noted.push('checked when connected'),
  };
  expect(await venue.placeOrder(ORDER, options)).toBe(1);
  expect(noted).toEqual(['checked', 'create', 'checked when connected', 'create']);
});

it('notes no create request that its sender cancels', async () => {
  const { noted, venue } = bench();
  const cancel = (): never => {
    throw new Error('not wanted');
  };
  expect(() => void venue.placeOrder(ORDER, { beforeSend: cancel })).toThrow('not wanted');
  expect(noted).toEqual([]);
});

it('notes the heartbeat, and passes everything else on', async () => {
  const { noted, venue } = bench();
  await venue.createHeartbeat(30);
  await venue.placeOrder(ORDER);
  expect(noted).toEqual(['of 30 s', 'create', 'create']);
  expect([venue.kind, venue.throttledCount, venue.budgets()]).toEqual(['live', 1, 1]);
});
