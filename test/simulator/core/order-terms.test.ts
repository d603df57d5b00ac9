import { describe, expect, it } from 'vitest';
import { at, EVENT, event, EVENT_ID, football, Harness, KEY, OTHER_KEY, type Wire } from './harness.ts';

const statusOf = (h: Harness, id: number, key = KEY): Wire => {
  const { status, closed, close_reason: reason, stake } = h.order(id, key);
  return { status, closed, reason, stake };
};

describe('the body of an order', () => {
  it.each([
    [{ betslip_id: undefined }, { betslip_id: ['This field is required.'] }],
    [{ betslip_id: 7 }, { betslip_id: ['Not a valid string.'] }],
    [{ price: 'two' }, { price: ['A valid number is required.'] }],
    [{ price: 1 }, { price: ['Ensure this value is greater than 1.'] }],
    [{ price: 1000.5 }, { price: ['invalid_price'] }],
    [{ stake: 5 }, { stake: ['Expected a tuple.'] }],
    [{ stake: ['EUR', 5] }, { stake: { '0': ['Expected one of: USDT.'] } }],
    [{ stake: ['USDT', 0] }, { stake: { '1': ['Ensure this value is greater than 0.'] } }],
    [{ stake: ['USDT', '5'] }, { stake: { '1': ['A valid number is required.'] } }],
    [{ stake: ['USDT', 1e-7] }, { stake: { '1': ['Ensure this value is greater than 0.'] } }],
    [{ duration: 0 }, { duration: ['Ensure this value is greater than 0.'] }],
    [
      { request_uuid: 'x'.repeat(513) },
      { request_uuid: ['Ensure this field has no more than 512 characters.'] },
    ],
    [{ user_data: 'x'.repeat(513) }, { user_data: ['Ensure this field has no more than 512 characters.'] }],
    [{ exchange_mode: 'post_only' }, { exchange_mode: ['Expected one of: make_and_take, take_only, dark.'] }],
    [{ keep_open_ir: 'yes' }, { keep_open_ir: ['Must be a valid boolean.'] }],
    [{ current_score: [0, 'x'] }, { current_score: { '1': ['A valid number is required.'] } }],
    [
      { min_taker_want_stake: ['USDT', 5] },
      { min_taker_want_stake: ['only allowed with exchange_mode dark'] },
    ],
    [
      { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 11] },
      { min_taker_want_stake: ['cannot exceed the stake of the order'] },
    ],
    [{ current_score: [1, 0] }, { non_field_errors: ['event_scores_dont_match'] }],
  ])('refuses %j', (extra, reasons) => {
    const h = new Harness();
    const answer = h.tryPlace('for,h', 2.5, 10, extra);
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.data.validation_errors).toEqual(reasons);
    expect(h.exchange.inspect().orders).toEqual([]);
  });

  it.each(['', '{', '[]', '"x"', 'null', '1'])('refuses the body %j', (body) => {
    const h = new Harness();
    expect(h.call('POST', '/v2/orders/', body)).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('echoes the requested terms', () => {
    const h = new Harness();
    const asked = {
      exchange_mode: 'dark',
      keep_open_ir: true,
      user_data: 'tag',
      current_score: [0, 0],
      duration: 90,
    };
    const order = h.place('against,h', 1.5, 10, asked);
    expect(order).toMatchObject({
      order_type: 'normal',
      sport: 'fb',
      bet_type: 'against,h',
      want_price: 1.5,
      want_stake: ['USDT', 10],
      ccy_rate: 1,
      placement_time: '2026-03-01T12:00:00.000+00:00',
      expiry_time: '2026-03-01T12:01:30.000+00:00',
      keep_open_ir: true,
      exchange_mode: 'dark',
      current_score: [0, 0],
      user_data: 'tag',
      legs: null,
      bet_bar_values: {
        success: ['USDT', 0],
        inprogress: ['USDT', 10],
        danger: ['USDT', 0],
        unplaced: ['USDT', 0],
      },
      event_info: { event_id: EVENT_ID, home_id: 11, away_team: 'Away', date: '2026-03-01', result: null },
    });
  });

  it('tells nothing of what was not asked for', () => {
    const h = new Harness();
    expect(h.place('for,h', 3, 5)).toMatchObject({
      user_data: null,
      current_score: null,
      keep_open_ir: false,
      exchange_mode: 'make_and_take',
    });
  });
});

it('an order that works stays open, whatever becomes of its bets', () => {
  const h = new Harness();
  const { order_id: id } = h.place('for,h', 2.2, 150);
  const [bet] = h.order(id).bets;
  for (const end of ['danger', 'void', 'success'] as const) {
    expect(h.exchange.markBet(bet.bet_id, end, h.nowMs)).toBe(true);
    expect([end, statusOf(h, id)]).toMatchObject([end, { status: 'open', closed: false }]);
  }
});

describe('exchange modes', () => {
  it('hides dark stake, yet matches it', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.26, 40, { exchange_mode: 'dark' });
    h.pass(2_000);
    const offers = h.call('GET', `/v2/offers/?sport=fb&event_id=${EVENT_ID}&bet_type=against,h`).data;
    expect(offers[0].price_list.map((level: Wire) => level.effective.price)).toEqual([2.4, 2.3]);
    const taker = h.place('against,h', 2.26, 15, {}, OTHER_KEY);
    expect(h.order(taker.order_id, OTHER_KEY).bets).toMatchObject([
      { got_price: 2.26, got_stake: ['USDT', 15] },
    ]);
    expect(h.order(id).bets).toMatchObject([{ exchange_role: 'maker', got_stake: ['USDT', 15] }]);
  });

  it('shows a taker only to dark orders whose minimum it asks for', () => {
    const h = new Harness();
    h.place('for,h', 2.26, 40, { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 20] });
    const small = h.place('against,h', 2.26, 19, { exchange_mode: 'take_only' }, OTHER_KEY);
    expect(h.order(small.order_id, OTHER_KEY).bets).toEqual([]);
    const large = h.place('against,h', 2.26, 20, { exchange_mode: 'take_only' }, OTHER_KEY);
    expect(statusOf(h, large.order_id, OTHER_KEY)).toMatchObject({ status: 'done', reason: 'order_filled' });
  });

  it('keeps dark orders with a minimum from smaller recorded trades', () => {
    const h = new Harness();
    const dark = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 20] };
    const { order_id: id } = h.place('for,h', 2.26, 40, dark);
    expect(h.exchange.market.trade(at('h'), 'for', 2.28, 19_000_000, h.nowMs)).toBe(0);
    expect(h.order(id).bets).toEqual([]);
    expect(h.exchange.market.trade(at('h'), 'for', 2.28, 20_000_000, h.nowMs)).toBe(20_000_000);
  });

  it('rests only for the sources that it may use', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.26, 40, { bookie_min_stakes: { thin: ['USDT', 6] } });
    h.rest('h', 'against', 2.26, 5, 'thin');
    expect(h.order(id).bets).toEqual([]);
    h.rest('h', 'against', 2.28, 6, 'thin');
    expect(h.order(id).bets).toMatchObject([{ got_stake: ['USDT', 6] }]);
  });

  describe('keeps what rests from a source', () => {
    const gotOf = (h: Harness, id: number): number =>
      h.order(id).bets.reduce((sum: number, { got_stake: [, usdt] }: Wire) => sum + usdt, 0);

    it.each([
      ['that offers less than its minimum', 0, 5, 0],
      ['that offers its minimum', 0, 6, 6],
      ['that offers more than is left, which is its minimum', 34, 10, 6],
      ['that offers more than is left, which is less than its minimum', 35, 10, 0],
    ])('%s', (_, before, offered, got) => {
      const h = new Harness();
      const { order_id: id } = h.place('for,h', 2.26, 40, { bookie_min_stakes: { thin: ['USDT', 6] } });
      if (before > 0) h.rest('h', 'against', 2.26, before, 'thick');
      h.rest('h', 'against', 2.28, offered, 'thin');
      expect(gotOf(h, id)).toBeCloseTo(before + got, 6);
    });

    it('that is the exchange itself, by what its customers offer', () => {
      const h = new Harness();
      const { order_id: id } = h.place('for,h', 2.26, 40, { bookie_min_stakes: { exchange: ['USDT', 6] } });
      h.place('against,h', 2.26, 5, { exchange_mode: 'take_only' }, OTHER_KEY);
      expect(gotOf(h, id)).toBe(0);
      h.place('against,h', 2.26, 6, { exchange_mode: 'take_only' }, OTHER_KEY);
      expect(gotOf(h, id)).toBe(6);
    });

    it.each(['thin', 'exchange'])('that holds bets in danger: %s', (source) => {
      const h = new Harness();
      const offer = (stake: number): void => {
        if (source === 'exchange')
          h.place('against,h', 2.26, stake, { exchange_mode: 'take_only' }, OTHER_KEY);
        else h.rest('h', 'against', 2.26, stake, source);
      };
      const { order_id: first } = h.place('for,h', 2.26, 10);
      offer(10);
      const [bet] = h.order(first).bets;
      expect(h.exchange.markBet(bet.bet_id, 'danger', h.nowMs)).toBe(true);
      const { order_id: shy } = h.place('for,h', 2.26, 10, { exclude_danger: true });
      offer(4);
      expect(gotOf(h, shy)).toBe(0);
      h.rest('h', 'against', 2.26, 3, 'thick');
      expect(gotOf(h, shy)).toBe(3);
      expect(h.exchange.markBet(bet.bet_id, 'success', h.nowMs)).toBe(true);
      h.rest('h', 'against', 2.26, 0, 'thin');
      offer(5);
      expect(gotOf(h, shy)).toBe(8);
    });
  });

  it('advertises the remainder of make_and_take to everyone', () => {
    const h = new Harness();
    h.place('for,h', 2.26, 40);
    const offers = h.call(
      'GET',
      `/v2/offers/?sport=fb&event_id=${EVENT_ID}&bet_type=against,h`,
      undefined,
      OTHER_KEY,
    );
    expect(offers.data[0].price_list.at(-1)).toEqual({
      effective: { price: 2.26, min: null, max: ['USDT', 40] },
    });
  });
});

describe('flags', () => {
  it('waits for the whole stake without accept_partial_fill', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.2, 150, { accept_partial_fill: false });
    expect(h.order(id).bets).toEqual([]);
    expect(h.exchange.market.levels(at('h'), 'for')[0]?.price).toBe(2.3);
    h.rest('h', 'against', 2.22, 50);
    expect(statusOf(h, id)).toMatchObject({ status: 'done', stake: ['USDT', 150] });
  });

  it('takes only its own price without accept_better_price', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.1, 120, { accept_better_price: false });
    expect(h.order(id).bets).toMatchObject([{ got_price: 2.1, got_stake: ['USDT', 100] }]);
  });

  it('is booked at its own price with force_want_price, for both sides', () => {
    const h = new Harness({ priced: false });
    h.exchange.market.putEvent(event(), h.nowMs);
    h.rest('h', 'for', 3, 1);
    const maker = h.place('against,h', 2.2, 10, {}, OTHER_KEY);
    const taker = h.place('for,h', 2.1, 10, { force_want_price: true });
    expect(h.order(taker.order_id)).toMatchObject({ price: 2.1, stake: ['USDT', 10] });
    expect(h.order(maker.order_id, OTHER_KEY)).toMatchObject({ price: 2.1, stake: ['USDT', 10] });
  });

  it('uses a source only if it can take its minimum', () => {
    const h = new Harness();
    h.rest('h', 'against', 2.2, 5, 'thin');
    const { order_id: id } = h.place('for,h', 2.2, 104, {
      bookie_min_stakes: { maker: ['USDT', 50], thin: ['USDT', 6] },
    });
    expect(h.order(id).bets).toMatchObject([{ got_stake: ['USDT', 100] }]);
    const { order_id: other } = h.place('for,h', 2.2, 5, { bookie_min_stakes: { thin: ['USDT', 5] } });
    expect(h.order(other).status).toBe('done');
  });

  it.each([[['success', 'success', 'success']], [['void', 'success', 'void']]] as const)(
    'avoids a source until the last of its bets has left danger: %j',
    (ends) => {
      const h = new Harness();
      const bets = ends.map(() => h.order(h.place('for,h', 2.2, 5).order_id).bets[0].bet_id);
      for (const bet of bets) expect(h.exchange.markBet(bet, 'danger', h.nowMs)).toBe(true);
      h.pass(1_000);
      const asked = { exclude_danger: true, exchange_mode: 'take_only' } as const;
      for (const [index, end] of ends.entries()) {
        expect(h.order(h.place('for,h', 2.2, 5, asked).order_id).bets).toEqual([]);
        expect(h.exchange.markBet(bets[index], end, h.nowMs)).toBe(true);
        h.pass(1_000);
      }
      expect(h.order(h.place('for,h', 2.2, 5, asked).order_id).bets).toMatchObject([
        { got_stake: ['USDT', 5] },
      ]);
    },
  );

  it('avoids sources that hold bets in danger with exclude_danger', () => {
    const h = new Harness();
    const first = h.order(h.place('for,h', 2.2, 10).order_id);
    expect(h.exchange.markBet(first.bets[0].bet_id, 'danger', h.nowMs)).toBe(true);
    const shy = h.place('for,h', 2.2, 10, { exclude_danger: true, exchange_mode: 'take_only' });
    expect(h.order(shy.order_id).bets).toEqual([]);
    expect(h.order(h.place('for,h', 2.2, 10).order_id).status).toBe('done');
    expect(h.order(first.order_id)).toMatchObject({
      bets: [{ status: { code: 'danger' } }],
      bet_bar_values: { success: ['USDT', 0], danger: ['USDT', 10] },
    });
    const body = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', exclude_danger: true };
    const betslip = h.call('POST', '/v2/betslips/', body).data.betslip_id;
    h.pass(2_000);
    expect(h.call('GET', `/v2/betslips/${betslip}/`).data).toMatchObject({
      price_list: [],
      total: ['USDT', 0],
    });
    const position = h.call('GET', '/v2/orders/position/').data;
    expect(position).toMatchObject({
      unknown_bets_num: 1,
      totals: { 'for,h': { got_stake: ['USDT', 10], unknown_price: 2.2, unknown_stake: ['USDT', 10] } },
    });
    expect(position.unknown_grid.values[1][0]).toBeCloseTo(12, 6);
  });
});

describe('the score assertion', () => {
  it('is checked against the live score of football', () => {
    const h = new Harness();
    h.exchange.market.setScore(EVENT, 1, 0, h.nowMs);
    expect(h.tryPlace('for,h', 2.2, 1, { current_score: [0, 0] }).data.validation_errors).toEqual({
      non_field_errors: ['event_scores_dont_match'],
    });
    expect(h.tryPlace('for,h', 2.2, 1, { current_score: [1, 0] }).status).toBe(201);
    expect(h.tryPlace('for,h', 2.2, 1).status).toBe(201);
  });

  const OTHER_EVENT = football('2026-03-01,33,44');
  it.each([
    ['no score is known', null, null, [0, 0], 201],
    ['no score is known, and one is asserted', null, null, [1, 0], 400],
    ['both are goalless', [0, 0], null, [0, 0], 201],
    ['both have the score', [1, 0], [1, 0], [1, 0], 201],
    ['the first has another score', [0, 0], [1, 0], [1, 0], 400],
    ['the second has another score', [1, 0], [0, 0], [1, 0], 400],
    ['the teams are the wrong way round', [1, 0], [1, 0], [0, 1], 400],
  ] as const)('is checked against each event of a parlay: %s', (_, first, second, asserted, status) => {
    const h = new Harness();
    h.exchange.market.putEvent(event({ eventId: OTHER_EVENT.eventId }), h.nowMs);
    h.exchange.market.setLevel('maker', at('h', OTHER_EVENT.eventId), 'against', 2, 100_000_000, h.nowMs);
    if (first !== null) h.exchange.market.setScore(EVENT, first[0], first[1], h.nowMs);
    if (second !== null) h.exchange.market.setScore(OTHER_EVENT, second[0], second[1], h.nowMs);
    const legs = [EVENT_ID, OTHER_EVENT.eventId].map((id) => ({
      sport: 'fb',
      event_id: id,
      bet_type: 'for,h',
    }));
    const { betslip_id: slip } = h.call('POST', '/v2/betslips/', { betslip_type: 'parlay', legs }).data;
    const body = { betslip_id: slip, price: 4, stake: ['USDT', 1], current_score: asserted };
    expect(h.call('POST', '/v2/orders/', body).status).toBe(status);
  });

  it.each([
    ['fb', [0, 1], 400],
    ['fb', [6, 4], 201],
    ['tennis', [6, 4], 400],
    ['tennis', [0, 0], 201],
  ] as const)('knows the scores of football alone: in %s, with 6-4, %j', (sport, asserted, status) => {
    const h = new Harness({ priced: false });
    const name = { sport, eventId: EVENT_ID };
    h.exchange.market.putEvent(event({ sport }), h.nowMs);
    h.exchange.market.setScore(name, 6, 4, h.nowMs);
    h.exchange.market.setLevel('maker', { ...name, outcome: 'h' }, 'against', 2, 100_000_000, h.nowMs);
    const { betslip_id: slip } = h.call('POST', '/v2/betslips/', {
      sport,
      event_id: EVENT_ID,
      bet_type: 'for,h',
    }).data;
    const body = { betslip_id: slip, price: 2, stake: ['USDT', 1], current_score: asserted };
    expect(h.call('POST', '/v2/orders/', body).status).toBe(status);
  });
});

describe('limits on stake', () => {
  it('counts open orders and bets of the event', () => {
    const h = new Harness({ settings: { eventStakeLimitMicros: 100_000_000 } });
    h.place('for,h', 2.2, 60);
    const open = h.place('for,h', 3, 30).order_id;
    const over = h.tryPlace('for,h', 3, 11);
    expect(over.data.validation_errors).toEqual({ non_field_errors: ['event_stake_limit_reached'] });
    expect(h.tryPlace('for,h', 3, 11, {}, OTHER_KEY).status).toBe(201);
    h.call('POST', `/v2/orders/${open}/close/`);
    expect(h.tryPlace('for,h', 3, 40).status).toBe(201);
    expect(h.tryPlace('for,h', 3, 1).status).toBe(400);
  });

  it('requires of the balance what the price on the ladder can lose', () => {
    const accounts = [{ accountId: 'a', keys: [KEY], balanceMicros: 101_000_000 }];
    const h = new Harness({ accounts });
    expect(h.tryPlace('against,h', 2.02, 100).status).toBe(400);
    expect(h.tryPlace('against,h', 2.019, 100).status).toBe(201);
    expect(h.exchange.inspect().accounts[0]).toMatchObject({ openStakeMicros: 100_000_000 });
  });

  it('refuses what the balance cannot lose, and lets offsetting bets free it', () => {
    const accounts = [{ accountId: 'a', keys: [KEY], balanceMicros: 100_000_000 }];
    const h = new Harness({ accounts });
    expect(h.tryPlace('against,h', 2.4, 80).data.validation_errors).toEqual({
      non_field_errors: ['insufficient_balance'],
    });
    h.place('for,h', 2.2, 90);
    expect(h.call('GET', '/v2/balance/').data).toEqual({
      balance: ['USDT', 100],
      open_stake: ['USDT', 90],
      smart_credit: ['USDT', 0],
    });
    expect(h.tryPlace('for,h', 2.2, 11).status).toBe(400);
    expect(h.tryPlace('against,h', 2.3, 7.6, { exchange_mode: 'take_only' }).status).toBe(201);
    const { open_stake: open, smart_credit: credit } = h.call('GET', '/v2/balance/').data;
    expect(open[1]).toBeCloseTo(90 + 7.6 * 1.3, 6);
    expect(credit[1]).toBeCloseTo(7.6 + 7.6 * 1.3, 6);
  });
});

describe('latencies', () => {
  it('delays an order, lets a closing one be matched, and keeps a finished one pending', () => {
    const h = new Harness({
      settings: { placementDelayMs: [100, 100], closeLatencyMs: 200, pendingMs: 300 },
    });
    const { order_id: id } = h.place('for,h', 2.26, 30);
    expect(h.exchange.market.levels(at('h'), 'for')[0]?.price).toBe(2.3);
    h.pass(100);
    expect(h.exchange.market.levels(at('h'), 'for')[0]?.price).toBe(2.26);
    expect(h.call('POST', `/v2/orders/${id}/close/`).status).toBe(200);
    h.pass(100);
    expect(h.exchange.market.take(at('h'), 'against', 2.26, 10_000_000, h.nowMs)).toBe(10_000_000);
    h.pass(100);
    expect(statusOf(h, id)).toMatchObject({ status: 'pending', closed: false, reason: null });
    expect(h.call('POST', `/v2/orders/${id}/close/`).status).toBe(200);
    h.pass(300);
    expect(statusOf(h, id)).toMatchObject({
      status: 'done',
      closed: true,
      reason: 'cancelled',
      stake: ['USDT', 10],
    });
  });
});

describe('suspension', () => {
  it('ends with the oldest order first', () => {
    const h = new Harness();
    const { market } = h.exchange;
    market.setSuspended(EVENT, true, h.nowMs);
    const first = h.place('for,h', 2.26, 10).order_id;
    const second = h.place('for,h', 2.26, 10, {}, OTHER_KEY).order_id;
    h.rest('h', 'against', 2.26, 10);
    market.setSuspended(EVENT, false, h.nowMs);
    expect([h.order(first).status, h.order(second, OTHER_KEY).status]).toEqual(['done', 'open']);
  });

  it('keeps waiting orders from what other customers add', () => {
    const h = new Harness();
    const { market } = h.exchange;
    const { order_id: id } = h.place('for,h', 2.24, 30, { exchange_mode: 'take_only' });
    market.setSuspended(EVENT, true, h.nowMs);
    h.place('against,h', 2.26, 30, {}, OTHER_KEY);
    expect(h.order(id).bets).toEqual([]);
    market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'done', price: 2.26 });
  });

  it('keeps waiting orders from what the background adds', () => {
    const h = new Harness();
    const { market } = h.exchange;
    const { order_id: id } = h.place('for,h', 2.24, 30, { exchange_mode: 'take_only' });
    market.setSuspended(EVENT, true, h.nowMs);
    h.rest('h', 'against', 2.26, 30);
    expect(h.order(id).bets).toEqual([]);
    market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'done', price: 2.26 });
  });

  it('keeps dark orders with a minimum from smaller orders, also when it ends', () => {
    const h = new Harness();
    const { market } = h.exchange;
    const dark = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 20] };
    const { order_id: id } = h.place('for,h', 2.26, 40, dark);
    market.setSuspended(EVENT, true, h.nowMs);
    h.place('against,h', 2.26, 19, {}, OTHER_KEY);
    h.rest('h', 'against', 2.26, 19);
    market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id).bets).toEqual([]);
    market.setSuspended(EVENT, true, h.nowMs);
    h.place('against,h', 2.26, 20, {}, OTHER_KEY);
    market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id).bets).toMatchObject([{ got_stake: ['USDT', 20] }]);
  });

  it('stops matching and offers, keeps orders, and matches what crossed when it ends', () => {
    const h = new Harness();
    const { market } = h.exchange;
    market.setSuspended(EVENT, true, h.nowMs);
    const { order_id: id } = h.place('for,h', 2.2, 30);
    expect(h.order(id)).toMatchObject({ status: 'open', bets: [] });
    expect(h.call('GET', `/v2/offers/?sport=fb&event_id=${EVENT_ID}`).data).toEqual([]);
    expect(market.take(at('h'), 'against', 2.2, 1_000_000, h.nowMs)).toBe(0);
    h.rest('h', 'against', 2.24, 10);
    market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id).bets.map((bet: Wire) => [bet.got_price, bet.got_stake[1]])).toEqual([
      [2.24, 10],
      [2.2, 20],
    ]);
  });
});
