import { expect, it } from 'vitest';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import type { Court } from './judges/judge.ts';
import { lossLimits } from './judges/loss-limits.ts';
import { drawPlan } from './plan.ts';

const HOUR_MS = 3_600_000;
const STAKE_MICROS = 100_000_000;

const filled = (orderId: number, side: string, atMs: number, status = 'done'): InspectedOrder =>
  ({
    orderId,
    requestUuid: `${orderId}`,
    sport: 'fb',
    eventId: 'e1',
    betType: `${side},h`,
    closed: true,
    status,
    fills: [{ betId: orderId, price: 2, stakeMicros: STAKE_MICROS, atMs, role: 'maker', voided: false }],
  }) as unknown as InspectedOrder;

/** The judge's report on a stop for a loss, this long after a bet was hedged, on a day with an outage of `outageS`. */
function saidOf(
  stoppedMs: number,
  outageS: number,
  takenBackMs: number | null = null,
  takenBack = 'full_void',
): readonly string[] {
  const said: string[] = [];
  let nowMs = 0;
  const risk = { killed: null as { by: string; atMs: number } | null };
  const world = {
    run: { composed: { core: { risk } } },
    clock: { monotonicMs: () => nowMs },
    inspectAccounts: () => [{ balanceMicros: 0 }],
    note: () => undefined,
    isDecided: () => false,
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
    onEvent?.([filled(3, 'for', nowMs, takenBack)]);
  }
  nowMs = stoppedMs;
  risk.killed = { by: 'loss limit', atMs: nowMs };
  onEvent?.([]);
  return said;
}

it('knows that a bet matched in an outage stays unknown until the outage is over', () => {
  expect(saidOf(3 * HOUR_MS, (3 * HOUR_MS) / 1000)).toEqual([]);
});

it.each(['full_void', 'partial_void'])(
  'knows that an event with a voided bet may be judged for a while by its earlier total: %s',
  (status) => {
    expect(saidOf(HOUR_MS / 6, 20, HOUR_MS / 12, status)).toEqual([]);
  },
);

it.each([
  ['long ago', 3 * HOUR_MS, null],
  ['and of which everything else is known by now', HOUR_MS / 6, null],
  ['long before another was taken back', 3 * HOUR_MS, 3 * HOUR_MS - 1_000],
  ['long after another was taken back', 3 * HOUR_MS, HOUR_MS],
])('notices a stop for a loss that a bet has made good %s', (_, stoppedMs, takenBackMs) => {
  expect(saidOf(stoppedMs, 20, takenBackMs)).toHaveLength(1);
});

interface Payment {
  readonly afterMs: number;
  readonly orderId: number;
  readonly paysMicros: number;
}

const sideOf = (orderId: number): string => (orderId === 1 ? 'for' : 'against');
const LOST_THEN_WON = [
  { afterMs: 0, orderId: 1, paysMicros: -STAKE_MICROS },
  { afterMs: 100_000, orderId: 2, paysMicros: STAKE_MICROS },
];
const WON_THEN_LOST = LOST_THEN_WON.map((each) => ({ ...each, paysMicros: -each.paysMicros }));
const BOTH_AT_ONCE = LOST_THEN_WON.map((each) => ({ ...each, afterMs: 0 }));
const BOTH_LOST = LOST_THEN_WON.map((each) => ({ ...each, paysMicros: -STAKE_MICROS }));

/**
 * The judge's report on a stop this long after the first of these payments, for cancelling bets on an event that ended
 * an hour ago.
 */
function saidInTurn(stoppedMs: number, payments: readonly Payment[], isTakenBack = false): readonly string[] {
  const said: string[] = [];
  let [nowMs, balanceMicros, isDecided] = [0, 0, false];
  const risk = { killed: null as { by: string; atMs: number } | null };
  const world = {
    run: { composed: { core: { risk } } },
    clock: { monotonicMs: () => nowMs },
    isDecided: () => isDecided,
    inspectAccounts: () => [{ balanceMicros }],
    note: () => undefined,
  };
  const slow = faultSchema.parse({ target: 'exchange', fault: 'results_in_turn', over_s: 100, at: 1 });
  const day = drawPlan(1, 600);
  const plan = { ...day, acts: [], faults: [slow], daemon: { ...day.daemon, limits: { lossUsdt: 150 } } };
  const journal = { intended: new Map([1, 2].map((id) => [`${id}`, { place: { sport: 'fb' } }])) };
  const fail = (_: string, seen: string): void => void said.push(seen);
  const { onEvent } = lossLimits({ world, plan, journal, fail } as unknown as Court);
  onEvent?.([1, 2].map((orderId) => filled(orderId, sideOf(orderId), 0)));
  nowMs = HOUR_MS - 1_000;
  onEvent?.(isTakenBack ? [filled(3, 'for', 0, 'full_void')] : []);
  isDecided = true;
  for (const { afterMs, orderId, paysMicros } of payments.filter((each) => each.afterMs <= stoppedMs)) {
    nowMs = HOUR_MS + afterMs;
    balanceMicros += paysMicros;
    onEvent?.([filled(orderId, sideOf(orderId), 0, 'reconciled')]);
  }
  nowMs = HOUR_MS + stoppedMs;
  risk.killed = { by: 'loss limit', atMs: nowMs };
  onEvent?.([]);
  return said;
}

it.each([
  ['one is paid yet, which lost', 1_000, LOST_THEN_WON],
  ['one is paid yet, which won', 1_000, WON_THEN_LOST],
  ['both are paid now, and the first one had lost', 101_000, LOST_THEN_WON],
  ['both are paid now, and the first one had won', 101_000, WON_THEN_LOST],
  ['both are paid at once', 1_000, BOTH_AT_ONCE],
  ['both were paid long ago', 401_000, LOST_THEN_WON],
])('notices a stop for a loss of two bets that cancel of which %s', (_, stoppedMs, payments) => {
  expect(saidInTurn(stoppedMs, payments)).toHaveLength(1);
});

it('knows the loss once all of it is paid', () => {
  expect(saidInTurn(101_000, BOTH_LOST)).toEqual([]);
});

it('knows that the last payment of an event may arrive later than the daemon waits for it', () => {
  expect(saidInTurn(301_000, LOST_THEN_WON)).toEqual([]);
});

it('knows that the daemon may have waited since a bet of the event was voided', () => {
  expect(saidInTurn(1_000, LOST_THEN_WON, true)).toEqual([]);
});
