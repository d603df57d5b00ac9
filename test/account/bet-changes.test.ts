import { describe, expect, it } from 'vitest';
import { BetBook } from '../../src/account/bets.ts';
import type { AccountChange, BetNews } from '../../src/account/changes.ts';
import { betId, orderId } from '../../src/domain/ids.ts';
import { EVENT, FOOTBALL } from '../risk/support/harness.ts';
import { bet, doubt, fill, parked, reopened, result, standing } from './support/news.ts';

describe('a change', () => {
  const last = (...events: readonly BetNews[]): readonly AccountChange[] => {
    const book = new BetBook();
    return events.map((event) => book.apply(event)).at(-1) ?? [];
  };
  const ofOne = { orderId: 1, sport: FOOTBALL, eventId: EVENT, profitLossMicros: 7 };
  const settled = {
    kind: 'result',
    result: ofOne,
    beforeMicros: null,
    isTakenBack: false,
    hasBets: true,
    bets: [],
    isNews: true,
    isRecorded: false,
    atMs: 5,
  };

  it('holds the whole bet, and whether an earlier run booked it', () => {
    const booked = { kind: 'booked', fill: fill(1), state: 'matched', isRecorded: false };
    expect(last(bet(1))).toEqual([booked]);
    expect(last({ kind: 'bet', fill: fill(1), isRecorded: true })).toEqual([{ ...booked, isRecorded: true }]);
    expect(last(bet(1), doubt(1, true))).toEqual([
      { kind: 'moved', fill: fill(1), from: 'matched', to: 'doubtful' },
    ]);
  });

  it('holds the whole result, the one before it, and the bets that it settles now', () => {
    expect(last(bet(1), result(1, 7))[0]).toEqual({ ...settled, bets: [fill(1)] });
    expect(last(bet(1), result(1, 3), result(1, 7, { atMs: 9 }))).toEqual([
      { ...settled, beforeMicros: 3, atMs: 9 },
    ]);
    expect(last(result(1, 7, { isTakenBack: true }))).toEqual([{ ...settled, isTakenBack: true }]);
    const late = { ...settled, result: { ...ofOne, profitLossMicros: 0 }, beforeMicros: 0, bets: [fill(1)] };
    expect(last(result(1, 0, { hasBets: false }), bet(1))[1]).toEqual(late);
    expect(last(result(1, 0, { hasBets: false, isTakenBack: true }), bet(1))[1]).toEqual({
      ...late,
      isTakenBack: true,
    });
  });

  it('of a result that the journal holds is no news, the first as little as a correction', () => {
    const recorded = { isRecorded: true };
    expect(last(result(1, 7, recorded))).toEqual([{ ...settled, isNews: false, isRecorded: true }]);
    expect(last(result(1, 3), result(1, 7, recorded))).toEqual([
      { ...settled, beforeMicros: 3, isNews: false, isRecorded: true },
    ]);
    expect(last(result(1, 0, { isRecorded: true, hasBets: false }))).toMatchObject([
      { isNews: false, hasBets: false },
    ]);
    // After a correction the journal holds the result, so a late bet is no more news of it.
    const none = { hasBets: false };
    expect(last(result(1, 0, none), result(1, 7, none), bet(1)).map(({ kind }) => kind)).toEqual(['booked']);
    expect(last(result(1, 0, { ...none, ...recorded }), bet(1)).map(({ kind }) => kind)).toEqual(['booked']);
  });

  it('of an order that is open again holds its result and its bets', () => {
    const open = { kind: 'reopened', orderId: 1, result: ofOne, bets: [fill(1)], isRecorded: false };
    expect(last(bet(1), bet(3), result(1, 7), reopened(1)).at(-1)).toEqual(open);
    expect(last({ kind: 'reopened', orderId: orderId(1), isRecorded: true })).toEqual([
      { ...open, result: null, bets: [], isRecorded: true },
    ]);
  });
});

describe('the book', () => {
  it('knows how many bets it booked, and how much of each order', () => {
    const book = new BetBook();
    for (const each of [
      bet(1),
      bet(1),
      bet(2, { stakeMicros: 3 }),
      bet(3),
      doubt(4, true),
      standing(1, false),
    ])
      book.apply(each);
    expect(book.booked).toBe(3);
    expect([1, 2, 3].map((order) => book.filledOf(orderId(order)))).toEqual([10e6 + 3, 10e6, 0]);
    expect([book.fillOf(betId(2)), book.fillOf(betId(4))]).toEqual([fill(2, { stakeMicros: 3 }), null]);
  });

  it('knows the first bet of an order of ours, and none of others', () => {
    const book = new BetBook();
    const foreign = { requestUuid: null };
    for (const each of [bet(2), bet(1), bet(3, foreign), bet(4, foreign)]) book.apply(each);
    expect([1, 2, 3].map((order) => book.ownFillOf(orderId(order)))).toEqual([fill(2), null, null]);
  });

  it('parks the bets of a thousand orders', () => {
    const book = new BetBook();
    for (let order = 1; order <= 1_000; order++) book.apply(parked(2 * order));
    expect(book.parkedOf(orderId(1))).toHaveLength(1);
    book.apply(parked(1));
    expect(book.parkedOf(orderId(1))).toHaveLength(2);
    book.apply(parked(2_002));
    expect([1, 2, 1_001].map((order) => book.parkedOf(orderId(order)).length)).toEqual([0, 1, 1]);
  });
});
