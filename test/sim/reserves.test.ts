import { expect, it } from 'vitest';
import type { Border, Court } from './judges/judge.ts';
import { reservesAreKept } from './judges/reserves.ts';

/** What is said of a run that asks for ten betslips at once on an event, on which it takes these orders of others for open. */
function saidOf(foreign: readonly { eventId: string; betType: string }[]): readonly string[] {
  const said: string[] = [];
  const fail = (_: string, seen: string): void => void said.push(seen);
  const world = {
    wires: { host: { isNetworkDown: false } },
    clock: { monotonicMs: () => 60_000 },
    orders: { open: () => [] },
    run: { composed: { parts: { orders: { orders: () => [], status: () => ({ foreign }) } } } },
  };
  const plan = { world: { betslipsPerDay: 2_000 } };
  const { onSent } = reservesAreKept({ world, plan, journal: {}, fail } as unknown as Court);
  const sent = { what: 'POST /v2/betslips/', path: '/v2/betslips/', body: '{"event_id":"e1"}', atMs: 60_000 };
  for (let count = 0; count < 10; count++) onSent?.(sent, {} as Border);
  return said;
}

it('notices betslips from the reserve where there is nothing to reduce', () => {
  expect(saidOf([])).not.toEqual([]);
  expect(saidOf([{ eventId: 'e2', betType: 'for,h' }])).not.toEqual([]);
});

it("lets who has not heard of the end of a person's order reduce what it could lose", () => {
  expect(saidOf([{ eventId: 'e1', betType: 'for,h' }])).toEqual([]);
});
