import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BetBook } from '../../src/account/bets.ts';
import type { AccountChange, BetNews } from '../../src/account/changes.ts';
import { type BetState, isAtStake, isSettledBet } from '../../src/domain/bet-lifecycle.ts';
import { betId, eventId, orderId } from '../../src/domain/ids.ts';
import { EVENT, FOOTBALL } from '../risk/support/harness.ts';
import { bet, doubt, fill, parked, reopened, result, standing, unparked } from './support/news.ts';

const ELSEWHERE = eventId('2026-11-22,3,4');

/** A change in short: its kind, and bets by their ids. */
function short(change: AccountChange): readonly unknown[] {
  if (change.kind === 'booked') return ['booked', change.fill.betId, change.state];
  if (change.kind === 'moved') return ['moved', change.fill.betId, change.from, change.to];
  if (change.kind !== 'result' && change.kind !== 'reopened') return [change.kind];
  const ids = change.bets.map((each) => each.betId);
  if (change.kind === 'reopened') return ['reopened', change.orderId, ids];
  const { result: counted, beforeMicros, isNews, hasBets } = change;
  return [
    'result',
    counted.profitLossMicros,
    { before: beforeMicros, bets: ids, news: isNews, has: hasBets },
  ];
}

/** The changes of the last event, after all before it. */
const changesOf = (...events: readonly BetNews[]): readonly unknown[] => {
  const book = new BetBook();
  return events.map((event) => book.apply(event).map(short)).at(-1) ?? [];
};

describe('the bets of an account', () => {
  it('are booked once each, by the first report', () => {
    expect(changesOf(bet(1))).toEqual([['booked', 1, 'matched']]);
    expect(changesOf(bet(1), bet(1))).toEqual([]);
    expect(changesOf(bet(1), bet(1, { stakeMicros: 3 }))).toEqual([]);
    expect(changesOf(bet(1), bet(2))).toEqual([['booked', 2, 'matched']]);
  });

  it('count by what was shown of them before their terms', () => {
    expect(changesOf(doubt(1, true), bet(1))).toEqual([['booked', 1, 'doubtful']]);
    expect(changesOf(doubt(1, true), doubt(1, false), bet(1))).toEqual([['booked', 1, 'matched']]);
    expect(changesOf(standing(1, false), bet(1))).toEqual([['booked', 1, 'void']]);
    expect(changesOf(standing(1, false), standing(1, true), bet(1))).toEqual([['booked', 1, 'matched']]);
    expect(changesOf(standing(1, false))).toEqual([]);
  });

  it('move with reports of their order', () => {
    expect(changesOf(bet(1), doubt(1, true))).toEqual([['moved', 1, 'matched', 'doubtful']]);
    expect(changesOf(bet(1), doubt(1, true), doubt(1, true))).toEqual([]);
    expect(changesOf(bet(1), doubt(1, true), doubt(1, false))).toEqual([['moved', 1, 'doubtful', 'matched']]);
    expect(changesOf(bet(1), standing(1, false))).toEqual([['moved', 1, 'matched', 'void']]);
    expect(changesOf(bet(1), standing(1, false), standing(1, true))).toEqual([
      ['moved', 1, 'void', 'matched'],
    ]);
    expect(changesOf(bet(1), standing(1, true))).toEqual([]);
  });

  it('are settled by the result of their order, which comes first', () => {
    expect(changesOf(bet(1), bet(2), bet(3), standing(2, false), result(1, 7))).toEqual([
      ['result', 7, { before: null, bets: [1, 2], news: true, has: true }],
      ['moved', 1, 'matched', 'settled'],
      ['moved', 2, 'void', 'settled_void'],
    ]);
  });

  it('are open again with their order, as they were before, and its result goes last', () => {
    const until = [bet(1), bet(2), standing(2, false), result(1, 7)];
    expect(changesOf(...until, reopened(1))).toEqual([
      ['moved', 1, 'settled', 'matched'],
      ['moved', 2, 'settled_void', 'void'],
      ['reopened', 1, [1, 2]],
    ]);
    expect(changesOf(...until, reopened(1), standing(2, true))).toEqual([['moved', 2, 'void', 'matched']]);
  });
});

describe('a bet that arrives before its order is known', () => {
  const bookAfter = (...events: readonly BetNews[]): BetBook => {
    const book = new BetBook();
    for (const event of events) expect(book.apply(event)).toEqual([]);
    return book;
  };
  const idsOf = (book: BetBook, order: number) => book.parkedOf(orderId(order)).map((each) => each.betId);

  it('waits with all that arrives of it, and counts nowhere', () => {
    const book = bookAfter(parked(2), parked(1), parked(3), parked(2));
    expect([idsOf(book, 1), idsOf(book, 2), idsOf(book, 3)]).toEqual([[2, 1, 2], [3], []]);
    expect([book.stateOf(betId(1)), book.fillOf(betId(1)), book.filledOf(orderId(1))]).toEqual([
      'parked',
      null,
      0,
    ]);
  });

  it('waits no longer once its order is known, and is booked like any other', () => {
    const book = bookAfter(parked(1), parked(2), parked(3), unparked(1), unparked(1));
    expect([idsOf(book, 1), idsOf(book, 2)]).toEqual([[], [3]]);
    expect([1, 2, 3].map((id) => book.stateOf(betId(id)))).toEqual(['unseen', 'unseen', 'parked']);
    expect(book.apply(bet(1)).map(short)).toEqual([['booked', 1, 'matched']]);
    expect(book.apply(bet(3)).map(short)).toEqual([['booked', 3, 'matched']]);
  });

  it.each([
    ['is booked', bet(1)],
    ['was shown unmatched', doubt(1, true)],
    ['was shown void', standing(1, false)],
  ])('waits for nothing if it %s', (_, before) => {
    const book = new BetBook();
    book.apply(before);
    const state = book.stateOf(betId(1));
    expect(book.apply(parked(1))).toEqual([]);
    expect([idsOf(book, 1), book.stateOf(betId(1))]).toEqual([[], state]);
  });

  it('is dropped with its order if too many orders wait, the longest wait first', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 10 }), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (all) => {
        const book = new BetBook(3);
        const waiting = new Map<number, number[]>();
        for (const [id, isKnown] of all) {
          const order = Math.ceil(id / 2);
          book.apply(isKnown ? unparked(order) : parked(id));
          if (isKnown) waiting.delete(order);
          else {
            const [longest] = waiting.keys();
            if (!waiting.has(order) && waiting.size >= 3) waiting.delete(longest ?? 0);
            waiting.set(order, [...(waiting.get(order) ?? []), id]);
          }
          for (let each = 1; each <= 5; each++) expect(idsOf(book, each)).toEqual(waiting.get(each) ?? []);
          for (let each = 1; each <= 10; each++) {
            const isParked = waiting.get(Math.ceil(each / 2))?.includes(each) === true;
            expect(book.stateOf(betId(each))).toBe(isParked ? 'parked' : 'unseen');
          }
        }
      }),
    );
  });
});

describe('the result of an order', () => {
  it.each([
    ['repeated', result(1, 7), []],
    ['corrected', result(1, 8), [['result', 8, { before: 7, bets: [], news: true, has: true }]]],
    [
      'taken back',
      result(1, 7, { isTakenBack: true }),
      [['result', 7, { before: 7, bets: [], news: true, has: true }]],
    ],
  ])('%s counts once', (_, again, changes) => {
    expect(changesOf(bet(1), result(1, 7), again)).toEqual(changes);
  });

  it('of 0 without bets is no news: the order may never have been matched', () => {
    const none = { hasBets: false };
    expect(changesOf(result(1, 0, none))).toEqual([
      ['result', 0, { before: null, bets: [], news: false, has: false }],
    ]);
    expect(changesOf(result(1, 0, none), result(1, 0, none))).toEqual([]);
    expect(changesOf(result(1, 3, none))).toEqual([
      ['result', 3, { before: null, bets: [], news: true, has: true }],
    ]);
    expect(changesOf(result(1, 0))).toEqual([
      ['result', 0, { before: null, bets: [], news: true, has: false }],
    ]);
  });

  it('settles a bet that is reported after it, and is news once if it came without bets', () => {
    const none = { hasBets: false };
    expect(changesOf(result(1, 0, none), bet(1))).toEqual([
      ['booked', 1, 'settled'],
      ['result', 0, { before: 0, bets: [1], news: true, has: true }],
    ]);
    expect(changesOf(result(1, 0, none), bet(1), bet(2))).toEqual([['booked', 2, 'settled']]);
    expect(changesOf(result(1, 4), bet(1))).toEqual([['booked', 1, 'settled']]);
    expect(changesOf(standing(1, false), result(1, 4), bet(1))).toEqual([['booked', 1, 'settled_void']]);
  });

  it('that the journal holds is no news, nor is its repetition', () => {
    const recorded = result(1, 7, { isRecorded: true });
    expect(changesOf(recorded)).toEqual([['result', 7, { before: null, bets: [], news: false, has: true }]]);
    expect(changesOf(result(1, 0, { isRecorded: true, hasBets: true }))).toEqual([
      ['result', 0, { before: null, bets: [], news: false, has: true }],
    ]);
    expect(changesOf(recorded, bet(1))).toEqual([['booked', 1, 'settled']]);
    expect(changesOf(recorded, bet(1), result(1, 7))).toEqual([]);
  });

  it('counts on the event of its bets, wherever the exchange has moved the order', () => {
    const moved = { orderId: orderId(1), sport: FOOTBALL, eventId: ELSEWHERE, profitLossMicros: 7 };
    const book = new BetBook();
    book.apply(bet(1));
    expect(book.apply(result(1, 7, { result: moved }))[0]).toMatchObject({ result: { eventId: EVENT } });
    const late = new BetBook();
    late.apply(result(1, 7, { result: moved }));
    expect(late.resultOf(orderId(1))).toMatchObject({ eventId: ELSEWHERE });
    late.apply(bet(1));
    expect(late.resultOf(orderId(1))).toMatchObject({ eventId: EVENT, profitLossMicros: 7 });
  });

  it('is known until the order is open again, with the instant of its latest report', () => {
    const book = new BetBook();
    const id = orderId(1);
    const known = (): readonly unknown[] => [book.resultOf(id), book.isTakenBack(id), book.reportedMs(id)];
    expect(known()).toEqual([null, false, null]);
    book.apply(result(1, 7, { isTakenBack: true }));
    expect(known()).toMatchObject([{ profitLossMicros: 7 }, true, 5]);
    book.apply(result(1, 7, { isTakenBack: true, atMs: 9 }));
    expect(known()).toMatchObject([{ profitLossMicros: 7 }, true, 9]);
    book.apply(reopened(1));
    expect(known()).toEqual([null, false, null]);
  });
});

describe('the stake of an order that stands', () => {
  const standingAfter = (...events: readonly BetNews[]): number => {
    const book = new BetBook();
    for (const event of events) book.apply(event);
    return book.standingOf(orderId(1));
  };
  const stake = fill(1).stakeMicros;
  const both = [bet(1), bet(2)];

  it.each([
    ['all of what is matched', [], 2],
    ['without what is in doubt', [doubt(1, true)], 1],
    ['with what is affirmed', [doubt(1, true), doubt(1, false)], 2],
    ['without what is void', [standing(2, false)], 1],
    ['with what counts again', [standing(2, false), standing(2, true)], 2],
    ['all of what is settled', [result(1, 7)], 2],
    ['none once the settlement takes it back', [result(1, 0, { isTakenBack: true })], 0],
    ['all once it is open again', [result(1, 0, { isTakenBack: true }), reopened(1)], 2],
    ['without what was in doubt at the settlement', [doubt(1, true), result(1, 7)], 1],
    ['without what was void at the settlement', [standing(1, false), result(1, 7)], 1],
    ['without what is shown void after the settlement', [result(1, 7), standing(1, false)], 1],
    ['with what counts after the settlement', [standing(1, false), result(1, 7), standing(1, true)], 1],
    [
      'without what is still void in an order that is open again',
      [result(1, 7), standing(1, false), reopened(1)],
      1,
    ],
    ['nothing of another order', [bet(3)], 2],
  ])('is %s', (_, events, bets) => {
    expect(standingAfter(...both, ...events)).toBe(bets * stake);
  });
});

const anyEvent: fc.Arbitrary<BetNews> = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 4 }).map((id) => bet(id)), weight: 3 },
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()).map(([id, is]) => doubt(id, is)),
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()).map(([id, is]) => standing(id, is)),
  fc
    .tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: -1, max: 1 }), fc.boolean(), fc.boolean())
    .map(([order, micros, isTakenBack, hasBets]) => result(order, micros, { isTakenBack, hasBets })),
  fc.integer({ min: 1, max: 2 }).map(reopened),
  fc.integer({ min: 1, max: 4 }).map(parked),
  fc.integer({ min: 1, max: 2 }).map(unparked),
);

describe('whatever is reported, in whichever order', () => {
  it('projections that apply each change know how every bet counts, and every result', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const book = new BetBook();
        const states = new Map<number, BetState>();
        const results = new Map<number, number>();
        for (const change of events.flatMap((event) => [...book.apply(event)])) {
          if (change.kind === 'booked') {
            expect(states.has(change.fill.betId)).toBe(false);
            states.set(change.fill.betId, change.state);
          } else if (change.kind === 'moved') {
            expect(states.get(change.fill.betId)).toBe(change.from);
            expect(change.to).not.toBe(change.from);
            states.set(change.fill.betId, change.to);
          } else if (change.kind === 'result') {
            expect(change.beforeMicros).toBe(results.get(change.result.orderId) ?? null);
            results.set(change.result.orderId, change.result.profitLossMicros);
          } else if (change.kind === 'reopened') results.delete(change.orderId);
        }
        for (const [id, state] of states) {
          expect(book.stateOf(betId(id))).toBe(state);
          const order = orderId(Math.ceil(id / 2));
          expect(isSettledBet(state)).toBe(book.resultOf(order) !== null);
          expect(isAtStake(state) && isSettledBet(state)).toBe(false);
        }
        for (const order of [1, 2])
          expect(book.resultOf(orderId(order))?.profitLossMicros).toBe(results.get(order));
      }),
    );
  });

  it('the bets count alike whether the bets or the results come first', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const bets = [1, 2, 3, 4].map((id) => bet(id));
        const stateAfter = (all: readonly BetNews[]): readonly BetState[] => {
          const book = new BetBook();
          for (const event of all) book.apply(event);
          return [1, 2, 3, 4].map((id) => book.stateOf(betId(id)));
        };
        const isMoving = ({ kind }: BetNews): boolean => kind === 'result' || kind === 'bet';
        const settling = events.filter(isMoving);
        expect(stateAfter([...settling, ...bets])).toEqual(stateAfter([...bets, ...settling]));
      }),
    );
  });
});
