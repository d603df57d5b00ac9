import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { at, EVENT, EVENT_ID, Harness, type HarnessOptions, KEY, OTHER_KEY, type Wire } from './harness.ts';

/** The usual market: `for` takers get 2.2 and 2.1, 100 each. Who bets against takes 2.3 and 2.4 of the selection, 100 each. */
const odds = (options: HarnessOptions = {}): Harness =>
  new Harness({ ...options, settings: { priceConvention: 'odds', ...options.settings } });

const LAY = { betslip_type: 'lay' };
const TAKE = { exchange_mode: 'take_only' };

interface Shown {
  readonly price: number;
  readonly min: number | null;
  readonly max: number;
}

const listOf = (list: Wire): Shown[] =>
  list.map(({ effective: { price, min, max } }: Wire) => ({ price, min: min?.[1] ?? null, max: max[1] }));

const offered = (h: Harness, betType: string, key = OTHER_KEY): Shown[] => {
  const { data } = h.call(
    'GET',
    `/v2/offers/?sport=fb&event_id=${EVENT_ID}&bet_type=${betType}`,
    undefined,
    key,
  );
  return listOf(data[0]?.price_list ?? []);
};

const quoted = (h: Harness, betType: string, type: string, key = OTHER_KEY): Shown[] => {
  const id = h.betslip(betType, key, EVENT_ID, type);
  h.pass(2500);
  return listOf(h.call('GET', `/v2/betslips/${id}/`, undefined, key).data.price_list);
};

const betsOf = (h: Harness, { order_id: id }: Wire, key = KEY): Wire[] =>
  h.order(id, key).bets.map(({ got_price: price, got_stake: [, stake], exchange_role: role }: Wire) => ({
    price,
    stake,
    role,
  }));

describe('offers under the convention `odds`', () => {
  it('are odds on the bet in both directions, the highest first, with the stake of their own side', () => {
    const h = odds();
    expect(offered(h, 'for,h')).toEqual([
      { price: 2.2, min: null, max: 100 },
      { price: 2.1, min: null, max: 100 },
    ]);
    // 2.3 is 1.769 against, and 2.4 is 1.714: the first tick that 100 at 2.3 honours is 1.76, for 130.
    expect(offered(h, 'against,h')).toEqual([
      { price: 1.76, min: null, max: 130 },
      { price: 1.71, min: null, max: 140 },
    ]);
  });

  it('show stake at one tick together, and none where no tick is low enough', () => {
    const h = odds();
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    // 51 is 1.02 against, 100 is 1.0101 and 110 is 1.00917.
    for (const price of [48, 50, 55, 100, 110]) h.rest('h', 'for', price, 1);
    expect(offered(h, 'against,h')).toEqual([
      { price: 1.02, min: null, max: 47 + 49 },
      { price: 1.01, min: null, max: 54 + 99 },
    ]);
  });

  it('count their depth in ticks shown', () => {
    const h = odds({ settings: { offerDepth: 1 } });
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    for (const price of [48, 50, 55]) h.rest('h', 'for', price, 1);
    expect(offered(h, 'against,h')).toEqual([{ price: 1.02, min: null, max: 47 + 49 }]);
  });

  it('name the least stake in the taker’s own, and it is enough', () => {
    const h = odds();
    h.exchange.market.setMinimum('least', toMicros(7));
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    h.rest('h', 'for', 2.5, 50, 'least');
    expect(offered(h, 'against,h')).toEqual([{ price: 1.66, min: 10.5, max: 75 }]);
    expect(betsOf(h, h.place('against,h', 1.66, 10.49, TAKE))).toEqual([]);
    expect(betsOf(h, h.place('against,h', 1.66, 10.5, TAKE))).toEqual([
      { price: 5 / 3, stake: 10.5, role: 'taker' },
    ]);
  });

  it('show an order in the other direction at the first tick that it honours, in the taker’s stake', () => {
    const h = odds();
    h.place('against,h', 1.85, 17);
    // 1.85 against is 2.17647 of the selection; 17 wins 14.45.
    expect(offered(h, 'for,h')[1]).toEqual({ price: 2.16, min: null, max: 14.45 });
    expect(betsOf(h, h.place('for,h', 2.16, 120, TAKE, OTHER_KEY), OTHER_KEY)).toEqual([
      { price: 2.2, stake: 100, role: 'taker' },
      { price: 185 / 85, stake: 14.45, role: 'taker' },
    ]);
  });
});

describe('lay betslips under the convention `odds`', () => {
  it('quote lay prices on both bet types, the highest first', () => {
    const h = odds();
    expect(quoted(h, 'for,h', 'lay')).toEqual([
      { price: 2.4, min: null, max: 100 },
      { price: 2.3, min: null, max: 100 },
    ]);
    // 2.2 of the selection is 1.8333 against, and 2.1 is 1.90909.
    expect(quoted(h, 'against,h', 'lay')).toEqual([
      { price: 1.91, min: null, max: 110 },
      { price: 1.84, min: null, max: 120 },
    ]);
  });

  it.each([
    ['lay', 'for,h', 2.31, 2.3],
    ['lay', 'against,h', 2.01, 2],
    ['normal', 'for,h', 7.15, 7.2],
    ['normal', 'against,h', 1.985, 1.99],
  ])('move an off-tick limit as measured: %s on %s, %d to %d', (type, betType, wanted, limit) => {
    const h = odds({ priced: true });
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    const order = h.place(betType, wanted, 10, { betslip_type: type });
    expect(order).toMatchObject({ order_type: type, bet_type: betType, want_price: limit });
    expect(h.exchange.inspect().orders[0]).toMatchObject({ price: limit, wantPrice: wanted });
  });

  it('take the other side of their bet type, at their limit or lower', () => {
    const h = odds();
    expect(betsOf(h, h.place('for,h', 2.31, 10, { ...LAY, ...TAKE }))).toEqual([
      { price: 2.3, stake: 10, role: 'taker' },
    ]);
    expect(betsOf(h, h.place('for,h', 2.29, 10, { ...LAY, ...TAKE }))).toEqual([]);
    expect(betsOf(h, h.place('against,h', 1.84, 12, { ...LAY, ...TAKE }))).toEqual([
      { price: 220 / 120, stake: 12, role: 'taker' },
    ]);
    expect(betsOf(h, h.place('against,h', 1.83, 12, { ...LAY, ...TAKE }))).toEqual([]);
  });

  it.each([
    ['for,h', 2.3, [1, 0], -13],
    ['for,h', 2.3, [0, 1], 10],
    ['against,h', 1.84, [1, 0], 10],
    ['against,h', 1.84, [0, 1], -8.333333],
  ])('settle as a lay bet: %s at %d, result %j', (betType, price, [home = 0, away = 0], profit) => {
    const h = odds();
    const { order_id: id } = h.place(betType, price, 10, { ...LAY, ...TAKE });
    const { payoff_grid: grid } = h.call('GET', '/v2/orders/position/').data;
    expect(grid.values[home][away]).toBe(profit);
    h.exchange.market.settle(EVENT, { kind: 'score', home, away, halfTimeHome: 0, halfTimeAway: 0 }, h.nowMs);
    expect(h.order(id).profit_loss).toEqual(['USDT', profit]);
    expect(h.call('GET', '/v2/balance/').data.balance).toEqual(['USDT', 100_000 + profit]);
  });

  it('reserve their liability, and a normal one its stake', () => {
    const reserved = (betType: string, price: number, extra = {}): number => {
      const h = odds();
      h.place(betType, price, 10, extra);
      return h.call('GET', '/v2/balance/').data.open_stake[1];
    };
    expect(reserved('for,h', 2.2, LAY)).toBe(12);
    expect(reserved('against,h', 1.7, LAY)).toBe(7);
    expect(reserved('against,h', 3)).toBe(10);
    expect(reserved('for,h', 3)).toBe(10);
  });

  it('are refused when their liability is more than the balance', () => {
    const h = odds();
    expect(h.tryPlace('for,h', 30, 4000, LAY).data.validation_errors).toEqual({
      non_field_errors: ['insufficient_balance'],
    });
    expect(h.tryPlace('against,h', 30, 4000).status).toBe(201);
  });

  it('stand under their bet type as it was bet', () => {
    const h = odds();
    h.place('for,h', 2.3, 10, { ...LAY, ...TAKE });
    h.place('against,h', 1.76, 13, TAKE);
    const { totals } = h.call('GET', '/v2/orders/position/').data;
    expect(totals['for,h']).toMatchObject({ got_price: 2.3, got_stake: ['USDT', 10] });
    expect(totals['against,h']).toMatchObject({ got_price: 1.769231, got_stake: ['USDT', 13] });
  });

  it('offset a bet on the other side: what no score can cost is free', () => {
    const h = odds();
    h.place('for,h', 2.2, 10, TAKE);
    h.place('for,h', 2.4, 10, { ...LAY, ...TAKE });
    // 10 at 2.2 wins 12 or loses 10; laid at 2.3 it loses 13 or wins 10.
    const { open_stake: open, smart_credit: credit } = h.call('GET', '/v2/balance/').data;
    expect([open[1], credit[1]]).toEqual([23, 22]);
  });

  it('are refused on `for` bet types under the convention `lay`', () => {
    const h = new Harness({ settings: { priceConvention: 'lay' } });
    expect(h.tryPlace.bind(h, 'for,h', 2.3, 10, LAY)).toThrow('invalid_bet_type');
    expect(betsOf(h, h.place('against,h', 2.3, 10, { ...LAY, ...TAKE }))).toEqual([
      { price: 2.3, stake: 10, role: 'taker' },
    ]);
  });
});

describe('an order under the convention `odds`', () => {
  it('trades at the resting price: the taker gets the exact complement, and each side its own stake', () => {
    const h = odds();
    const maker = h.place('for,h', 2.26, 100);
    const taker = h.place('against,h', 1.75, 63, {}, OTHER_KEY);
    expect(betsOf(h, maker)).toEqual([{ price: 2.26, stake: 50, role: 'maker' }]);
    expect(betsOf(h, taker, OTHER_KEY)).toEqual([{ price: 226 / 126, stake: 63, role: 'taker' }]);
    expect(h.order(taker.order_id, OTHER_KEY)).toMatchObject({
      status: 'done',
      close_reason: 'order_filled',
    });
    expect(h.order(taker.order_id, OTHER_KEY).price).toBe(1.793651);
    expect(offered(h, 'against,h')[0]).toEqual({ price: 1.79, min: null, max: 63 });
  });

  it('takes the best price of the selection first, whatever the kind of the price', () => {
    const h = odds();
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    const rests = [
      h.place('against,h', 1.85, 10),
      h.place('for,h', 2.18, 10, LAY),
      h.place('against,h', 1.84, 10),
      h.place('for,h', 2.16, 10, LAY),
    ];
    h.place('for,h', 1.5, 1000, TAKE, OTHER_KEY);
    const filled = rests.map((order) => betsOf(h, order)[0].price);
    expect(filled).toEqual([1.85, 2.18, 1.84, 2.16]);
    const prices = betsOf(h, { order_id: h.exchange.inspect().orders.at(-1)?.orderId }, OTHER_KEY).map(
      ({ price }) => price,
    );
    // 1.84 against is 2.190 of the selection, 1.85 is 2.176.
    expect(prices).toEqual([184 / 84, 2.18, 185 / 85, 2.16]);
  });

  it('crosses at equal prices of the selection, which doubles do not see', () => {
    for (const [forPrice, againstPrice] of [
      [26, 1.04],
      [13.5, 1.08],
    ] as const) {
      const h = odds();
      h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
      h.place('against,h', againstPrice, 100);
      expect(betsOf(h, h.place('for,h', forPrice, 1, TAKE, OTHER_KEY), OTHER_KEY)).toHaveLength(1);
    }
  });

  it('that is forced takes its own price, and the other side gets the complement of it', () => {
    const h = odds();
    const maker = h.place('for,h', 2.26, 100);
    const taker = h.place('against,h', 1.75, 63, { force_want_price: true }, OTHER_KEY);
    // At 1.75 against, the selection is 2.3333: 63 is matched by 63 × 0.75.
    expect(betsOf(h, taker, OTHER_KEY)).toEqual([{ price: 1.75, stake: 63, role: 'taker' }]);
    expect(betsOf(h, maker)).toEqual([{ price: 175 / 75, stake: 47.25, role: 'maker' }]);
  });

  it('that wants no better price takes what is shown at its limit', () => {
    const h = odds();
    const exact = { ...TAKE, accept_better_price: false };
    expect(betsOf(h, h.place('against,h', 1.75, 13, exact))).toEqual([]);
    expect(betsOf(h, h.place('against,h', 1.76, 13, exact))).toEqual([
      { price: 230 / 130, stake: 13, role: 'taker' },
    ]);
  });

  it('that is to be filled whole counts its own stake', () => {
    const h = odds();
    const whole = { accept_partial_fill: false };
    expect(betsOf(h, h.place('against,h', 1.71, 271, whole))).toEqual([]);
    expect(betsOf(h, h.place('against,h', 1.71, 270, whole))).toHaveLength(2);
  });

  it('that is dark has its least counterpart in its own stake', () => {
    const h = odds();
    const dark = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 15] };
    h.place('for,h', 2.26, 20, dark);
    // 15 at 2.26 is 18.9 against.
    expect(betsOf(h, h.place('against,h', 1.79, 18.89, TAKE, OTHER_KEY), OTHER_KEY)).toEqual([]);
    expect(betsOf(h, h.place('against,h', 1.79, 18.9, TAKE, OTHER_KEY), OTHER_KEY)).toHaveLength(1);
  });

  it.each([
    // 3 and 1.5 are complements: 15 at 3 is matched by 30 at 1.5.
    ['against,h', 1.5, 30, 'for,h', 3, 15],
    ['for,h', 3, 15, 'against,h', 1.5, 30],
  ])(
    'keeps that minimum as a taker after a suspension: %s at %d',
    (betType, price, least, other, otherPrice, enough) => {
      const roles = (counterStake: number): unknown => {
        const h = odds();
        h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
        h.exchange.market.setSuspended(EVENT, true, h.nowMs);
        const terms = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', least] };
        const dark = h.place(betType, price, 100, terms);
        h.place(other, otherPrice, counterStake, {}, OTHER_KEY);
        h.exchange.market.setSuspended(EVENT, false, h.nowMs);
        return betsOf(h, dark).map(({ role }) => role);
      };
      expect(roles(enough - 0.01)).toEqual([]);
      expect(roles(enough)).toEqual(['taker']);
    },
  );

  it('has the least stakes of its sources in its own stake, as a taker and as a maker', () => {
    const least = (usdt: number) => ({
      bookie_min_stakes: { maker: ['USDT', usdt], exchange: ['USDT', usdt] },
    });
    const h = odds();
    expect(betsOf(h, h.place('against,h', 1.71, 300, { ...TAKE, ...least(270.01) }))).toEqual([]);
    expect(betsOf(h, h.place('against,h', 1.76, 130, { ...TAKE, ...least(130) }))).toHaveLength(1);
    const maker = h.place('against,h', 1.85, 40, least(17));
    h.place('for,h', 2.16, 14.44, { ...TAKE, bookie_min_stakes: { maker: ['USDT', 1000] } }, OTHER_KEY);
    expect(betsOf(h, maker)).toEqual([]);
    h.place('for,h', 2.16, 14.45, { ...TAKE, bookie_min_stakes: { maker: ['USDT', 1000] } }, OTHER_KEY);
    expect(betsOf(h, maker)).toEqual([{ price: 1.85, stake: 17, role: 'maker' }]);
  });

  it('counts its own stake toward the limit of the event', () => {
    const h = odds({ settings: { eventStakeLimitMicros: toMicros(100) } });
    h.place('against,h', 5, 60);
    expect(h.tryPlace('against,h', 5, 41).status).toBe(400);
    expect(h.tryPlace('against,h', 5, 40).status).toBe(201);
  });

  it('is matched by a background taker and by background stake, which speak prices of the selection', () => {
    const h = odds();
    const maker = h.place('against,h', 1.85, 17);
    // 14.45 at 2.17647.
    expect(h.exchange.market.take(at('h'), 'for', 2.16, toMicros(200), h.nowMs)).toBe(toMicros(114.45));
    expect(betsOf(h, maker)).toEqual([{ price: 1.85, stake: 17, role: 'maker' }]);
    const other = h.place('against,h', 1.85, 17);
    h.rest('h', 'for', 2.16, 10, 'late');
    expect(betsOf(h, other)).toEqual([{ price: 1.85, stake: 11.764706, role: 'maker' }]);
    expect(h.exchange.market.levels(at('h'), 'against')[0]).toEqual({
      price: 185 / 85,
      stakeMicros: Math.round((17e6 - 11_764_706) * 0.85),
    });
  });

  it('gets its part of a recorded trade, and says how much of the recorded stake', () => {
    const h = odds();
    const maker = h.place('against,h', 1.85, 17);
    expect(h.exchange.market.trade(at('h'), 'against', 2.1, toMicros(10), h.nowMs)).toBe(toMicros(10));
    expect(betsOf(h, maker)).toEqual([{ price: 1.85, stake: 11.764706, role: 'maker' }]);
  });
});

describe('a parlay', () => {
  it('has the odds of its `for` legs under both conventions', () => {
    for (const priceConvention of ['odds', 'lay'] as const) {
      const h = new Harness({ settings: { priceConvention } });
      const second = '2026-03-01,33,44';
      h.exchange.market.putEvent({ ...EVENT_DATA, eventId: second }, h.nowMs);
      h.exchange.market.setLevel('maker', at('h', second), 'against', 3, toMicros(40), h.nowMs);
      const legs = [EVENT_ID, second].map((id) => ({ sport: 'fb', event_id: id, bet_type: 'for,h' }));
      const { data } = h.call('POST', '/v2/betslips/', { betslip_type: 'parlay', legs });
      h.pass(2500);
      const list = listOf(h.call('GET', `/v2/betslips/${data.betslip_id}/`).data.price_list);
      expect(list).toEqual([{ price: 6.6, min: null, max: 40 }]);
    }
  });
});

const EVENT_DATA = {
  sport: 'fb',
  eventType: 'normal' as const,
  eventName: 'One v Two',
  competitionId: 7,
  competitionName: 'League',
  competitionCountry: 'GB',
  home: 'One',
  away: 'Two',
  homeId: 33,
  awayId: 44,
  teams: [],
  startTimeMs: Date.parse('2026-03-01T13:00:00Z'),
  endTimeMs: null,
};
