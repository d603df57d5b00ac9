import { expect, it } from 'vitest';
import type { Border, Court } from './judges/judge.ts';
import { reservesAreKept } from './judges/reserves.ts';

interface Asking {
  readonly what: string;
  readonly times: number;
  readonly body?: string;
  readonly foreign?: readonly {
    readonly sport: string;
    readonly eventId: string;
    readonly betType: string;
  }[];
}

/** The judge's report on a run that sends these requests at one instant, with these foreign orders open for it. */
function saidOf({ what, times, body = '{}', foreign = [] }: Asking): readonly string[] {
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
  const run = {} as Border;
  for (let count = 0; count < times; count++) onSent?.({ what, path: '', body, atMs: 60_000 }, run);
  return said;
}

const betslips = { what: 'POST /v2/betslips/', times: 10, body: '{"sport":"fb","event_id":"e1"}' };
const order = { sport: 'fb', eventId: 'e1', betType: 'for,h' };

it('notices betslips from the reserve where there is nothing to reduce', () => {
  expect(saidOf(betslips)).not.toEqual([]);
  expect(saidOf({ ...betslips, foreign: [{ ...order, eventId: 'e2' }] })).not.toEqual([]);
  expect(saidOf({ ...betslips, foreign: [{ ...order, sport: 'fb_ht' }] })).not.toEqual([]);
});

it("lets a daemon that has not received the end of a person's order reduce what that order could lose", () => {
  expect(saidOf({ ...betslips, foreign: [order] })).toEqual([]);
});

it('lets normal requests use the general budget except for its reserve', () => {
  expect(saidOf({ what: 'GET /v2/balance/', times: 50 })).toEqual([]);
  expect(saidOf({ what: 'GET /v2/balance/', times: 51 })).toHaveLength(1);
  expect(saidOf({ what: 'POST /v2/betslips/a/refresh/', times: 51 })).toHaveLength(1);
});

it('lets closes, heartbeats and look-ups use the reserve', () => {
  for (const what of ['POST /v2/orders/1/close/', 'POST /v2/heartbeats/a/refresh/', 'GET /v2/orders/1/'])
    expect(saidOf({ what, times: 70 })).toEqual([]);
});
