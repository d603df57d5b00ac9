import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BetId, EventId, OrderId } from '../../src/domain/ids.ts';
import { eventId } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { createLedger } from '../../src/ledger/index.ts';
import { EVENT, ask, fillOf } from '../risk/support/harness.ts';

const OTHER = eventId('2026-11-21,30,40');
const FIVE_MINUTES_MS = 300_000;
/** At which a bet of 10 for at 2.00 is worth 5, and one against it -5. */
const FAIR = 0.75;

/** One bet of 10 at 2.00, of its own order, which is numbered as it is. */
function bet(id: number, side: 'for' | 'against', event: EventId = EVENT): Fill {
  const order = ask({ event, betType: `${side},h`, price: 2 });
  return { ...fillOf(order, 10), betId: id as BetId, orderId: id as OrderId };
}

const settled = (ledger: Ledger, id: number, usdt: number, event: EventId = EVENT): void =>
  void ledger.settle({ orderId: id as OrderId, eventId: event, profitLossMicros: usdt * 1e6 });

/** USDT by which losses are judged, and those that are told to people. */
const judged = (ledger: Ledger, nowMs: number): number => ledger.judgedMicros(() => FAIR, nowMs) / 1e6;
const told = (ledger: Ledger): number => ledger.profitLoss(() => FAIR).totalMicros / 1e6;

/** Two bets that cancel each other; the one `for` has lost, and the other's result is not known yet. */
function partlySettled(): Ledger {
  const ledger = createLedger();
  ledger.onFill(bet(1, 'for'));
  ledger.onFill(bet(2, 'against'));
  expect(judged(ledger, 0)).toBe(0);
  settled(ledger, 1, -10);
  return ledger;
}

describe('an event of which only some bets are settled', () => {
  it('counts as before until all are, and what people are told is the sum', () => {
    const ledger = partlySettled();
    expect([judged(ledger, 1_000), told(ledger)]).toEqual([0, -15]);
    settled(ledger, 2, 10);
    expect([judged(ledger, 2_000), told(ledger)]).toEqual([0, 0]);
  });

  it('counts with the sum after five minutes, from the first look on', () => {
    const ledger = partlySettled();
    expect(judged(ledger, 1_000)).toBe(0);
    expect(judged(ledger, 1_000 + FIVE_MINUTES_MS - 1)).toBe(0);
    expect(judged(ledger, 1_000 + FIVE_MINUTES_MS)).toBe(-15);
    expect(judged(ledger, 1_000 + 2 * FIVE_MINUTES_MS)).toBe(-15);
  });

  it('counts once more as it did when another result comes after those five minutes', () => {
    const ledger = partlySettled();
    ledger.onFill(bet(3, 'for'));
    for (const nowMs of [1_000, 1_000 + FIVE_MINUTES_MS]) judged(ledger, nowMs);
    expect(judged(ledger, 400_000)).toBe(-10);
    settled(ledger, 3, -10);
    expect([judged(ledger, 401_000), told(ledger)]).toEqual([-10, -25]);
    settled(ledger, 2, 10);
    expect(judged(ledger, 402_000)).toBe(-10);
  });

  it('is none by the result of an order that was never matched', () => {
    const ledger = createLedger();
    ledger.onFill(bet(1, 'for'));
    expect(judged(ledger, 0)).toBe(5);
    settled(ledger, 2, 0);
    expect(ledger.judgedMicros(() => 0.25, 1_000) / 1e6).toBe(-5);
  });

  it('is judged by itself: a loss on another event that is settled whole counts at once', () => {
    const ledger = partlySettled();
    ledger.onFill(bet(3, 'for', OTHER));
    expect(judged(ledger, 1_000)).toBe(5);
    settled(ledger, 3, -10, OTHER);
    expect(judged(ledger, 2_000)).toBe(-10);
  });

  it('counts no gain either, and nothing of bets that nobody has looked at', () => {
    const ledger = createLedger();
    ledger.onFill(bet(1, 'against'));
    ledger.onFill(bet(2, 'for'));
    settled(ledger, 1, 10);
    expect([judged(ledger, 0), told(ledger)]).toEqual([0, 15]);
  });

  it('counts with the sum as soon as the others are taken back, or nothing of it is settled', () => {
    const takenBack = partlySettled();
    takenBack.setStanding(2 as BetId, false);
    expect(judged(takenBack, 1_000)).toBe(-10);
    const reopened = partlySettled();
    reopened.onFill(bet(3, 'for'));
    reopened.reopen(1 as OrderId);
    expect(judged(reopened, 1_000)).toBe(5);
  });

  it('is also one of which an order that was taken back stands after all, or is corrected', () => {
    const ledger = partlySettled();
    settled(ledger, 2, 0);
    expect(judged(ledger, 1_000)).toBe(-10);
    ledger.reopen(2 as OrderId);
    expect([judged(ledger, 2_000), told(ledger)]).toEqual([-10, -15]);
    settled(ledger, 1, -12);
    expect(judged(ledger, 3_000)).toBe(-10);
    settled(ledger, 2, 10);
    expect(judged(ledger, 4_000)).toBe(-2);
    settled(ledger, 2, 11);
    expect(judged(ledger, 5_000)).toBe(-1);
  });

  it('is none where a bet is told only after the result of all others', () => {
    const ledger = createLedger();
    settled(ledger, 1, -10);
    ledger.onFill(bet(2, 'for'));
    expect(judged(ledger, 0)).toBe(-5);
  });
});

describe('after a restart', () => {
  /** A ledger that takes over what another one was judged by last, and results as they were written down. */
  function restarted(
    totals: ReturnType<Ledger['judgedTotals']> | null,
    results: () => void,
    ledger: Ledger,
  ): Ledger {
    ledger.recallTotals(totals);
    results();
    ledger.onFill(bet(2, 'against'));
    return ledger;
  }

  it('such an event counts as it did, for once more five minutes', () => {
    const earlier = partlySettled();
    judged(earlier, 1_000);
    const ledger = createLedger();
    restarted(earlier.judgedTotals(), () => settled(ledger, 1, -10), ledger);
    expect(judged(ledger, 7_000)).toBe(0);
    expect(judged(ledger, 7_000 + FIVE_MINUTES_MS)).toBe(-15);
  });

  it('it does so also where the result that is known is a void', () => {
    const ledger = createLedger();
    restarted([[EVENT, 0]], () => settled(ledger, 1, 0), ledger);
    expect([judged(ledger, 0), told(ledger)]).toEqual([0, -5]);
  });

  it('it does so also where it became one after it was written down, or while nobody watched', () => {
    const earlier = createLedger();
    for (const [id, side] of [
      [1, 'for'],
      [2, 'against'],
    ] as const)
      earlier.onFill(bet(id, side));
    judged(earlier, 0);
    const written = createLedger();
    restarted(earlier.judgedTotals(), () => settled(written, 1, -10), written);
    expect(judged(written, 0)).toBe(0);
    const heard = createLedger();
    restarted(earlier.judgedTotals(), () => undefined, heard);
    heard.onFill(bet(1, 'for'));
    settled(heard, 1, -10);
    expect(judged(heard, 0)).toBe(0);
  });

  it('an event that is settled whole, or not at all, counts with the sum', () => {
    const totals = [[EVENT, 7e6]] as const;
    const open = createLedger();
    restarted(totals, () => undefined, open);
    expect(judged(open, 0)).toBe(-5);
    const over = createLedger();
    restarted(totals, () => settled(over, 2, -10), over);
    expect(judged(over, 0)).toBe(-10);
  });

  it('every event counts with the sum where an earlier version has written down none', () => {
    const ledger = createLedger();
    restarted(null, () => undefined, ledger);
    ledger.onFill(bet(1, 'for'));
    settled(ledger, 1, 12);
    expect(judged(ledger, 0)).toBe(7);
  });

  it('an event of which nothing was written down counts with the sum', () => {
    const ledger = createLedger();
    restarted([], () => settled(ledger, 1, -10), ledger);
    expect(judged(ledger, 0)).toBe(-15);
  });
});

describe('whatever becomes of bets', () => {
  const BETS = [1, 2, 3, 4] as const;
  const SIDES = ['for', 'against', 'for', 'against'] as const;
  const id = fc.constantFrom(...BETS);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('fill' as const), id }),
    fc.record({ kind: fc.constant('settle' as const), id, usdt: fc.integer({ min: -20, max: 20 }) }),
    fc.record({ kind: fc.constant('reopen' as const), id }),
    fc.record({ kind: fc.constant('stand' as const), id, stands: fc.boolean() }),
    fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 200 }) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  function take(ledger: Ledger, taken: Exclude<Step, { kind: 'pass' }>): void {
    if (taken.kind === 'fill') ledger.onFill(bet(taken.id, SIDES[taken.id - 1] ?? 'for'));
    else if (taken.kind === 'settle') settled(ledger, taken.id, taken.usdt);
    else if (taken.kind === 'reopen') ledger.reopen(taken.id as OrderId);
    else ledger.setStanding(taken.id as BetId, taken.stands);
  }

  it('what an event counts with is its sum, or what it was before; the sum at least every five minutes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ledger = createLedger();
        let [nowMs, sumMs, before] = [0, 0, judged(ledger, 0)];
        for (const taken of steps) {
          if (taken.kind !== 'pass') take(ledger, taken);
          for (let second = 0; second < (taken.kind === 'pass' ? taken.seconds : 1); second++) {
            nowMs += 1_000;
            const [now, sum] = [judged(ledger, nowMs), told(ledger)];
            expect([sum, before]).toContain(now);
            if (now === sum) sumMs = nowMs;
            expect(nowMs - sumMs).toBeLessThanOrEqual(FIVE_MINUTES_MS);
            before = now;
          }
        }
      }),
    );
  });

  it('nothing is lost by bets that cancel each other, in whatever order they are settled in time', () => {
    const results = BETS.map((each, at) => ({ id: each, usdt: at % 2 === 0 ? 10 : -10 }));
    const order = fc.shuffledSubarray(results, { minLength: results.length });
    const waits = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(order, waits, (inOrder, seconds) => {
        const ledger = createLedger();
        for (const each of BETS) take(ledger, { kind: 'fill', id: each });
        let nowMs = 0;
        const counted = [judged(ledger, nowMs)];
        for (const [at, result] of inOrder.entries()) {
          take(ledger, { kind: 'settle', ...result });
          for (let second = 0; second < (seconds[at] ?? 0); second++)
            counted.push(judged(ledger, (nowMs += 1_000)));
        }
        expect(new Set(counted)).toEqual(new Set([0]));
      }),
    );
  });
});
