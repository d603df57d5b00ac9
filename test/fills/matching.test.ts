import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import {
  canMatch,
  isBackground,
  isShownAtLimit,
  type Level,
  limitOf,
  matchedStakes,
  minBetMicrosOf,
  recordedTaker,
  type Resting,
  type Taker,
} from '../../src/fills/fill-model.ts';
import { matchLevel, PRICE_TIME } from '../../src/fills/price-time.ts';
import { shareAhead } from '../../src/fills/power-queue.ts';
import { FILL_MODELS } from '../../src/fills/scenarios.ts';

const at = (price: number): number => tickOf(price) as number;

/** Stake of an account at odds of 2.50 for a selection; without an order id it is the background's. */
const rests = (orderId: number | null, remainingMicros: number, changes: Partial<Resting> = {}): Resting => ({
  owner: orderId === null ? 'feed' : `owner ${orderId}`,
  orderId,
  priceKind: 'odds-for',
  tick: at(2.5),
  hidden: false,
  minTakerMicros: 0,
  minBetMicros: 0,
  remainingMicros,
  ...changes,
});

/** A taker against the selection at a lay price of 2.50. */
const takes = (stakeMicros: number, changes: Partial<Taker> = {}): Taker => ({
  owner: 'taker',
  priceKind: 'lay-for',
  limitTick: at(2.5),
  stakeMicros,
  wantStakeMicros: stakeMicros,
  ...changes,
});

const level = (...queue: readonly Resting[]): Level => ({
  priceKind: queue[0]?.priceKind ?? 'odds-for',
  tick: queue[0]?.tick ?? at(2.5),
  queue,
});

/** The order ids and stakes of what a taker matches. */
const matched = (levels: readonly Level[], taker: Taker, scenario: keyof typeof FILL_MODELS = 'queue') =>
  FILL_MODELS[scenario]
    .match(levels, taker)
    .map(({ resting, ...trade }) => ({ id: resting.orderId, ...trade }));

const idsOf = (levels: readonly Level[], taker: Taker, scenario?: keyof typeof FILL_MODELS) =>
  matched(levels, taker, scenario).map(({ id }) => id);

describe('a taker', () => {
  const levels = [2.48, 2.5, 2.52].map((price, n) => level(rests(n + 1, 10, { tick: at(price) })));

  it('takes from the best price on until it has its stake, and nothing beyond its limit', () => {
    expect(idsOf(levels, takes(25, { limitTick: at(2.52) }))).toEqual([1, 2, 3]);
    expect(idsOf(levels, takes(100, { limitTick: at(2.5) }))).toEqual([1, 2]);
    expect(idsOf(levels, takes(20, { limitTick: at(2.52) }))).toEqual([1, 2]);
    expect(idsOf(levels, takes(0))).toEqual([]);
    expect(matched(levels, takes(15))).toEqual([
      { id: 1, tick: at(2.48), stakeMicros: 10, takerMicros: 10 },
      { id: 2, tick: at(2.5), stakeMicros: 5, takerMicros: 5 },
    ]);
  });

  it('that is exact takes only what it is shown at its limit', () => {
    expect(idsOf(levels, takes(100, { exact: true }))).toEqual([2]);
    expect(idsOf(levels, takes(100, { exact: false }))).toEqual([1, 2]);
    expect(levels.map((each) => isShownAtLimit(each, takes(1)))).toEqual([false, true, false]);
    expect(limitOf(takes(1))).toEqual({ priceKind: 'lay-for', tick: at(2.5) });
  });

  it('matches nobody who shares its owner, and only whom both accept', () => {
    const taker = takes(10);
    expect(canMatch(rests(1, 10), taker)).toBe(true);
    expect(canMatch(rests(1, 10, { owner: 'taker' }), taker)).toBe(false);
    for (const [own, other] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      const resting = rests(1, 10, { acceptsTaker: () => own });
      expect(canMatch(resting, { ...taker, accepts: () => other })).toBe(own && other);
    }
    expect(canMatch(rests(1, 10, { acceptsTaker: () => false }), taker)).toBe(false);
    expect(canMatch(rests(1, 10), { ...taker, accepts: () => false })).toBe(false);
    const own = level(rests(1, 10, { owner: 'taker' }), rests(2, 10));
    expect(idsOf([own], takes(10))).toEqual([2]);
  });

  it('is too small for an entry if it asked for less than the entry’s least, in the entry’s terms', () => {
    const accepts = (minTakerMicros: number, taker: Taker) =>
      canMatch(rests(1, 90, { minTakerMicros }), taker);
    expect([accepts(10, takes(10)), accepts(11, takes(10)), accepts(0, takes(0))]).toEqual([
      true,
      false,
      true,
    ]);
    // What it still wants is less than what it asked for.
    expect(accepts(30, takes(5, { wantStakeMicros: 30 }))).toBe(true);
    // 15 at odds of 1.67 against the selection are 10 at 2.50 for it.
    const odds = takes(15, { priceKind: 'odds-against', limitTick: at(1.67) });
    expect([accepts(10, odds), accepts(11, odds)]).toEqual([true, false]);
  });

  it('leaves an entry that would get less than its smallest bet, unless that is all that is left', () => {
    const entry = rests(1, 30, { minBetMicros: 10 });
    expect([minBetMicrosOf(entry), minBetMicrosOf({ ...entry, remainingMicros: 7 })]).toEqual([10, 7]);
    const book = [level(entry, rests(2, 30))];
    expect(matched(book, takes(9)).map(({ id, stakeMicros }) => [id, stakeMicros])).toEqual([[2, 9]]);
    expect(matched(book, takes(10)).map(({ id, stakeMicros }) => [id, stakeMicros])).toEqual([[1, 10]]);
    const rest = [level(rests(1, 7, { minBetMicros: 10 }), rests(2, 30))];
    expect(matched(rest, takes(9)).map(({ id, stakeMicros }) => [id, stakeMicros])).toEqual([
      [1, 7],
      [2, 2],
    ]);
  });

  it('is told how much it got at a price', () => {
    const matches: Parameters<typeof matchLevel>[3] = [];
    const book = level(rests(1, 10), rests(2, 10));
    expect(matchLevel(book, takes(15), 15, matches)).toBe(15);
    expect(matchLevel(book, takes(50), 50, matches)).toBe(20);
    expect(matchLevel(book, takes(50), 0, matches)).toBe(0);
    expect(matches.map(({ stakeMicros }) => stakeMicros)).toEqual([10, 5, 10, 10]);
  });
});

describe('the stakes of a trade', () => {
  const odds = (stakeMicros: number): Taker =>
    takes(stakeMicros, { priceKind: 'odds-against', limitTick: at(1.66) });

  it('are the same at one kind of price, and counterparts at the other', () => {
    expect(matchedStakes(rests(1, 10), takes(4), 4)).toEqual({ stakeMicros: 4, takerMicros: 4 });
    expect(matchedStakes(rests(1, 10), takes(40), 40)).toEqual({ stakeMicros: 10, takerMicros: 10 });
    expect(matchedStakes(rests(1, 10), takes(10), 10)).toEqual({ stakeMicros: 10, takerMicros: 10 });
    // 10 at 2.50 for the selection win 15, the stake of the other side.
    expect(matchedStakes(rests(1, 10), odds(15), 15)).toEqual({ stakeMicros: 10, takerMicros: 15 });
    expect(matchedStakes(rests(1, 10), odds(6), 6)).toEqual({ stakeMicros: 4, takerMicros: 6 });
    expect(matchedStakes(rests(1, 10), odds(99), 99)).toEqual({ stakeMicros: 10, takerMicros: 15 });
  });

  it('are those at the taker’s limit if it wants no better price', () => {
    // At 3.00 of the selection, odds of 1.50 against it: 10 win 20.
    const atLimit = takes(99, { priceKind: 'odds-against', limitTick: at(1.5), atLimit: true });
    expect(matchedStakes(rests(1, 10), atLimit, 99)).toEqual({ stakeMicros: 10, takerMicros: 20 });
    expect(matchedStakes(rests(1, 10), { ...atLimit, atLimit: false }, 99).takerMicros).toBe(15);
  });

  it('use an entry up whose remainder would be worth nothing to takers', () => {
    // At 1.01 a stake of 49 wins less than half a micro.
    const short = { tick: at(1.01) };
    const taker = takes(1, { priceKind: 'odds-against', limitTick: at(100) });
    expect(matchedStakes(rests(1, 160, short), taker, 1)).toEqual({ stakeMicros: 100, takerMicros: 1 });
    expect(matchedStakes(rests(1, 150, short), taker, 1)).toEqual({ stakeMicros: 100, takerMicros: 1 });
    expect(matchedStakes(rests(1, 149, short), taker, 1)).toEqual({ stakeMicros: 149, takerMicros: 1 });
    expect(matchedStakes(rests(1, 49, short), taker, 1)).toEqual({ stakeMicros: 49, takerMicros: 0 });
    // Such a stake is worth nothing, so nobody trades with it.
    expect(
      idsOf([level(rests(1, 49, short))], takes(9, { priceKind: 'odds-against', limitTick: at(2) })),
    ).toEqual([]);
  });
});

describe('the taker of a recorded trade', () => {
  it('takes orders at better prices, and recorded stake at the price of its trade alone', () => {
    const taker = recordedTaker('feed:taker', 'against', at(2.5), 70);
    expect(taker).toMatchObject({
      owner: 'feed:taker',
      priceKind: 'lay-for',
      limitTick: at(2.5),
      stakeMicros: 70,
      wantStakeMicros: 70,
    });
    expect(recordedTaker('feed:taker', 'for', at(2.5), 1).priceKind).toBe('odds-for');
    const levels = [2.48, 2.5].map((price, n) =>
      level(rests(null, 10, { tick: at(price) }), rests(n + 1, 10, { tick: at(price) })),
    );
    expect(idsOf(levels, taker)).toEqual([1, null, 2]);
  });
});

describe('a scenario', () => {
  const levels = [2.48, 2.5].map((price, n) => {
    const tick = { tick: at(price) };
    return level(rests(null, 5, tick), rests(n + 1, 10, tick), rests(null, 5, tick), rests(n + 11, 10, tick));
  });

  it.each([
    ['touch', [1, 11, null, null, 2, 12, null, null]],
    ['queue', [null, 1, null, 11, null, 2, null, 12]],
    ['through', [null, 1, null, 11, null, null]],
  ] as const)('decides which orders a taker meets: %s', (scenario, ids) => {
    expect(idsOf(levels, takes(1_000), scenario)).toEqual(ids);
  });

  it.each(['touch', 'queue', 'through'] as const)('keeps what a taker refuses out: %s', (scenario) => {
    const accepts = ({ orderId }: Resting): boolean => orderId !== 1 && orderId !== null;
    expect(idsOf(levels, takes(1_000, { accepts }), scenario)).toEqual(
      scenario === 'through' ? [11] : [11, 2, 12],
    );
  });
});

describe('a cancellation', () => {
  const queue = [rests(null, 30), rests(1, 50), rests(null, 20, { owner: 'other feed' }), rests(null, 40)];
  const lost = (scenario: keyof typeof FILL_MODELS, micros: number, of = 'feed') => {
    const shares = FILL_MODELS[scenario].withdraw(level(...queue), of, micros);
    return shares.map(({ resting, stakeMicros }) => [queue.indexOf(resting), stakeMicros]);
  };

  it('takes only stake of the participant that cancels', () => {
    expect([...queue.entries()].filter(([, entry]) => isBackground(entry, 'feed')).map(([n]) => n)).toEqual([
      0, 3,
    ]);
    expect(isBackground(rests(1, 5, { owner: 'feed' }), 'feed')).toBe(false);
    for (const scenario of ['touch', 'queue', 'through'] as const)
      expect(lost(scenario, 15, 'other feed')).toEqual([[2, 15]]);
  });

  it.each(['touch', 'through'] as const)(
    'takes the newest stake first, and never more than there is: %s',
    (scenario) => {
      expect(lost(scenario, 0)).toEqual([]);
      expect(lost(scenario, 40)).toEqual([[3, 40]]);
      expect(lost(scenario, 50)).toEqual([
        [3, 40],
        [0, 10],
      ]);
      expect(lost(scenario, 500)).toEqual([
        [3, 40],
        [0, 30],
      ]);
      expect(PRICE_TIME.withdraw(level(), 'feed', 5)).toEqual([]);
    },
  );

  it('takes as much as there is, whichever part is before an order', () => {
    const entry = fc
      .tuple(fc.constantFrom(null, 1), fc.integer({ min: 1, max: 100 }))
      .map(([orderId, micros]) => rests(orderId, micros));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8, size: 'max' }), fc.nat(500), (entries, micros) => {
        const shares = FILL_MODELS.queue.withdraw(level(...entries), 'feed', micros);
        const all = entries.filter(({ orderId }) => orderId === null);
        const total = all.reduce((sum, { remainingMicros }) => sum + remainingMicros, 0);
        expect(shares.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0)).toBe(Math.min(micros, total));
        expect(new Set(shares.map(({ resting }) => resting)).size).toBe(shares.length);
        for (const { resting, stakeMicros } of shares) {
          expect(all).toContain(resting);
          expect(stakeMicros).toBeGreaterThan(0);
          expect(stakeMicros).toBeLessThanOrEqual(resting.remainingMicros);
        }
      }),
    );
  });

  it('has a larger part before an order the more stake is there, by the power', () => {
    const amount = fc.integer({ min: 1, max: 1e9 });
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(1, 2, 3), (front, back, exponent) => {
        const expected = front ** exponent / (front ** exponent + back ** exponent);
        expect(shareAhead(front, back, exponent)).toBeCloseTo(expected, 12);
      }),
    );
  });
});
