import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BetId, type EventId, eventId, type OrderId, type Sport, sport } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { OrderResult } from '../../src/domain/settlement.ts';
import { createLedger, type Ledger } from '../../src/ledger/index.ts';
import { ask, EVENT, fillOf, FOOTBALL } from '../risk/support/harness.ts';
import { reopen, report, restore, settle, standing } from '../support/account.ts';

const OTHER = eventId('2026-11-21,30,40');
const HALF = sport('fb_ht');
const FIVE_MINUTES_MS = 300_000;
/** At this fair probability a bet of 10 for at 2.00 is worth 5, and one against it -5. */
const FAIR = 0.75;

/** A bet of 10 at 2.00 with its own order, both numbered `id`. */
function bet(id: number, side: 'for' | 'against', event: EventId = EVENT, at: Sport = FOOTBALL): Fill {
  const order = ask({ sport: at, event, betType: `${side},h`, price: 2 });
  return { ...fillOf(order, 10), betId: id as BetId, orderId: id as OrderId };
}

/** The result of the order numbered `id`. */
const resultOf = (id: number, usdt: number, event: EventId = EVENT, at: Sport = FOOTBALL): OrderResult => ({
  orderId: id as OrderId,
  sport: at,
  eventId: event,
  profitLossMicros: usdt * 1e6,
});

const settled = (ledger: Ledger, ...profitOf: Parameters<typeof resultOf>): void =>
  void settle(ledger, resultOf(...profitOf));

/** The total by which losses are judged, and the total that people see, in USDT. */
const judged = (ledger: Ledger, nowMs: number): number => ledger.judgedMicros(() => FAIR, nowMs) / 1e6;
const profitOf = (ledger: Ledger): number => ledger.profitLoss(() => FAIR).totalMicros / 1e6;

/** Two bets that cancel each other. The `for` bet has lost, and the other’s result is not known yet. */
function partlySettled(): Ledger {
  const ledger = createLedger();
  report(ledger, bet(1, 'for'));
  report(ledger, bet(2, 'against'));
  expect(judged(ledger, 0)).toBe(0);
  settled(ledger, 1, -10);
  return ledger;
}

describe('an event of which only some bets are settled', () => {
  it('counts as before until all are settled, and shows people the sum', () => {
    const ledger = partlySettled();
    expect([judged(ledger, 1_000), profitOf(ledger)]).toEqual([0, -15]);
    settled(ledger, 2, 10);
    expect([judged(ledger, 2_000), profitOf(ledger)]).toEqual([0, 0]);
  });

  it('counts with the sum after five minutes, from the first look on', () => {
    const ledger = partlySettled();
    expect(judged(ledger, 1_000)).toBe(0);
    expect(judged(ledger, 1_000 + FIVE_MINUTES_MS - 1)).toBe(0);
    expect(judged(ledger, 1_000 + FIVE_MINUTES_MS)).toBe(-15);
    expect(judged(ledger, 1_000 + 2 * FIVE_MINUTES_MS)).toBe(-15);
  });

  it('counts as before once more when another result comes after those five minutes', () => {
    const ledger = partlySettled();
    report(ledger, bet(3, 'for'));
    for (const nowMs of [1_000, 1_000 + FIVE_MINUTES_MS]) judged(ledger, nowMs);
    expect(judged(ledger, 400_000)).toBe(-10);
    settled(ledger, 3, -10);
    expect([judged(ledger, 401_000), profitOf(ledger)]).toEqual([-10, -25]);
    settled(ledger, 2, 10);
    expect(judged(ledger, 402_000)).toBe(-10);
  });

  it('does not arise from the result of an order that was never matched', () => {
    const ledger = createLedger();
    report(ledger, bet(1, 'for'));
    expect(judged(ledger, 0)).toBe(5);
    settled(ledger, 2, 0);
    expect(ledger.judgedMicros(() => 0.25, 1_000) / 1e6).toBe(-5);
  });

  it('is judged alone: a loss on another event that is settled whole counts at once', () => {
    const ledger = partlySettled();
    report(ledger, bet(3, 'for', OTHER));
    expect(judged(ledger, 1_000)).toBe(5);
    settled(ledger, 3, -10, OTHER);
    expect(judged(ledger, 2_000)).toBe(-10);
  });

  it('does not arise from bets without an event: the loss of one parlay counts at once while another is open', () => {
    const ledger = createLedger();
    const [none, parlays] = [eventId(''), sport('parlay')];
    for (const id of [1, 2, 3]) report(ledger, bet(id, 'for', none, parlays));
    expect(judged(ledger, 0)).toBe(15);
    settled(ledger, 1, -10, none, parlays);
    expect(judged(ledger, 1_000)).toBe(0);
    settled(ledger, 1, 10, none, parlays);
    settled(ledger, 2, -10, none, parlays);
    expect(judged(ledger, 2_000)).toBe(5);
    settled(ledger, 3, -10, none, parlays);
    settled(ledger, 2, -20, none, parlays);
    expect([judged(ledger, 3_000), profitOf(ledger)]).toEqual([-20, -20]);
  });

  it('counts no gain either, and no bet that was never judged', () => {
    const ledger = createLedger();
    report(ledger, bet(1, 'against'));
    report(ledger, bet(2, 'for'));
    settled(ledger, 1, 10);
    expect([judged(ledger, 0), profitOf(ledger)]).toEqual([0, 15]);
  });

  it('counts with the sum as soon as the others are voided, or none of it is settled', () => {
    const takenBack = partlySettled();
    standing(takenBack, 2 as BetId, false);
    expect(judged(takenBack, 1_000)).toBe(-10);
    const reopened = partlySettled();
    report(reopened, bet(3, 'for'));
    reopen(reopened, 1 as OrderId);
    expect(judged(reopened, 1_000)).toBe(5);
  });

  it('counts as before when a voided order is reopened or corrected', () => {
    const ledger = partlySettled();
    settled(ledger, 2, 0);
    expect(judged(ledger, 1_000)).toBe(-10);
    reopen(ledger, 2 as OrderId);
    expect([judged(ledger, 2_000), profitOf(ledger)]).toEqual([-10, -15]);
    settled(ledger, 1, -12);
    expect(judged(ledger, 3_000)).toBe(-10);
    settled(ledger, 2, 10);
    expect(judged(ledger, 4_000)).toBe(-2);
  });

  it('counts as before when all bets were settled and the results are corrected one by one', () => {
    const ledger = partlySettled();
    settled(ledger, 2, 10);
    expect(judged(ledger, 1_000)).toBe(0);
    settled(ledger, 2, -10);
    expect([judged(ledger, 2_000), profitOf(ledger)]).toEqual([0, -20]);
    settled(ledger, 1, 10);
    expect([judged(ledger, 3_000), profitOf(ledger)]).toEqual([0, 0]);
    settled(ledger, 1, 8);
    expect(judged(ledger, 4_000)).toBe(0);
    expect(judged(ledger, 4_000 + FIVE_MINUTES_MS)).toBe(-2);
  });

  it.each(['before', 'after'])(
    'arises for a moved event, too: results belong to the event of their bets, reported %s',
    (when) => {
      const ledger = createLedger();
      report(ledger, bet(2, 'against'));
      if (when === 'before') report(ledger, bet(1, 'for'));
      expect(judged(ledger, 0)).toBe(when === 'before' ? 0 : -5);
      settled(ledger, 1, -10, OTHER);
      report(ledger, bet(1, 'for'));
      expect(judged(ledger, 1_000)).toBe(when === 'before' ? 0 : -5);
    },
  );

  it('does not arise where the only order is corrected', () => {
    const ledger = createLedger();
    report(ledger, bet(1, 'for'));
    settled(ledger, 1, 10);
    expect(judged(ledger, 0)).toBe(10);
    settled(ledger, 1, -10);
    expect(judged(ledger, 1_000)).toBe(-10);
  });

  it('does not arise where a bet is reported only after the result of all others', () => {
    const ledger = createLedger();
    settled(ledger, 1, -10);
    report(ledger, bet(2, 'for'));
    expect(judged(ledger, 0)).toBe(-5);
  });
});

describe('after a restart', () => {
  /** Results that an earlier run recorded. */
  type Written = readonly Readonly<OrderResult>[];

  /** A ledger with an earlier ledger’s last judged totals and results. Then an open bet is reported. */
  function restarted(totals: ReturnType<Ledger['judgedTotals']>, written: Written = []): Ledger {
    const ledger = createLedger();
    ledger.recallTotals(totals);
    for (const each of written) restore(ledger, each, true);
    report(ledger, bet(2, 'against'));
    return ledger;
  }

  /** The judged totals of an earlier run with both bets, at the last of these looks. */
  function totalsAfter(...looksMs: readonly number[]): ReturnType<Ledger['judgedTotals']> {
    const earlier = partlySettled();
    for (const nowMs of looksMs) judged(earlier, nowMs);
    return earlier.judgedTotals();
  }

  it('counts a partly settled event as before for the rest of the five minutes', () => {
    const ledger = restarted(totalsAfter(1_000, 101_000), [resultOf(1, -10)]);
    expect(judged(ledger, 7_000)).toBe(0);
    expect(judged(ledger, 7_000 + FIVE_MINUTES_MS - 100_001)).toBe(0);
    expect(judged(ledger, 7_000 + FIVE_MINUTES_MS - 100_000)).toBe(-15);
  });

  it('counts a partly settled event as before, however often one arises', () => {
    let totals = totalsAfter(1_000);
    for (let restart = 0; restart < 5; restart++) {
      const ledger = restarted(JSON.parse(JSON.stringify(totals)) as typeof totals, [resultOf(1, -10)]);
      expect(judged(ledger, 0)).toBe(0);
      judged(ledger, 50_000);
      totals = ledger.judgedTotals();
    }
    const ledger = restarted(totals, [resultOf(1, -10)]);
    expect([judged(ledger, 0), judged(ledger, 50_000)]).toEqual([0, -15]);
  });

  it('counts a partly settled event with the sum after the five minutes, until another result comes', () => {
    const ledger = restarted(totalsAfter(1_000, 1_000 + FIVE_MINUTES_MS), [resultOf(1, -10)]);
    report(ledger, bet(3, 'for'));
    expect(ledger.judgedMicros(() => 0.25, 0) / 1e6).toBe(-10);
    settled(ledger, 3, -10);
    expect(judged(ledger, 1_000)).toBe(-10);
  });

  it('counts a partly settled event as before also when the known result is a void', () => {
    const ledger = restarted(totalsAfter(), [resultOf(1, 0)]);
    expect([judged(ledger, 0), profitOf(ledger)]).toEqual([0, -5]);
  });

  it('counts as before an event that became partly settled after the last record, or while the daemon was down', () => {
    const earlier = createLedger();
    for (const each of [bet(1, 'for'), bet(2, 'against')]) report(earlier, each);
    judged(earlier, 0);
    const written = restarted(earlier.judgedTotals(), [resultOf(1, -10)]);
    expect(judged(written, 0)).toBe(0);
    const continued = restarted(earlier.judgedTotals());
    report(continued, bet(1, 'for'));
    settled(continued, 1, -10);
    expect(judged(continued, 0)).toBe(0);
  });

  it('counts with the sum an event that is settled whole, or not at all', () => {
    const earlier = createLedger();
    report(earlier, bet(1, 'for'));
    judged(earlier, 0);
    expect(judged(restarted(earlier.judgedTotals()), 0)).toBe(-5);
    expect(judged(restarted(earlier.judgedTotals(), [resultOf(2, -10)]), 0)).toBe(-10);
  });

  it('counts an event without a record with the sum', () => {
    expect(judged(restarted([], [resultOf(1, -10)]), 0)).toBe(-15);
  });
});

describe('an event id that two sports use', () => {
  it('names two events: settlements of one delay nothing of the other', () => {
    const ledger = partlySettled();
    report(ledger, bet(3, 'for', EVENT, HALF));
    expect(judged(ledger, 1_000)).toBe(5);
    settled(ledger, 3, -10, EVENT, HALF);
    expect(judged(ledger, 2_000)).toBe(-10);
    settled(ledger, 2, 10);
    expect(judged(ledger, 3_000)).toBe(-10);
  });

  it('names two events: a match is valued by its market while its first half is paid', () => {
    const ledger = createLedger();
    report(ledger, bet(1, 'for'));
    report(ledger, bet(2, 'for', EVENT, HALF));
    expect(judged(ledger, 0)).toBe(10);
    settled(ledger, 2, 10, EVENT, HALF);
    expect(ledger.judgedMicros(() => 0.25, 1_000) / 1e6).toBe(5);
    expect(ledger.selectionsOn({ sport: FOOTBALL, eventId: EVENT })).toHaveLength(1);
    expect(ledger.selectionsOn({ sport: HALF, eventId: EVENT })).toEqual([]);
  });

  it('names two events after a restart as well', () => {
    const earlier = partlySettled();
    report(earlier, bet(3, 'for', EVENT, HALF));
    judged(earlier, 1_000);
    const ledger = createLedger();
    ledger.recallTotals(earlier.judgedTotals());
    for (const each of [resultOf(1, -10), resultOf(3, -10, EVENT, HALF)]) restore(ledger, each, true);
    report(ledger, bet(2, 'against'));
    expect(judged(ledger, 0)).toBe(-10);
  });
});

describe('an order that was never matched, without a reported bet', () => {
  it('changes nothing of an event’s total, before a restart and after it', () => {
    const earlier = createLedger();
    report(earlier, bet(2, 'for'));
    judged(earlier, 0);
    settled(earlier, 9, 0);
    expect(earlier.judgedMicros(() => 0.1, 1_000) / 1e6).toBe(-8);
    judged(earlier, 2_000);
    const ledger = createLedger();
    ledger.recallTotals(earlier.judgedTotals());
    restore(ledger, resultOf(9, 0), false);
    report(ledger, bet(2, 'for'));
    expect(ledger.judgedMicros(() => 0.1, 0) / 1e6).toBe(-8);
  });
});

describe('any sequence of settlements', () => {
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
    if (taken.kind === 'fill') report(ledger, bet(taken.id, SIDES[taken.id - 1] ?? 'for'));
    else if (taken.kind === 'settle') settled(ledger, taken.id, taken.usdt);
    else if (taken.kind === 'reopen') reopen(ledger, taken.id as OrderId);
    else standing(ledger, taken.id as BetId, taken.stands);
  }

  it('counts an event with its sum or its earlier total, and with the sum at least every five minutes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ledger = createLedger();
        let [nowMs, sumMs, before] = [0, 0, judged(ledger, 0)];
        for (const taken of steps) {
          if (taken.kind !== 'pass') take(ledger, taken);
          for (let second = 0; second < (taken.kind === 'pass' ? taken.seconds : 1); second++) {
            nowMs += 1_000;
            const [now, sum] = [judged(ledger, nowMs), profitOf(ledger)];
            expect([sum, before]).toContain(now);
            if (now === sum) sumMs = nowMs;
            expect(nowMs - sumMs).toBeLessThanOrEqual(FIVE_MINUTES_MS);
            before = now;
          }
        }
      }),
    );
  });

  it('loses nothing on bets that cancel each other, in whatever order they are settled in time', () => {
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
