import { describe, expect, it } from 'vitest';
import { exchange } from './support/exchange.ts';
import { EVENT, EVENT_ID, KEY, OTHER_KEY, SECOND_EVENT_ID } from './support/names.ts';

const UUID = '0b5bd6a4-6a06-4b0e-8b7c-3d8f3c1c2d11';

describe('placing an order', () => {
  it('answers 201 with an open order without price, stake, profit or bets', async () => {
    const ex = await exchange();
    const { http, data } = await ex.client().place('for,h', 2.2, 10, { user_data: 'tag' });
    expect(http).toBe(201);
    expect(data).toMatchObject({
      status: 'open',
      closed: false,
      price: null,
      stake: null,
      profit_loss: null,
    });
    expect(data).toMatchObject({ bets: [], close_reason: null, user_data: 'tag', order_type: 'normal' });
    expect(data).toMatchObject({ want_price: 2.2, want_stake: ['USDT', 10], exchange_mode: 'make_and_take' });
  });

  it('is followed by an order entry on the stream', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const { data } = await anna.place('for,h', 2.5, 10);
    expect(await stream.until('order')).toMatchObject({ order_id: data.order_id, status: 'open' });
  });

  it('lasts 15 seconds by default', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { data } = await anna.place('for,h', 2.5, 10, { duration: undefined });
    expect(Date.parse(data.expiry_time) - Date.parse(data.placement_time)).toBe(15_000);
    await ex.pass(14.9);
    expect(await anna.order(data.order_id)).toMatchObject({ closed: false });
    await ex.pass(0.2);
    expect(await anna.order(data.order_id)).toMatchObject({ closed: true, status: 'failed' });
  });

  it('lasts as many seconds as its duration', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { data } = await anna.place('for,h', 2.5, 10, { duration: 90 });
    expect(Date.parse(data.expiry_time) - Date.parse(data.placement_time)).toBe(90_000);
    await ex.pass(91);
    expect(await anna.order(data.order_id)).toMatchObject({ closed: true, close_reason: 'timed_out' });
  });

  it('fills at its price or better', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const backed = await anna.placed('for,h', 2.1, 150);
    expect(backed.bets.map((bet: { got_price: number }) => bet.got_price)).toEqual([2.2, 2.1]);
    const laid = await anna.placed('against,h', 2.4, 50);
    expect(laid.bets[0].got_price).toBe(2.3);
  });

  it('waits when its limit price is not available', async () => {
    const ex = await exchange();
    const order = await ex.client().placed('for,h', 2.22, 10);
    expect(order).toMatchObject({ status: 'open', closed: false, bets: [] });
  });

  it('moves an off-tick limit to the first tick that honours it', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const ben = ex.client(OTHER_KEY);
    const stream = await ben.stream();
    await stream.register();
    const backed = await anna.placed('for,d', 3.52, 10);
    const laid = await anna.placed('against,d', 3.43, 10);
    expect([backed.want_price, laid.want_price]).toEqual([3.55, 3.4]);
    await ex.pass(3);
    const prices = async (betType: string) => {
      const { data } = await ben.get(`offers/?sport=fb&event_id=${EVENT_ID}&bet_type=${betType}`);
      return data[0].price_list.map((level: { effective: { price: number } }) => level.effective.price);
    };
    expect(await prices('against,d')).toContain(3.55);
    expect(await prices('for,d')).toContain(3.4);
  });

  it.each([
    ['no price', { price: undefined }, 'price'],
    ['a price in words', { price: 'two' }, 'price'],
    ['a price of one', { price: 1 }, 'price'],
    ['no stake', { stake: undefined }, 'stake'],
    ['a stake of nothing', { stake: ['USDT', 0] }, 'stake'],
    ['a stake below 1 USDT', { stake: ['USDT', 0.99] }, 'stake'],
    ['a stake without currency', { stake: 10 }, 'stake'],
    ['an endless duration', { duration: -1 }, 'duration'],
    ['an unknown mode', { exchange_mode: 'post_only' }, 'exchange_mode'],
    ['a tag that is too long', { user_data: 'x'.repeat(513) }, 'user_data'],
    ['a request_uuid that is too long', { request_uuid: 'x'.repeat(513) }, 'request_uuid'],
  ])('is refused with %s', async (_what, change, field) => {
    const ex = await exchange();
    const { http, code, data } = await ex.client().place('for,h', 2.2, 10, change);
    expect({ http, code }).toEqual({ http: 400, code: 'validation_error' });
    const reasons = data.validation_errors[field];
    expect(Object.values(reasons).flat()[0]).toEqual(expect.any(String));
    expect(ex.inspect().orders).toEqual([]);
  });

  it('accepts a request_uuid of up to 512 characters', async () => {
    const ex = await exchange();
    expect((await ex.client().place('for,h', 2.2, 1, { request_uuid: 'x'.repeat(512) })).http).toBe(201);
  });

  it('is idempotent by request_uuid: a repetition is a conflict that names the order', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { data } = await anna.place('for,h', 2.2, 10, { request_uuid: UUID });
    const again = await anna.place('for,h', 2.2, 10, { request_uuid: UUID });
    expect(again).toMatchObject({ http: 409, code: 'order_already_created' });
    expect(again.data).toEqual({ order_id: data.order_id, message: expect.any(String) });
    expect(ex.inspect().orders).toHaveLength(1);
    const ben = await ex.client(OTHER_KEY).place('for,h', 2.2, 10, { request_uuid: UUID });
    expect(ben.http).toBe(201);
  });

  it('is refused over the stake limit of the event', async () => {
    const ex = await exchange({ settings: { eventStakeLimitMicros: 100_000_000 } });
    const anna = ex.client();
    expect((await anna.place('for,h', 2.5, 60)).http).toBe(201);
    expect(await anna.place('for,h', 2.5, 60)).toMatchObject({
      http: 400,
      code: 'validation_error',
      data: { validation_errors: { non_field_errors: ['event_stake_limit_reached'] } },
    });
    expect((await ex.client(OTHER_KEY).place('for,h', 2.5, 60)).http).toBe(201);
  });
});

describe('exchange modes', () => {
  it('make_and_take fills against the best, advertises the rest at its price and keeps taking', async () => {
    const ex = await exchange();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    const order = await anna.placed('for,h', 2.2, 150);
    expect(order).toMatchObject({ status: 'open', closed: false });
    expect(order.bets).toMatchObject([{ got_price: 2.2, got_stake: ['USDT', 100], exchange_role: 'taker' }]);
    const offered = (await ben.get(`offers/?sport=fb&event_id=${EVENT_ID}&bet_type=against,h`)).data[0];
    expect(offered.price_list.at(-1)).toEqual({ effective: { price: 2.2, min: null, max: ['USDT', 50] } });
    ex.rest('h', 'against', 2.22, 20);
    expect((await anna.order(order.order_id)).bets).toHaveLength(2);
    const other = await ben.placed('against,h', 2.2, 30);
    const filled = await anna.order(order.order_id);
    expect(filled).toMatchObject({ status: 'done', closed: true, close_reason: 'order_filled' });
    expect(filled.bets.at(-1)).toMatchObject({ exchange_role: 'maker', got_price: 2.2 });
    expect(other.bets[0]).toMatchObject({ exchange_role: 'taker', got_stake: ['USDT', 30] });
  });

  it('take_only consumes and never advertises', async () => {
    const ex = await exchange();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    const order = await anna.placed('for,h', 2.2, 150, { exchange_mode: 'take_only' });
    expect(order).toMatchObject({ exchange_mode: 'take_only', status: 'open' });
    expect(order.bets).toHaveLength(1);
    const [offer] = (await ben.get(`offers/?sport=fb&event_id=${EVENT_ID}&bet_type=against,h`)).data;
    expect(offer.price_list.at(-1).effective.price).toBe(2.3);
    expect((await ben.placed('against,h', 2.2, 10, { exchange_mode: 'take_only' })).bets).toEqual([]);
    ex.rest('h', 'against', 2.22, 20);
    expect((await anna.order(order.order_id)).bets).toHaveLength(2);
  });

  it('dark advertises like make_and_take but hides its stake from others', async () => {
    const ex = await exchange();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    const order = await anna.placed('for,d', 3.5, 20, { exchange_mode: 'dark' });
    expect((await ben.get(`offers/?sport=fb&event_id=${EVENT_ID}&bet_type=against,d`)).data).toEqual([]);
    expect((await ben.placed('against,d', 3.5, 20)).bets).toMatchObject([{ got_price: 3.5 }]);
    expect(await anna.order(order.order_id)).toMatchObject({ status: 'done', exchange_mode: 'dark' });
  });

  it('dark trades only with orders of its minimum total stake', async () => {
    const ex = await exchange();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    const terms = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 15] };
    await anna.placed('for,d', 3.5, 20, terms);
    expect((await ben.placed('against,d', 3.5, 10, { exchange_mode: 'take_only' })).bets).toEqual([]);
    expect((await ben.placed('against,d', 3.5, 15)).bets).toHaveLength(1);
  });

  it('refuses a minimum stake on other modes, and one above the own stake', async () => {
    const ex = await exchange();
    const anna = ex.client();
    for (const exchange_mode of ['make_and_take', 'take_only']) {
      const plain = await anna.place('for,h', 2.2, 10, { exchange_mode, min_taker_want_stake: ['USDT', 5] });
      expect(plain.data.validation_errors).toHaveProperty('min_taker_want_stake');
    }
    const dark = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 11] };
    expect((await anna.place('for,h', 2.2, 10, dark)).data.validation_errors).toHaveProperty(
      'min_taker_want_stake',
    );
  });

  it('has no post-only mode', async () => {
    const ex = await exchange();
    const { data } = await ex.client().place('for,h', 2.2, 10, { exchange_mode: 'make_only' });
    expect(data.validation_errors).toHaveProperty('exchange_mode');
  });
});

describe('further terms of an order', () => {
  it('closes orders in play unless they are to be kept', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const plain = await anna.placed('for,h', 2.5, 10);
    const kept = await anna.placed('for,h', 2.5, 10, { keep_open_ir: true });
    ex.market((market, nowMs) => market.goInRunning(EVENT, nowMs));
    expect(await anna.order(plain.order_id)).toMatchObject({ closed: true, keep_open_ir: false });
    expect(await anna.order(kept.order_id)).toMatchObject({ closed: false, keep_open_ir: true });
  });

  it('holds a score assertion against the live score; 0-0 when none is known; none means no check', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const refused = {
      http: 400,
      data: { validation_errors: { non_field_errors: ['event_scores_dont_match'] } },
    };
    expect((await anna.place('for,h', 2.5, 1, { current_score: [0, 0] })).http).toBe(201);
    expect(await anna.place('for,h', 2.5, 1, { current_score: [1, 0] })).toMatchObject(refused);
    ex.market((market, nowMs) => market.setScore(EVENT, 1, 0, nowMs));
    const matching = await anna.place('for,h', 2.5, 1, { current_score: [1, 0] });
    expect(matching).toMatchObject({ http: 201, data: { current_score: [1, 0] } });
    await ex.pass(1);
    expect(await anna.place('for,h', 2.5, 1, { current_score: [0, 0] })).toMatchObject(refused);
    expect((await anna.place('for,h', 2.5, 1)).http).toBe(201);
  });

  it('takes scores up to 32767', async () => {
    const ex = await exchange();
    const anna = ex.client();
    ex.market((market, nowMs) => market.setScore(EVENT, 32_767, 0, nowMs));
    expect(await anna.place('for,h', 2.5, 1, { current_score: [32_767, 0] })).toMatchObject({
      http: 201,
      data: { current_score: [32_767, 0] },
    });
    const { data } = await anna.place('for,h', 2.5, 1, { current_score: [32_768, 0] });
    expect(Object.keys(data.validation_errors)).toEqual(['current_score']);
    const selection = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h' };
    const asked = (home: number) => anna.post('betslips/', { ...selection, live_score: { home, away: 0 } });
    expect([(await asked(32_767)).http, (await asked(32_768)).http]).toEqual([201, 400]);
  });

  it('checks a score assertion against the live score; 0-0 when none is known; none means no check', async () => {
    const ex = await exchange();
    const tennis = { sport: 'tennis', eventId: SECOND_EVENT_ID };
    ex.market((market, nowMs) => {
      market.putEvent({ ...TENNIS, ...tennis }, nowMs);
      market.setLevel('maker', { ...tennis, outcome: 'h' }, 'against', 2, 100_000_000, nowMs);
    });
    const anna = ex.client();
    const selection = {
      sport: 'tennis',
      event_id: SECOND_EVENT_ID,
      bet_type: 'for,h',
      betslip_type: 'normal',
    };
    const { data } = await anna.post('betslips/', selection);
    const body = { betslip_id: data.betslip_id, price: 2, stake: ['USDT', 1] };
    expect((await anna.post('orders/', { ...body, current_score: [2, 1] })).http).toBe(400);
    expect((await anna.post('orders/', { ...body, current_score: [0, 0] })).http).toBe(201);
  });

  it('omits sources that hold bets in danger', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const first = await anna.placed('for,h', 2.2, 10);
    ex.simulator.host.run((nowMs) => ex.core.markBet(first.bets[0].bet_id, 'danger', nowMs));
    const careful = await anna.placed('for,h', 2.2, 10, { exclude_danger: true });
    expect(careful.bets).toEqual([]);
    expect((await anna.placed('for,h', 2.2, 10, { exclude_danger: false })).bets).toHaveLength(1);
  });

  it('uses a source only when it can take its minimum stake', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const high = await anna.placed('for,h', 2.2, 10, { bookie_min_stakes: { maker: ['USDT', 500] } });
    expect(high.bets).toEqual([]);
    const low = await anna.placed('for,h', 2.2, 10, { bookie_min_stakes: { maker: ['USDT', 5] } });
    expect(low.bets).toHaveLength(1);
  });

  it('returns the tag as user_data wherever the order is shown', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = await anna.placed('for,h', 2.5, 10, { user_data: 'mine' });
    expect(order.user_data).toBe('mine');
    expect((await anna.get('orders/')).data[0].user_data).toBe('mine');
  });

  it('can insist on the whole stake, on its exact price, and on its own price', async () => {
    const ex = await exchange();
    const anna = ex.client();
    expect((await anna.placed('for,h', 2.2, 150, { accept_partial_fill: false })).bets).toEqual([]);
    expect((await anna.placed('for,h', 2.15, 10, { accept_better_price: false })).bets).toEqual([]);
    const forced = await anna.placed('for,h', 2.1, 10, { force_want_price: true });
    expect(forced.bets[0].got_price).toBe(2.1);
  });

  it('stays open when its betslip is deleted', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const betslipId = await anna.betslip();
    const body = { betslip_id: betslipId, price: 2.5, stake: ['USDT', 5], duration: 600 };
    const { data } = await anna.post('orders/', body);
    await anna.delete(`betslips/${betslipId}/`);
    ex.rest('h', 'against', 2.5, 5);
    expect(await anna.order(data.order_id)).toMatchObject({ status: 'done' });
  });
});

const TENNIS = {
  eventType: 'normal' as const,
  eventName: 'One v Two',
  competitionId: 8,
  competitionName: 'Open',
  competitionCountry: 'FR',
  home: 'One',
  away: 'Two',
  homeId: 1,
  awayId: 2,
  teams: [],
  startTimeMs: 1_900_000_000_000,
  endTimeMs: null,
};
