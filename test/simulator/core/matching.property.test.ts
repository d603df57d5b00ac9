import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { honouringTick, SELECTION_KINDS } from '../../../src/domain/odds.ts';
import { type Direction, opposite } from '../../../src/domain/selection.ts';
import { at, EVENT, event, Harness, type Wire } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const ACCOUNTS = ['a', 'b', 'c'];
const PRICES = [1.99, 2, 2.02];

interface Wanted {
  readonly account: string;
  readonly direction: Direction;
  readonly price: number;
  readonly stake: number;
  readonly mode: 'make_and_take' | 'take_only' | 'dark';
  readonly minTaker: number;
  readonly partial: boolean;
  readonly better: boolean;
}

interface Fill {
  readonly maker: number;
  readonly taker: number;
  readonly price: number;
  readonly stake: number;
}

interface Live extends Wanted {
  readonly id: number;
  left: number;
  rests: boolean;
}

/** Matching in its simplest form: look at everything, sort, take. */
class ByHand {
  readonly fills: Fill[] = [];
  readonly #live: Live[] = [];

  place(wanted: Wanted, id: number): void {
    const order: Live = { ...wanted, id, left: wanted.stake, rests: false };
    this.#take(order);
    order.rests = order.mode !== 'take_only' && order.partial;
    if (order.left > 0) this.#live.push(order);
    if (!order.rests || order.left === 0) return;
    for (const other of this.#live)
      if (!other.rests && other.direction !== order.direction) this.#take(other);
  }

  close(id: number): void {
    const at_ = this.#live.findIndex((order) => order.id === id);
    if (at_ !== -1) this.#live.splice(at_, 1);
  }

  leftOf(id: number): number {
    return this.#live.find((order) => order.id === id)?.left ?? 0;
  }

  #take(taker: Live): void {
    const makers = this.#makersFor(taker);
    const available = makers.reduce((sum, maker) => sum + maker.left, 0);
    if (!taker.partial && available < taker.left) return;
    for (const maker of makers) {
      const stake = Math.min(maker.left, taker.left);
      if (stake === 0) break;
      maker.left -= stake;
      taker.left -= stake;
      this.fills.push({ maker: maker.id, taker: taker.id, price: maker.price, stake });
    }
  }

  #makersFor(taker: Live): Live[] {
    const sign = taker.direction === 'for' ? 1 : -1;
    return this.#live
      .filter((maker) => maker.rests && maker.left > 0 && maker.direction !== taker.direction)
      .filter((maker) => maker.account !== taker.account && maker.minTaker <= taker.stake)
      .filter((maker) => sign * (maker.price - taker.price) >= 0)
      .filter((maker) => taker.better || maker.price === taker.price)
      .sort((a, b) => sign * (b.price - a.price) || a.id - b.id);
  }
}

const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false));

const wanted: fc.Arbitrary<Wanted> = fc
  .record({
    account: fc.constantFrom(...ACCOUNTS),
    direction: fc.constantFrom<Direction>('for', 'against'),
    price: fc.constantFrom(...PRICES),
    stake: fc.integer({ min: 1, max: 40 }),
    mode: fc.constantFrom<Wanted['mode']>('make_and_take', 'take_only', 'dark'),
    minTaker: fc.integer({ min: 0, max: 40 }),
    partial: mostly,
    better: mostly,
  })
  .map((order) => ({
    ...order,
    minTaker: order.mode === 'dark' ? Math.min(order.minTaker, order.stake) : 0,
  }));

const step = fc.oneof(
  { weight: 5, arbitrary: wanted.map((order) => ({ kind: 'place' as const, order })) },
  { weight: 1, arbitrary: fc.nat(30).map((nth) => ({ kind: 'close' as const, nth })) },
);

function newHarness(): Harness {
  const accounts = ACCOUNTS.map((id) => ({ accountId: id, keys: [id], balanceMicros: toMicros(1e6) }));
  const h = new Harness({ accounts, settings: UNLIMITED, priced: false });
  h.exchange.market.putEvent(event(), h.nowMs);
  // The outcome exists from its first liquidity on. This price is out of reach.
  h.rest('h', 'against', 1.01, 1);
  return h;
}

function place(h: Harness, order: Wanted): number {
  const answer = h.place(
    `${order.direction},h`,
    order.price,
    order.stake,
    {
      exchange_mode: order.mode,
      accept_partial_fill: order.partial,
      accept_better_price: order.better,
      ...(order.mode === 'dark' ? { min_taker_want_stake: ['USDT', order.minTaker] } : {}),
    },
    order.account,
  );
  return answer.order_id;
}

/** Trades as reported to both sides: each occurs twice, once as maker and once as taker. */
function fillsOf(h: Harness): Fill[] {
  const bets = h.exchange
    .inspect()
    .orders.flatMap(({ orderId, fills }) => fills.map((fill) => ({ orderId, ...fill })))
    .sort((a, b) => a.betId - b.betId);
  const makers = bets.filter(({ role }) => role === 'maker');
  const takers = bets.filter(({ role }) => role === 'taker');
  expect(makers).toHaveLength(takers.length);
  return makers.map((maker, i) => {
    const taker = takers[i];
    expect([taker?.price, taker?.stakeMicros]).toEqual([maker.price, maker.stakeMicros]);
    return {
      maker: maker.orderId,
      taker: taker?.orderId ?? 0,
      price: maker.price,
      stake: fromMicros(maker.stakeMicros),
    };
  });
}

it('matches by price and time exactly as by hand, whatever the terms of the orders', () => {
  let matched = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), (steps) => {
      const h = newHarness();
      const byHand = new ByHand();
      const ids: { id: number; account: string }[] = [];
      for (const each of steps) {
        if (each.kind === 'place') {
          const id = place(h, each.order);
          ids.push({ id, account: each.order.account });
          byHand.place(each.order, id);
        } else if (ids.length > 0) {
          const { id, account } = ids[each.nth % ids.length] as { id: number; account: string };
          h.call('POST', `/v2/orders/${id}/close/`, undefined, account);
          byHand.close(id);
        }
      }
      expect(fillsOf(h)).toEqual(byHand.fills);
      matched += byHand.fills.length;
      for (const order of h.exchange.inspect().orders) {
        const left = order.closed ? 0 : fromMicros(order.stakeMicros - order.filledMicros);
        expect(byHand.leftOf(order.orderId)).toBe(left);
      }
    }),
    { numRuns: 300 },
  );
  expect(matched).toBeGreaterThan(1000);
});

interface Background {
  readonly participant: string;
  readonly direction: Direction;
  readonly price: number;
  readonly stake: number;
  readonly kind: 'level' | 'take' | 'trade';
}

const background: fc.Arbitrary<Background> = fc.record({
  participant: fc.constantFrom('x', 'y'),
  direction: fc.constantFrom<Direction>('for', 'against'),
  price: fc.constantFrom(...PRICES),
  stake: fc.integer({ min: 0, max: 50 }),
  kind: fc.constantFrom<Background['kind']>('level', 'take', 'trade'),
});

it('neither creates nor loses stake or money, with a background that comes and goes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(wanted, background), { minLength: 10, maxLength: 40, size: 'max' }),
      fc.tuple(fc.nat(4), fc.nat(4)),
      (steps, [home, away]) => {
        const h = newHarness();
        for (const each of steps) {
          if ('account' in each) place(h, each);
          else act(h, each);
        }
        for (const { filledMicros, stakeMicros, fills } of h.exchange.inspect().orders) {
          expect(filledMicros).toBeLessThanOrEqual(stakeMicros);
          expect(fills.reduce((sum, fill) => sum + fill.stakeMicros, 0)).toBe(filledMicros);
        }
        settleAndCheckMoney(h, home, away);
      },
    ),
    { numRuns: 200 },
  );
});

/** A background act, and its reported result against the actual one. */
function act(h: Harness, { participant, direction, price, stake, kind }: Background): void {
  const { market } = h.exchange;
  const stakeMicros = toMicros(stake);
  const restingBefore = restingMicros(h, opposite(direction));
  const filledBefore = filledMicros(h);
  if (kind === 'level') market.setLevel(participant, at('h'), direction, price, stakeMicros, h.nowMs);
  if (kind === 'take') {
    const got = market.take(at('h'), direction, price, stakeMicros, h.nowMs);
    expect(got).toBeLessThanOrEqual(stakeMicros);
    expect(restingBefore - restingMicros(h, opposite(direction))).toBe(got);
  }
  if (kind === 'trade') {
    const got = market.trade(at('h'), direction, price, stakeMicros, h.nowMs);
    expect(filledMicros(h) - filledBefore).toBe(got);
  }
}

const restingMicros = (h: Harness, direction: Direction): number =>
  h.exchange.market.levels(at('h'), direction).reduce((sum, level) => sum + level.stakeMicros, 0);

const filledMicros = (h: Harness): number =>
  h.exchange.inspect().orders.reduce((sum, order) => sum + order.filledMicros, 0);

/** Every account's balance moves by exactly the payoff of its bets, and no stake stays reserved. */
function settleAndCheckMoney(h: Harness, home: number, away: number): void {
  const result = { kind: 'score', home, away, halfTimeHome: 0, halfTimeAway: 0 } as const;
  h.exchange.market.settle(EVENT, result, h.nowMs);
  const won = home > away;
  for (const account of h.exchange.inspect().accounts) {
    const own = h.exchange.inspect().orders.filter(({ accountId }) => accountId === account.accountId);
    const profit = own.flatMap((order) =>
      order.fills.map(({ price, stakeMicros }) => {
        const forProfit = won ? Math.round(stakeMicros * (price - 1)) : -stakeMicros;
        return order.betType.startsWith('for') ? forProfit : -forProfit;
      }),
    );
    expect(account.balanceMicros).toBe(profit.reduce((sum, each) => sum + each, toMicros(1e6)));
    expect(account.openStakeMicros).toBe(0);
    expect(own.every(({ closed }) => closed)).toBe(true);
  }
}

it('moves limits that are off the ladder to the first tick that honours them', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Direction>('for', 'against'),
      fc.double({ min: 1.02, max: 990, noNaN: true }),
      (direction, price) => {
        const h = newHarness();
        const answer: Wire = h.tryPlace(`${direction},h`, price, 1, {}, 'a');
        const order = h.exchange.inspect().orders[0];
        const moved = priceOf(honouringTick(SELECTION_KINDS[direction], price) as number);
        expect(order?.price).toBe(moved);
        expect(answer.data.want_price).toBe(moved);
      },
    ),
    { numRuns: 50 },
  );
});
