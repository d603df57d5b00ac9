import { expect, it } from 'vitest';
import { brokenGates, type GateFacts } from './gates.ts';
import { drawPlan, type SimPlan } from './plan.ts';

/** The report on a create at `atMs`, when an answer that arrived at 1 s and was read at `readMs` showed a close-out. */
function saidOf(readMs: number, atMs: number, listedMs: number): readonly string[] {
  const sent = { what: 'POST /v2/orders/', path: '/v2/orders/', body: null, atMs };
  const witness = {
    sent: [sent],
    streamDownSinceMs: null,
    streamOpenedMs: 0,
    listedMs,
    provenUntilMs: Infinity,
  };
  const received = { closeOuts: [{ atMs: 1_000, readMs }] };
  const facts = { witness, received, market: null, killed: false, damageMet: false } as unknown as GateFacts;
  return [...brokenGates(sent, facts, drawPlan(1, 60))].map(([invariant]) => invariant);
}

it('lets a stalled loop do its due work before it reads of a close-out', () => {
  expect(saidOf(9_000, 9_000, 500)).toEqual([]);
  expect(saidOf(9_000, 9_001, 500)).toEqual(['16 close-out verified', '16 no instant quotes']);
  expect(saidOf(9_000, 15_000, 9_000)).toEqual([]);
});

it('lets nothing leave once a close-out was read', () => {
  expect(saidOf(1_000, 1_000, 500)).toEqual(['16 close-out verified', '16 no instant quotes']);
});

/** The report on the last of several creates, one each 500 ms, when this many of them are of one order. */
function saidOfCreates(count: number, ofOne: number): readonly string[] {
  const sent = Array.from({ length: count }, (_, at) => ({
    what: 'POST /v2/orders/',
    path: '/v2/orders/',
    atMs: 6_000 + 500 * at,
    body: JSON.stringify({ request_uuid: `uuid-${Math.max(0, at + 1 - ofOne)}` }),
  }));
  const witness = {
    sent,
    streamDownSinceMs: null,
    streamOpenedMs: 0,
    listedMs: 2_000,
    provenUntilMs: Infinity,
  };
  const received = { closeOuts: [{ atMs: 1_000, readMs: 1_000 }] };
  const facts = { witness, received, market: null, killed: false, damageMet: false } as unknown as GateFacts;
  const last = sent.at(-1) as (typeof sent)[number];
  return [...brokenGates(last, facts, drawPlan(1, 60))].map(([invariant]) => invariant);
}

it('counts quotes that come back, not how often each is requested', () => {
  expect(saidOfCreates(13, 1)).toEqual(['16 no instant quotes']);
  expect(saidOfCreates(13, 5)).toEqual([]);
});

/** The report on an updates window that starts this many seconds after the cursor, in a plan with these acts. */
function saidOfWindow(afterCursorS: number, acts: SimPlan['acts']): readonly string[] {
  const [cursorMs, nowMs] = [1_000_000, 1_200_000];
  const [from, to] = [cursorMs + afterCursorS * 1000, nowMs - 63_000].map((ms) => new Date(ms).toISOString());
  const path = `/v2/orders/updates/?updated_at_from=${from}&updated_at_to=${to}`;
  const facts = {
    wallMs: nowMs,
    exchangeMs: nowMs,
    cursorMs,
    journalFailed: () => false,
    received: { updatesToMs: cursorMs },
    damageMet: false,
  } as unknown as GateFacts;
  const sent = { what: 'GET /v2/orders/updates/', path, body: null, atMs: 200_000 };
  return [...brokenGates(sent, facts, { ...drawPlan(1, 60), acts })].map(([, seen]) => seen);
}

it.each([
  ['that runs on', []],
  ['that jumps', [{ do: 'jump_wall', atS: 10, byS: 3600 }]],
] satisfies [string, SimPlan['acts']][])('lets no updates be omitted by a wall clock %s', (_what, acts) => {
  expect(saidOfWindow(-5, acts)).toEqual([]);
  expect(saidOfWindow(15, acts)).toEqual(['a gap of 15000 ms']);
});

/** The report on a heartbeat request of a run that has had a kill's orders open for long, and an engine that hangs. */
function saidOfHeartbeat(path: string): readonly string[] {
  const sent = { what: `POST ${path}`, path, body: null, atMs: 100_000 };
  const facts = {
    witness: { streamDownSinceMs: null },
    wedgedSinceMs: 1_000,
    leftByKill: { isFailed: () => true },
  } as unknown as GateFacts;
  return [...brokenGates(sent, facts, { ...drawPlan(1, 60), acts: [] })].map(([invariant]) => invariant);
}

it('lets a heartbeat be armed, and not refreshed, when its end closes what cannot be closed', () => {
  expect(saidOfHeartbeat('/v2/heartbeats/')).toEqual([]);
  expect(saidOfHeartbeat('/v2/heartbeats/one/refresh/')).toEqual(['14 refresh stops', '14 refresh stops']);
});
