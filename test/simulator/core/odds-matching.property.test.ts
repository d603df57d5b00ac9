import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { PRICES as LADDER } from '../../sim/ladder.ts';
import { at, EVENT, event, EVENT_ID, Harness, type Wire } from './harness.ts';
import { compare, crosses, type HandOrder, isOnSelection, OddsByHand, type Terms } from './odds-by-hand.ts';
import { UNLIMITED } from './unlimited.ts';

const ACCOUNTS = ['a', 'b', 'c'];
const HUNDREDTHS = LADDER.map((price) => Math.round(price * 100));
/** Near evens both ladders are alike; far from evens their ticks lie far apart. 1.04 is the complement of 26, 1.08 that of 13.5. */
const NEAR = [196, 198, 199, 200, 202, 204];
const FAR = [101, 104, 108, 150, 300, 1350, 2600, 10_000];

const terms: fc.Arbitrary<Terms> = fc.record({
  betType: fc.constantFrom('for', 'against'),
  lay: fc.boolean(),
  hundredths: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NEAR) }, fc.constantFrom(...FAR)),
});
const stake = fc.oneof(
  fc.integer({ min: 100, max: 4000 }).map((cents) => BigInt(cents) * 10_000n),
  fc.bigInt({ min: 1_000_000n, max: 40_000_000n }),
);
const mostly = fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false));
const PLAIN = { takeOnly: false, partial: true, better: true, minTaker: 0n, forced: false };

const plain: fc.Arbitrary<HandOrder> = fc
  .record({ account: fc.constantFrom(...ACCOUNTS), terms, stake })
  .map(({ terms: own, ...order }) => ({ ...PLAIN, ...order, ...own }));
const wanted: fc.Arbitrary<HandOrder> = fc
  .record({
    order: plain,
    takes: mostly,
    partial: mostly,
    better: mostly,
    unforced: mostly,
    minTaker: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, fc.bigInt({ min: 0n, max: 40_000_000n })),
  })
  .map(({ order, takes, partial, better, unforced, minTaker }) => ({
    ...order,
    takeOnly: !takes,
    partial,
    better,
    forced: !unforced,
    minTaker: takes && minTaker < order.stake ? minTaker : 0n,
  }));

const step = fc.oneof(
  { weight: 6, arbitrary: wanted.map((order) => ({ order, nth: 0 })) },
  { weight: 1, arbitrary: fc.nat(30).map((nth) => ({ order: null, nth })) },
);

function newHarness(): Harness {
  const accounts = [...ACCOUNTS, 'z'].map((id) => ({
    accountId: id,
    keys: [id],
    balanceMicros: toMicros(1e6),
  }));
  const settings = { ...UNLIMITED, priceConvention: 'odds', offerDepth: 100 } as const;
  const h = new Harness({ accounts, settings, priced: false });
  h.exchange.market.putEvent(event(), h.nowMs);
  // The outcome exists from its first liquidity on.
  h.rest('h', 'against', 1.01, 1);
  h.rest('h', 'against', 1.01, 0);
  return h;
}

const amount = (micros: bigint): number => Number(micros) / 1e6;

function tryPlace(h: Harness, order: HandOrder): Wire {
  const body = {
    betslip_type: order.lay ? 'lay' : 'normal',
    exchange_mode: order.minTaker > 0n ? 'dark' : order.takeOnly ? 'take_only' : 'make_and_take',
    accept_partial_fill: order.partial,
    accept_better_price: order.better,
    force_want_price: order.forced,
    ...(order.minTaker > 0n ? { min_taker_want_stake: ['USDT', amount(order.minTaker)] } : {}),
  };
  return h.tryPlace(`${order.betType},h`, order.hundredths / 100, amount(order.stake), body, order.account);
}

function place(h: Harness, order: HandOrder): number {
  const answer = tryPlace(h, order);
  expect(answer.status).toBe(201);
  return answer.data.order_id;
}

interface Side {
  readonly order: InspectedOrder;
  readonly price: number;
  readonly stakeMicros: number;
}

/** Both sides of each trade, in the order of the trades. */
function tradesOf(orders: readonly InspectedOrder[]): readonly (readonly [maker: Side, taker: Side])[] {
  const bets = orders
    .flatMap((order) => order.fills.map((fill) => ({ order, ...fill })))
    .sort((a, b) => a.betId - b.betId);
  const [makers, takers] = ['maker', 'taker'].map((role) => bets.filter((bet) => bet.role === role));
  expect(makers).toHaveLength(takers?.length ?? 0);
  return (makers ?? []).map((maker, i) => [maker, (takers ?? [])[i] as Side]);
}

const play = (
  h: Harness,
  byHand: OddsByHand,
  steps: readonly { order: HandOrder | null; nth: number }[],
): void => {
  const ids: { id: number; account: string }[] = [];
  for (const { order, nth } of steps) {
    if (order !== null) {
      const id = place(h, order);
      ids.push({ id, account: order.account });
      byHand.place(order, id);
    } else if (ids.length > 0) {
      const { id, account } = ids[nth % ids.length] as { id: number; account: string };
      h.call('POST', `/v2/orders/${id}/close/`, undefined, account);
      byHand.close(id);
    }
  }
};

const number = ([above, below]: readonly [bigint, bigint]): number => Number(above) / Number(below);

describe('matching under the convention `odds`', () => {
  it('is the same as by hand, in whole numbers, whatever the terms of the orders', () => {
    let matched = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), (steps) => {
        const h = newHarness();
        const byHand = new OddsByHand(HUNDREDTHS);
        play(h, byHand, steps);
        const { orders } = h.exchange.inspect();
        const trades = tradesOf(orders).map(([maker, taker]) => ({
          maker: maker.order.orderId,
          taker: taker.order.orderId,
          makerPrice: maker.price,
          takerPrice: taker.price,
          makerStake: BigInt(maker.stakeMicros),
          takerStake: BigInt(taker.stakeMicros),
        }));
        expect(trades).toEqual(
          byHand.fills.map((fill) => ({
            ...fill,
            makerPrice: number(fill.makerPrice),
            takerPrice: number(fill.takerPrice),
          })),
        );
        matched += trades.length;
        for (const order of orders) {
          const left = order.closed ? 0 : order.stakeMicros - order.filledMicros;
          expect(byHand.leftOf(order.orderId)).toBe(BigInt(left));
        }
      }),
      { numRuns: 300 },
    );
    expect(matched).toBeGreaterThan(1000);
  });

  it('pays both sides of a trade nothing together, but for the rounding of a stake to whole micros', () => {
    fc.assert(
      fc.property(
        fc.array(wanted, { minLength: 10, maxLength: 30, size: 'max' }),
        fc.boolean(),
        (orders, won) => {
          const h = newHarness();
          for (const order of orders) place(h, order);
          const trades = tradesOf(h.exchange.inspect().orders);
          const [home, away] = won ? [1, 0] : [0, 1];
          const result = { kind: 'score', home, away, halfTimeHome: 0, halfTimeAway: 0 } as const;
          h.exchange.market.settle(EVENT, result, h.nowMs);
          const { accounts, orders: settled } = h.exchange.inspect();
          for (const account of accounts) {
            const own = settled.filter(({ accountId }) => accountId === account.accountId);
            const profit = own.flatMap((order) => order.fills.map((fill) => profitOf(order, fill, won)));
            expect(account.balanceMicros).toBe(profit.reduce((sum, each) => sum + each, toMicros(1e6)));
            expect(account.openStakeMicros).toBe(0);
          }
          for (const [maker, taker] of trades) {
            const together = profitOf(maker.order, maker, won) + profitOf(taker.order, taker, won);
            // Half a micro of the one stake, and a whole one where a remainder went with it, at that side's price.
            const most = maker.price === taker.price ? 0 : Math.max(maker.price, taker.price) + 1;
            expect(Math.abs(together)).toBeLessThanOrEqual(most);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('pays them nothing together within a micro, for stakes in cents at prices near evens', () => {
    const near = plain.map((order) => ({
      ...order,
      hundredths: NEAR[order.hundredths % NEAR.length] as number,
    }));
    const pair = fc.tuple(
      near,
      near,
      fc.integer({ min: 100, max: 4000 }),
      fc.integer({ min: 100, max: 4000 }),
    );
    fc.assert(
      fc.property(pair, fc.boolean(), ([first, second, ...cents], won) => {
        const h = newHarness();
        place(h, { ...first, account: 'a', stake: BigInt(cents[0]) * 10_000n });
        place(h, { ...second, account: 'b', stake: BigInt(cents[1]) * 10_000n });
        for (const [maker, taker] of tradesOf(h.exchange.inspect().orders)) {
          const together = profitOf(maker.order, maker, won) + profitOf(taker.order, taker, won);
          expect(Math.abs(together)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('leaves no two orders of different accounts that accept each other', () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 10, maxLength: 30, size: 'max' }), (orders) => {
        const h = newHarness();
        const byHand = new OddsByHand(HUNDREDTHS);
        for (const order of orders) byHand.place(order, place(h, order));
        const live = byHand.live.map((order) => ({ ...order, left: order.left }));
        for (const one of live)
          for (const other of live)
            if (one.account !== other.account && isOnSelection(one) && !isOnSelection(other))
              // Less than a micro of stake is no trade.
              expect(crosses(one, other) && one.left > 100n && other.left > 100n).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it('fills who takes what is shown, at the shown price or a better one', () => {
    let taken = 0;
    const taker = fc.record({ betType: fc.constantFrom('for', 'against'), lay: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(plain, { minLength: 5, maxLength: 20, size: 'max' }),
        taker,
        fc.nat(5),
        (orders, by, nth) => {
          const h = newHarness();
          for (const order of orders) place(h, order);
          const shown = quoteOf(h, { ...by, hundredths: 0 });
          const level = shown[nth];
          if (level === undefined) return;
          const upTo = shown.slice(0, nth + 1).reduce((sum, { micros }) => sum + micros, 0);
          const own = { ...PLAIN, ...by, hundredths: Math.round(level.price * 100) };
          const order = { ...own, account: 'z', stake: BigInt(upTo), takeOnly: true };
          if (upTo < 1_000_000) return;
          const id = place(h, order);
          const got = h.exchange.inspect().orders.find(({ orderId }) => orderId === id) as InspectedOrder;
          expect(got.filledMicros).toBe(upTo);
          for (const { price } of got.fills)
            expect(by.lay ? level.price - price : price - level.price).toBeGreaterThan(-1e-9);
          taken += 1;
        },
      ),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('shows each order at the first tick that it honours, the best first, and all stake at a tick together', () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 3, maxLength: 20, size: 'max' }), terms, (orders, by) => {
        const h = newHarness();
        const byHand = new OddsByHand(HUNDREDTHS);
        for (const order of orders) byHand.place(order, place(h, order));
        const makers = byHand.live.filter((maker) => isOnSelection(maker) !== isOnSelection(by));
        const ticks = new Set(
          makers.map((maker) => byHand.shown(maker, by)).filter((tick) => tick !== undefined),
        );
        const prices = [...ticks].sort((a, b) => (by.lay ? a - b : b - a)).map((tick) => tick / 100);
        const dust = makers.some(({ left }) => left < 1000n);
        const shown = quoteOf(h, by).map(({ price }) => price);
        if (!dust) expect(shown).toEqual(prices);
      }),
      { numRuns: 200 },
    );
  });
});

/** The profit of a bet by the published facts, rounded to the micro. */
function profitOf(
  { betType, priceKind }: InspectedOrder,
  { price, stakeMicros }: Omit<Side, 'order'>,
  won: boolean,
): number {
  const lay = priceKind?.startsWith('lay') ?? false;
  const happens = betType.startsWith('for,') ? won : !won;
  const ofOdds = happens ? Math.round(stakeMicros * (price - 1)) : -stakeMicros;
  return lay ? 0 - ofOdds : ofOdds;
}

/** What a betslip shows, the best first. */
function quoteOf(h: Harness, by: Terms): readonly { price: number; micros: number }[] {
  const id = h.betslip(`${by.betType},h`, 'z', EVENT_ID, by.lay ? 'lay' : 'normal');
  h.pass(2_500);
  const { data } = h.call('GET', `/v2/betslips/${id}/`, undefined, 'z');
  const levels = data.price_list.map(({ effective }: Wire) => ({
    price: effective.price as number,
    micros: toMicros(effective.max[1]),
  }));
  return by.lay ? levels.reverse() : levels;
}

it('compares fractions', () => {
  expect(compare([26n, 25n], [104n, 100n])).toBe(0);
  expect(at('h').outcome).toBe('h');
});
