import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, eventId, orderId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { toMicros } from '../../../src/domain/money.ts';
import type { LimitsOfStrategies, StrategyLimits } from '../../../src/risk/index.ts';
import { foreign } from '../support/bets.ts';
import { learnGrids, OUTCOMES, type RandomBet, randomBet, show } from '../support/books.ts';
import { ask, type Bench, bench, codesOf, EVENT, fillOf, limitsWith, live } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const NO_LIMITS: StrategyLimits = {
  eventUsdt: null,
  totalUsdt: null,
  openOrders: null,
  lossOfDayUsdt: null,
  lossFromPeakUsdt: null,
};
const OTHER = eventId('2026-11-21,30,40');
const THIRD = eventId('2026-11-21,50,60');

/** `first` owns two events, `second` all others. */
const strategyOf = (id: SelectionId): string =>
  [EVENT, OTHER].some((event) => id.includes(event)) ? 'first' : 'second';

const limitsOf = (first: Partial<StrategyLimits>): LimitsOfStrategies =>
  new Map([
    ['first', { ...NO_LIMITS, ...first }],
    ['second', NO_LIMITS],
  ]);

const benchOf = (first: Partial<StrategyLimits>): Bench =>
  bench({}, { strategyOf, strategyLimits: limitsOf(first) });

/** Approves an order and reports it as open. */
function place({ risk }: Bench, order: PlaceOrder): readonly string[] {
  const codes = codesOf(risk, order);
  if (codes.length === 0) risk.onOrder(live(order));
  return codes;
}

/** A different price each time, since the same terms twice are a duplicate. */
const orderOn = (event: typeof EVENT, stake: number, price = 2) => ask({ event, stake, price });

describe('the limits of a strategy', () => {
  it('bound the worst case of each of its events, and none of another strategy', () => {
    const world = benchOf({ eventUsdt: 25 });
    expect(place(world, orderOn(EVENT, 20))).toEqual([]);
    expect(place(world, orderOn(EVENT, 6, 2.1))).toEqual(['strategy_event_worst_case']);
    expect(place(world, orderOn(OTHER, 20))).toEqual([]);
    expect(place(world, orderOn(THIRD, 100))).toEqual([]);
  });

  it('let a bet of a hedge pass that worsens nothing, though they are passed and it improves nothing alone', () => {
    const { risk } = benchOf({ eventUsdt: 40, totalUsdt: 40 });
    learnGrids(risk, ['for,h', 'for,d', 'for,a', 'for,ah,h,0']);
    for (const held of [
      { price: 3, stake: 50 },
      { betType: 'for,a', price: 5, stake: 20 },
    ])
      betsOf(risk).report(fillOf(ask(held), held.stake));
    // Only a draw loses, and there such a bet gets its stake back.
    const pushed = (terms: object): PlaceOrder => ({
      ...ask({ betType: 'for,ah,h,0', price: 2, stake: 10 }),
      exchangeMode: 'take_only',
      take: { id: 'a', fairProbability: 0.9, reduces: false, ...terms },
    });
    expect(codesOf(risk, pushed({}))).toEqual(
      expect.arrayContaining(['strategy_event_worst_case', 'strategy_worst_case']),
    );
    expect(codesOf(risk, pushed({ hedge: 'h' }))).toEqual([]);
  });

  it('bound the sum of its events', () => {
    const world = benchOf({ totalUsdt: 45 });
    expect([EVENT, THIRD, OTHER].map((event) => place(world, orderOn(event, 20)))).toEqual([[], [], []]);
    expect(place(world, orderOn(OTHER, 6, 2.1))).toEqual(['strategy_worst_case']);
    expect(place(world, orderOn(THIRD, 6, 2.1))).toEqual([]);
  });

  it('bound its open orders', () => {
    const world = benchOf({ openOrders: 2 });
    expect(place(world, orderOn(EVENT, 1))).toEqual([]);
    expect(place(world, orderOn(OTHER, 1))).toEqual([]);
    expect(place(world, orderOn(EVENT, 1, 2.1))).toEqual(['strategy_open_orders']);
    for (const price of [2, 2.1, 2.2]) expect(place(world, orderOn(THIRD, 1, price))).toEqual([]);
  });

  it('count an order from its approval until it ends, or is not sent', () => {
    const world = benchOf({ openOrders: 2, eventUsdt: 45 });
    const orders = [2, 2.02, 2.04].map((price) => orderOn(EVENT, 20, price));
    const [first, second, third] = orders as [PlaceOrder, PlaceOrder, PlaceOrder];
    expect([first, second].map((order) => codesOf(world.risk, order))).toEqual([[], []]);
    const both = ['strategy_event_worst_case', 'strategy_open_orders'];
    expect(codesOf(world.risk, third)).toEqual(both);
    world.risk.onOrder(live(first, { state: 'closing' }));
    expect(codesOf(world.risk, third)).toEqual(both);
    world.risk.release(second.requestUuid);
    expect(codesOf(world.risk, third)).toEqual([]);
    const fourth = orderOn(EVENT, 20, 2.06);
    expect(codesOf(world.risk, fourth)).toEqual(both);
    world.risk.onOrder(live(first, { state: 'closed' }));
    expect(codesOf(world.risk, fourth)).toEqual([]);
  });

  it('bound the sum of its events, also of those that share an id in two sports', () => {
    const world = benchOf({ totalUsdt: 45 });
    const inHalf = (stake: number, price = 2) => ask({ sport: sport('fb_ht'), event: EVENT, stake, price });
    expect([orderOn(EVENT, 20), inHalf(20)].map((order) => place(world, order))).toEqual([[], []]);
    expect(place(world, orderOn(EVENT, 6, 2.1))).toEqual(['strategy_worst_case']);
    expect(place(world, inHalf(6, 2.1))).toEqual(['strategy_worst_case']);
    expect(place(world, inHalf(4, 2.1))).toEqual([]);
  });

  it('never refuse what reduces its worst case', () => {
    const world = benchOf({ eventUsdt: 25, totalUsdt: 25 });
    const order = orderOn(EVENT, 20);
    expect(place(world, order)).toEqual([]);
    betsOf(world.risk).report(fillOf(order, 20));
    betsOf(world.risk).report(fillOf(orderOn(EVENT, 30), 30));
    expect(place(world, orderOn(EVENT, 1, 2.1))).toEqual([
      'strategy_event_worst_case',
      'strategy_worst_case',
    ]);
    expect(place(world, ask({ betType: 'against,h', stake: 10 }))).toEqual([]);
  });

  it('leave out bets and orders of others on the account', () => {
    const world = benchOf({ eventUsdt: 25, openOrders: 1 });
    world.risk.onForeignOrder(foreign());
    betsOf(world.risk).report(fillOf(ask({ stake: 100 }), 100, { requestUuid: null, orderId: orderId(6) }));
    expect(place(world, orderOn(EVENT, 20))).toEqual([]);
    expect(place(world, orderOn(EVENT, 6, 2.1))).toEqual([
      'strategy_event_worst_case',
      'strategy_open_orders',
    ]);
  });

  it('change while orders rest', () => {
    const world = benchOf({ eventUsdt: 25 });
    expect(place(world, orderOn(EVENT, 20))).toEqual([]);
    world.risk.setLimits(limitsWith(), limitsOf({ eventUsdt: 30 }));
    expect(place(world, orderOn(EVENT, 6, 2.1))).toEqual([]);
    world.risk.setLimits(limitsWith());
    expect(place(world, orderOn(EVENT, 6, 2.2))).toEqual(['strategy_event_worst_case']);
  });

  it('halt at its own loss limits, and leave the other strategy', () => {
    const world = benchOf({ lossOfDayUsdt: 50 });
    for (const strategy of ['first', 'second'])
      for (const usdt of [0, -60]) world.risk.onProfitLoss({ kind: 'strategy', strategy }, toMicros(usdt));
    expect(world.risk.states.map(({ scope, by }) => [scope, by])).toEqual([
      [{ kind: 'strategy', strategy: 'first' }, 'loss limit'],
    ]);
    expect(place(world, orderOn(EVENT, 1))).toEqual(['halted']);
    expect(place(world, orderOn(THIRD, 1))).toEqual([]);
  });

  it('judge its own part as the limits of the account judge an account without others', () => {
    const types = ['for', 'against'].flatMap((side) => OUTCOMES.map((outcome) => `${side},${outcome}`));
    const bets = fc.array(randomBet, { maxLength: 4 });
    const property = (own: readonly RandomBet[], others: readonly RandomBet[], next: RandomBet): void => {
      const [shared, alone] = [
        benchOf({ eventUsdt: 200 }),
        bench({ order: { maxLiabilityUsdt: 200 }, worstCase: { eventUsdt: 200, selectionUsdt: 200 } }),
      ];
      for (const { risk } of [shared, alone]) {
        learnGrids(risk, types);
        for (const bet of own) show(risk, bet);
      }
      others.forEach((bet, at) => {
        const terms = {
          betType: betType(bet.betType),
          wantPrice: bet.price,
          wantStakeMicros: toMicros(bet.stake),
        };
        shared.risk.onForeignOrder(foreign({ ...terms, orderId: orderId(900 + at) }));
      });
      const order = ask({ betType: next.betType, price: next.price, stake: next.stake });
      const refusedBy = (world: Bench, code: string): boolean => codesOf(world.risk, order).includes(code);
      expect(refusedBy(shared, 'strategy_event_worst_case')).toBe(refusedBy(alone, 'event_worst_case'));
    };
    fc.assert(fc.property(bets, bets, randomBet, property), { numRuns: 60 });
  });
});
