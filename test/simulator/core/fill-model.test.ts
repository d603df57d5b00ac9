import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { FillModel, Level, Resting } from '../../../src/fills/fill-model.ts';
import { QUEUE } from '../../../src/fills/power-queue.ts';
import { PRICE_TIME } from '../../../src/fills/price-time.ts';
import { THROUGH } from '../../../src/fills/through.ts';
import { TOUCH } from '../../../src/fills/touch.ts';
import { fillModelContract } from './fill-model-contract.ts';
import { at, Harness, OTHER_KEY, type Wire } from './harness.ts';

fillModelContract('price-time', PRICE_TIME);
fillModelContract('touch', TOUCH);
fillModelContract('queue', QUEUE);
fillModelContract('through', THROUGH, { fillsAtItsPrice: false });

/** The youngest stake first: at one price the contract allows nothing less like price-time. */
const LAST_IN_FIRST_OUT: FillModel = {
  name: 'last in, first out',
  atTrade: 'queue',
  match: (levels, taker) =>
    PRICE_TIME.match(
      levels.map((level) => ({ ...level, queue: level.queue.toReversed() })),
      taker,
    ),
  withdraw: (level, owner, stakeMicros) =>
    PRICE_TIME.withdraw({ ...level, queue: level.queue.toReversed() }, owner, stakeMicros),
};

fillModelContract('last in, first out', LAST_IN_FIRST_OUT);

const resting = (owner: string, orderId: number | null, remainingMicros: number, tick = 100): Resting => ({
  owner,
  orderId,
  priceKind: 'odds-for',
  tick,
  hidden: false,
  minTakerMicros: 0,
  minBetMicros: 0,
  remainingMicros,
});

describe('price-time priority', () => {
  const taker = (stakeMicros: number, limitTick: number, exact = false) => ({
    owner: 'feed:taker',
    priceKind: 'lay-for' as const,
    limitTick,
    stakeMicros,
    exact,
    wantStakeMicros: stakeMicros,
  });

  it('fills the best price first, and the oldest stake first at each', () => {
    const [old, young, worse] = [resting('a', 1, 10), resting('b', 2, 10), resting('a', 3, 10, 101)];
    const levels: Level[] = [
      { priceKind: 'odds-for', tick: 100, queue: [old, young] },
      { priceKind: 'odds-for', tick: 101, queue: [worse] },
    ];
    expect(PRICE_TIME.match(levels, taker(25, 101))).toEqual([
      { resting: old, tick: 100, stakeMicros: 10, takerMicros: 10 },
      { resting: young, tick: 100, stakeMicros: 10, takerMicros: 10 },
      { resting: worse, tick: 101, stakeMicros: 5, takerMicros: 5 },
    ]);
    expect(PRICE_TIME.match(levels, taker(25, 100))).toHaveLength(2);
    expect(PRICE_TIME.match(levels, taker(25, 101, true))).toEqual([
      { resting: worse, tick: 101, stakeMicros: 10, takerMicros: 10 },
    ]);
  });

  it('withdraws the newest stake first, so that an order keeps what was ahead of it', () => {
    const [ahead, order, behind] = [
      resting('feed:x', null, 10),
      resting('a', 1, 10),
      resting('feed:x', null, 10),
    ];
    const level: Level = { priceKind: 'odds-for', tick: 100, queue: [ahead, order, behind] };
    expect(PRICE_TIME.withdraw(level, 'feed:x', 14)).toEqual([
      { resting: behind, stakeMicros: 10 },
      { resting: ahead, stakeMicros: 4 },
    ]);
  });
});

describe('an exchange', () => {
  const success = (harness: Harness, { order_id: orderId }: Wire, key?: string): number =>
    harness.order(orderId, key).bet_bar_values.success[1];

  /**
   * Two accounts at one price with the market's stake before each. What stood between them and a part of the first is withdrawn, 30 come
   * behind, and then a trade of 45 with the fall of its level.
   */
  function fills(fillModel?: FillModel): readonly number[] {
    const harness = new Harness(fillModel === undefined ? {} : { fillModel });
    const { market } = harness.exchange;
    harness.rest('h', 'for', 2.5, 40, 'recorded');
    const old = harness.place('for,h', 2.5, 20);
    harness.rest('h', 'for', 2.5, 60, 'recorded');
    const young = harness.place('for,h', 2.5, 20, {}, OTHER_KEY);
    harness.rest('h', 'for', 2.5, 30, 'recorded');
    harness.rest('h', 'for', 2.5, 60, 'recorded');
    market.trade(at('h'), 'for', 2.5, toMicros(45), harness.nowMs);
    harness.rest('h', 'for', 2.5, 15, 'recorded');
    return [success(harness, old), success(harness, young, OTHER_KEY)];
  }

  it('fills by price-time priority by default', () => {
    expect(fills()).toEqual([15, 0]);
    expect(fills(PRICE_TIME)).toEqual([15, 0]);
  });

  it('fills by the given model', () => {
    expect(fills(LAST_IN_FIRST_OUT)).toEqual([0, 15]);
  });

  it.each([
    ['matched more than the taker wants', 2],
    ['took more than the remaining stake of an entry', 0.5],
  ])('stops at a model that %s', (message, factor) => {
    const wrong: FillModel = {
      name: 'wrong',
      atTrade: 'queue',
      match: (levels, taker) =>
        PRICE_TIME.match(levels, taker).map((match) => ({
          ...match,
          stakeMicros: taker.stakeMicros * factor,
          takerMicros: taker.stakeMicros * factor,
        })),
      withdraw: PRICE_TIME.withdraw,
    };
    const harness = new Harness({ fillModel: wrong });
    harness.rest('h', 'for', 2.5, 10, 'recorded');
    expect(() => harness.exchange.market.trade(at('h'), 'for', 2.5, toMicros(30), harness.nowMs)).toThrow(
      message,
    );
  });
});
