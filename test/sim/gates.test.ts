import { expect, it } from 'vitest';
import { brokenGates } from './gates.ts';
import type { GateFacts } from './gates.ts';
import { drawPlan } from './plan.ts';

/** What is said of a create at `atMs`, when an answer that came at 1 s and was read at `readMs` showed a close-out. */
function saidOf(readMs: number, atMs: number, listedMs: number): readonly string[] {
  const sent = { what: 'POST /v2/orders/', path: '/v2/orders/', body: null, atMs };
  const witness = {
    sent: [sent],
    streamDownSinceMs: null,
    streamOpenedMs: 0,
    listedMs,
    provenUntilMs: Infinity,
  };
  const told = { closeOuts: [{ atMs: 1_000, readMs }] };
  const facts = { witness, told, market: null, killed: false, damageMet: false } as unknown as GateFacts;
  return [...brokenGates(sent, facts, drawPlan(1, 60))].map(([invariant]) => invariant);
}

it('lets a loop that was stalled do what was due before it reads of a close-out', () => {
  expect(saidOf(9_000, 9_000, 500)).toEqual([]);
  expect(saidOf(9_000, 9_001, 500)).toEqual(['16 close-out verified', '16 no instant quotes']);
  expect(saidOf(9_000, 15_000, 9_000)).toEqual([]);
});

it('lets nothing leave once a close-out was read of', () => {
  expect(saidOf(1_000, 1_000, 500)).toEqual(['16 close-out verified', '16 no instant quotes']);
});
