import { expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { Court } from './judges/judge.ts';
import { lossLimits } from './judges/loss-limits.ts';
import { drawPlan } from './plan.ts';

const HOUR_MS = 3_600_000;
const STAKE_MICROS = 100_000_000;

const filled = (orderId: number, side: string, atMs: number, status = 'done'): InspectedOrder =>
  ({
    ...{
      orderId,
      requestUuid: `${orderId}`,
      eventId: 'e1',
      betType: `${side},h`,
      closed: true,
      status,
    },
    fills: [{ betId: orderId, price: 2, stakeMicros: STAKE_MICROS, atMs, role: 'maker', voided: false }],
  }) as unknown as InspectedOrder;

/** What is said of a stop for a loss, so long after a bet was hedged, on a day with an outage of `outageS`. */
function saidOf(stoppedMs: number, outageS: number, takenBackMs: number | null = null): readonly string[] {
  const said: string[] = [];
  let nowMs = 0;
  const risk = { killed: null as { by: string; atMs: number } | null };
  const world = {
    run: { composed: { risk } },
    clock: { monotonicMs: () => nowMs },
    ...{ inspectAccounts: () => [{ balanceMicros: 0 }], note: () => undefined },
  };
  const outage = faultSchema.parse({ target: 'network', fault: 'connect_refused', at: 1, for_s: outageS });
  const day = drawPlan(1, 600);
  const plan = { ...day, acts: [], faults: [outage], daemon: { ...day.daemon, limits: { lossUsdt: 150 } } };
  const journal = { intended: new Map([1, 2].map((id) => [`${id}`, { place: { sport: 'fb' } }])) };
  const fail = (_: string, seen: string): void => void said.push(seen);
  const { onEvent } = lossLimits({ world, plan, journal, fail } as unknown as Court);
  onEvent?.([filled(1, 'for', 0)]);
  nowMs = 10_000;
  onEvent?.([filled(2, 'against', nowMs)]);
  if (takenBackMs !== null) {
    nowMs = takenBackMs;
    onEvent?.([filled(3, 'for', nowMs, 'full_void')]);
  }
  nowMs = stoppedMs;
  risk.killed = { by: 'loss limit', atMs: nowMs };
  onEvent?.([]);
  return said;
}

it('knows that a bet which was matched in an outage is not known before it is over', () => {
  expect(saidOf(3 * HOUR_MS, (3 * HOUR_MS) / 1000)).toEqual([]);
});

it('knows that an event of which a bet was taken back may be judged for a while by what it came to before', () => {
  expect(saidOf(HOUR_MS / 6, 20, HOUR_MS / 12)).toEqual([]);
});

it.each([
  ['long ago', 3 * HOUR_MS, null],
  ['and of which everything else is known by now', HOUR_MS / 6, null],
  ['long before another was taken back', 3 * HOUR_MS, 3 * HOUR_MS - 1_000],
  ['long after another was taken back', 3 * HOUR_MS, HOUR_MS],
])('notices a stop for a loss that a bet has made good %s', (_, stoppedMs, takenBackMs) => {
  expect(saidOf(stoppedMs, 20, takenBackMs)).toHaveLength(1);
});
