import { describe, expect, it } from 'vitest';
import { kindOf, lossesOf, type Surprise, type SurpriseLoss } from '../../../scripts/in-play/losses.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';

type Fill = InspectedOrder['fills'][number];

const fill = (atMs: number, price: number, stake: number): Fill => ({
  betId: atMs,
  price,
  stakeMicros: stake * 1e6,
  atMs,
  role: 'maker',
  cause: 'other',
  voided: false,
});

const order = (over: Partial<InspectedOrder>): InspectedOrder => ({
  orderId: 1,
  accountId: 'a',
  requestUuid: null,
  sport: 'fb',
  eventId: 'e',
  betType: 'against,h',
  price: 2,
  stakeMicros: 10e6,
  filledMicros: 0,
  status: 'open',
  closed: false,
  closeReason: null,
  createdMs: 0,
  expiryMs: 1e6,
  closedMs: null,
  userData: null,
  fills: [],
  ...over,
});

/** Home wins three times in four after it. */
const goal: Surprise = {
  kind: 'goal',
  atMs: 1_000,
  announcedMs: 5_000,
  fairOf: (outcome) => (outcome === 'h' ? Math.log(3) : null),
};

const cents = (amount: number): number => Math.round(100 * amount) / 100;

const rounded = (losses: readonly SurpriseLoss[]): SurpriseLoss[] =>
  losses.map((loss) => ({ ...loss, before: cents(loss.before), after: cents(loss.after) }));

describe('what a goal costs', () => {
  it('is the expected loss of what is filled from then until the suspension, at the fair price after it', () => {
    // 10 laid at 2 lose 10 in three of four cases and win 10 in the fourth.
    const laid = order({ fills: [fill(999, 2, 10), fill(1_000, 2, 10), fill(5_000, 2, 10)] });
    const backed = order({ betType: 'for,h', fills: [fill(4_999, 2, 4)] });
    expect(rounded(lossesOf([goal], [laid, backed]))).toEqual([
      { kind: 'goal', isQuoted: true, before: 5 - 2, after: 5 },
    ]);
  });

  it('is that of the bet that was made where it is one of odds against', () => {
    const against = order({ priceKind: 'odds-against', fills: [fill(1_000, 1.5, 8)] });
    // It wins 4 in one of four cases, and loses 8 in the others.
    expect(lossesOf([goal], [against])[0]?.before).toBeCloseTo(0.75 * 8 - 0.25 * 4, 9);
  });

  it('counts no order of after the suspension, and ends at the next surprise', () => {
    const later: Surprise = { ...goal, kind: 'red card', atMs: 20_000, announcedMs: 21_000 };
    const young = order({ createdMs: 6_000, fills: [fill(7_000, 2, 10), fill(20_500, 2, 10)] });
    const old = order({ fills: [fill(7_000, 2, 10), fill(21_500, 2, 10)] });
    expect(rounded(lossesOf([goal, later], [young, old]))).toMatchObject([
      { before: 0, after: 5 },
      { before: 5, after: 5 },
    ]);
  });

  it('says whether anything was quoted', () => {
    const quotedIn = (over: Partial<InspectedOrder>) => lossesOf([goal], [order(over)])[0]?.isQuoted;
    expect([quotedIn({}), quotedIn({ closedMs: 1_000 }), quotedIn({ createdMs: 1_001 })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['goal', [1, 0], null],
    ['goal', [1, 1], [1, 0]],
    ['annulled goal', [1, 0], [1, 1]],
    ['red card', [1, 0], [1, 0]],
    ['red card', [0, 0], null],
  ] as const)('is a %s by the score %j after %j', (kind, score, before) => {
    const state = (at: readonly [number, number]) => ({
      state: { score: at, redCards: [0, 0] as const, period: '1h', minutes: 1 },
    });
    expect(kindOf(state(score), before === null ? null : state(before))).toBe(kind);
  });
});
