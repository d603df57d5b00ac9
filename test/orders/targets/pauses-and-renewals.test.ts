import { describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import type { EventKey } from '../../../src/domain/ids.ts';
import type { BetslipRequest } from '../../../src/domain/orders.ts';
import type { IntentKey } from '../../../src/domain/quote-intent.ts';
import { QuotePauses } from '../../../src/orders/targets/quote-pauses.ts';
import { Renewals } from '../../../src/orders/targets/quoting.ts';
import { trackedOrder } from '../support/tracked.ts';

const [KEY, OTHER] = ['a#for#0', 'b#for#0'] as [IntentKey, IntentKey];
const MARKET = {} as BetslipRequest;

function made() {
  const clock = { nowMs: 1_000 };
  const fruitless = { untilMs: -Infinity };
  const pauses = new QuotePauses(() => clock.nowMs, { untilMs: () => fruitless.untilMs });
  /** What the quote pauses for from now, and then a moment at its end. */
  const lasted = (act: () => void): number => {
    act();
    const ms = pauses.untilMs(KEY, null) - clock.nowMs;
    clock.nowMs += ms;
    return ms;
  };
  return { clock, fruitless, pauses, lasted };
}

describe('the pause of a quote', () => {
  it('is its own, and ends with the close of its order', () => {
    const { pauses } = made();
    expect(pauses.untilMs(KEY, null)).toBe(-Infinity);
    pauses.failed(KEY, 2_000);
    expect([pauses.untilMs(KEY, null), pauses.untilMs(OTHER, null)]).toEqual([3_000, -Infinity]);
    pauses.closed(KEY);
    expect(pauses.untilMs(KEY, null)).toBe(-Infinity);
  });

  it('doubles with each failure up to a minute, and stays as it is where risk refuses', () => {
    const { pauses, lasted } = made();
    expect([1, 2, 3, 4].map(() => lasted(() => pauses.failed(KEY, 20_000)))).toEqual([
      20_000, 40_000, 60_000, 60_000,
    ]);
    expect([1, 2].map(() => lasted(() => pauses.refusedByRisk(KEY, 500)))).toEqual([500, 500]);
  });

  it('doubles after each take up to a minute or its own length, and outlasts the close of the order', () => {
    const { pauses, lasted } = made();
    expect([1, 2, 3].map(() => lasted(() => pauses.took(KEY, 25_000)))).toEqual([25_000, 50_000, 60_000]);
    expect([1, 2].map(() => lasted(() => pauses.took(KEY, 90_000)))).toEqual([90_000, 90_000]);
    pauses.took(KEY, 1_000);
    const untilMs = pauses.untilMs(KEY, null);
    pauses.closed(KEY);
    expect(pauses.untilMs(KEY, null)).toBe(untilMs);
  });

  it('is the longest of what failed, what took, and what came to nothing on its market', () => {
    const { pauses, fruitless } = made();
    pauses.failed(KEY, 2_000);
    pauses.took(KEY, 1_000);
    expect(pauses.untilMs(KEY, MARKET)).toBe(3_000);
    pauses.took(OTHER, 4_000);
    pauses.failed(OTHER, 1_000);
    fruitless.untilMs = 4_000;
    expect([pauses.untilMs(KEY, MARKET), pauses.untilMs(KEY, null)]).toEqual([4_000, 3_000]);
    expect(pauses.untilMs(OTHER, MARKET)).toBe(5_000);
  });

  it('may end within a second while other orders decide, and not before its own end', () => {
    const { pauses, fruitless, clock } = made();
    fruitless.untilMs = Infinity;
    expect([pauses.mayEndMs(KEY, MARKET), pauses.mayEndMs(KEY, null)]).toEqual([2_000, -Infinity]);
    fruitless.untilMs = 1_400;
    expect(pauses.mayEndMs(KEY, MARKET)).toBe(1_400);
    pauses.failed(KEY, 5_000);
    fruitless.untilMs = Infinity;
    expect([pauses.mayEndMs(KEY, MARKET), pauses.mayEndMs(KEY, null)]).toEqual([6_000, 6_000]);
    clock.nowMs = 5_500;
    expect(pauses.mayEndMs(KEY, MARKET)).toBe(6_500);
  });

  it.each(['failed', 'took'] as const)('is forgotten by a sweep long after it: %s', (kind) => {
    const { pauses, clock } = made();
    pauses[kind](KEY, 1_000);
    clock.nowMs = 6_000;
    pauses.sweep();
    expect(pauses.untilMs(KEY, null)).toBe(2_000);
    clock.nowMs = 6_001;
    pauses.sweep();
    expect(pauses.untilMs(KEY, null)).toBe(-Infinity);
  });
});

const [MATCH, FINAL] = ['match', 'final'] as [EventKey, EventKey];
const lapsing = (...lapses: readonly (number | null)[]): TrackedOrder[] =>
  lapses.map((lapsesMonotonicMs) => trackedOrder({ lapsesMonotonicMs }));

describe('the renewals of events', () => {
  it('are due a lead before the first of the orders lapses, and once', () => {
    const renewals = new Renewals();
    expect([renewals.nextMs, renewals.due(1e9)]).toEqual([Infinity, []]);
    renewals.set(MATCH, lapsing(9_000, 6_000, null), 1_000, 0);
    renewals.set(FINAL, lapsing(7_000), 1_000, 0);
    expect([renewals.nextMs, renewals.due(4_999)]).toEqual([5_000, []]);
    expect([renewals.due(5_000), renewals.nextMs]).toEqual([[MATCH], 6_000]);
    expect([renewals.due(5_000), renewals.due(9_000), renewals.nextMs]).toEqual([[], [FINAL], Infinity]);
  });

  it('leave out orders whose renewal is due already, or that have not been sent', () => {
    const renewals = new Renewals();
    renewals.set(MATCH, lapsing(3_000, 8_000), 1_000, 2_000);
    expect(renewals.nextMs).toBe(7_000);
    renewals.set(FINAL, lapsing(null), 1_000, 2_000);
    expect([renewals.due(7_000), renewals.nextMs]).toEqual([[MATCH], Infinity]);
  });

  it('follow the latest orders of the event', () => {
    const renewals = new Renewals();
    renewals.set(MATCH, lapsing(6_000), 1_000, 0);
    renewals.set(MATCH, [], 1_000, 0);
    expect([renewals.due(5_000), renewals.nextMs]).toEqual([[], Infinity]);
    renewals.set(MATCH, lapsing(6_000), 1_000, 0);
    renewals.set(MATCH, lapsing(9_000), 1_000, 0);
    expect([renewals.due(7_999), renewals.due(8_000)]).toEqual([[], [MATCH]]);
  });
});
