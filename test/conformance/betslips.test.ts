import { describe, expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import { exchange, price } from './support/exchange.ts';
import { EVENT_ID, KEY, OTHER_KEY, SECOND_EVENT_ID, SECOND_KEY } from './support/names.ts';

const SELECTION = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', betslip_type: 'normal' };

describe('betslips', () => {
  it('are created without prices, with id and expiry', async () => {
    const ex = await exchange();
    const { http, data } = await ex.client().post('betslips/', SELECTION);
    expect(http).toBe(201);
    expect(data).toMatchObject({
      betslip_id: expect.any(String),
      sport: 'fb',
      event_id: EVENT_ID,
      bet_type: 'for,h',
    });
    expect(data).not.toHaveProperty('price_list');
    expect(Date.parse(data.expiry_ts)).toBe(ex.nowMs() + 45_000);
  });

  it('return every published field', async () => {
    const ex = await exchange();
    const { data } = await ex
      .client()
      .post('betslips/', { ...SELECTION, user_data: 'mine', equivalent_bets: false });
    expect(data).toMatchObject({
      bet_type_description: expect.any(String),
      is_open: true,
      close_reason: null,
      equivalent_bets: false,
      customer_username: 'anna',
      customer_ccy: 'USDT',
      betslip_type: 'normal',
      user_data: 'mine',
      legs: null,
    });
  });

  it('have an empty price list until the quote arrives, then one sorted by falling price', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const id = await anna.betslip();
    expect((await anna.get(`betslips/${id}/`)).data.price_list).toEqual([]);
    await ex.pass(2);
    const { data } = await anna.get(`betslips/${id}/`);
    expect(data.price_list).toEqual([
      { effective: { price: 2.2, min: null, max: ['USDT', 100] } },
      { effective: { price: 2.1, min: null, max: ['USDT', 100] } },
    ]);
    expect(data.total).toEqual(['USDT', 200]);
  });

  it('show the minimum stake of a price that has one, and accept no smaller stake there', async () => {
    const ex = await exchange();
    const anna = ex.client();
    ex.market((market, nowMs) => {
      market.setMinimum('large', toMicros(5));
      market.clearLevels('maker', { sport: 'fb', eventId: EVENT_ID, outcome: 'h' }, nowMs);
    });
    ex.market((market, nowMs) => {
      const at = { sport: 'fb', eventId: EVENT_ID, outcome: 'h' };
      market.setLevel('large', at, 'against', 2.2, toMicros(100), nowMs);
    });
    const id = await anna.betslip();
    await ex.pass(2);
    expect((await anna.get(`betslips/${id}/`)).data.price_list).toEqual([
      { effective: { price: 2.2, min: ['USDT', 5], max: ['USDT', 100] } },
    ]);
    expect((await anna.placed('for,h', 2.2, 4)).bets).toEqual([]);
    expect((await anna.placed('for,h', 2.2, 5)).bets).toMatchObject([{ got_stake: ['USDT', 5] }]);
  });

  it('show the prices of an against market by falling price too: the best for its taker is the last', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const id = await anna.betslip('against,h');
    await ex.pass(2);
    const prices = (await anna.get(`betslips/${id}/`)).data.price_list.map(
      (entry: { effective: { price: number } }) => entry.effective.price,
    );
    expect(prices).toEqual([2.4, 2.3]);
  });

  it('are quoted on the stream about two seconds after creation, and again while they stay open', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const id = await anna.betslip();
    await ex.pass(1.9);
    await stream.settled();
    expect(stream.all('pmm')).toEqual([]);
    await ex.pass(0.2);
    expect(await stream.until('pmm')).toMatchObject({ betslip_id: id, status: { code: 'success' } });
    await ex.pass(10);
    await stream.settled();
    expect(stream.all('pmm').length).toBeGreaterThanOrEqual(5);
  });

  it('are quoted an empty price list when there is no liquidity', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    await anna.betslip('against,d');
    await ex.pass(2);
    expect(await stream.until('pmm')).toMatchObject({ bet_type: 'against,d', price_list: [] });
  });

  it('stay open when refreshed, and expire otherwise', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const id = await anna.betslip();
    await ex.pass(40);
    expect(await anna.post(`betslips/${id}/refresh/`)).toMatchObject({ http: 200, status: 'ok', data: null });
    const { data } = await anna.get(`betslips/${id}/`);
    expect(Date.parse(data.expiry_ts)).toBe(ex.nowMs() + 45_000);
    await ex.pass(44);
    expect((await anna.get('betslips/')).data).toEqual([id]);
    await ex.pass(2);
    expect((await anna.get('betslips/')).data).toEqual([]);
    expect((await anna.post(`betslips/${id}/refresh/`)).http).toBe(404);
  });

  it('accept no orders once expired, and can be created again', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const id = await anna.betslip();
    await ex.pass(46);
    expect(await anna.post('orders/', { betslip_id: id, price: 2.2, stake: ['USDT', 1] })).toMatchObject({
      http: 404,
      code: 'not_found',
    });
    expect(await anna.betslip()).not.toBe(id);
  });

  it('are closed by delete: quotes stop, the orders stay', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const betslipId = await anna.betslip();
    const order = await anna.post('orders/', {
      betslip_id: betslipId,
      price: 2.5,
      stake: ['USDT', 5],
      duration: 600,
    });
    expect(await anna.delete(`betslips/${betslipId}/`)).toMatchObject({ http: 200, data: null });
    expect(await stream.until('betslip_closed')).toMatchObject({ betslip_id: betslipId });
    await ex.pass(10);
    await stream.settled();
    expect(stream.all('pmm')).toEqual([]);
    expect(await anna.order(order.data.order_id)).toMatchObject({ status: 'open', closed: false });
  });

  it('are not found when unknown, deleted, or of another account', async () => {
    const ex = await exchange();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    const id = await anna.betslip();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', 'refresh/'],
    ] as const) {
      expect(await ben.ask(method, `betslips/${id}/${path}`)).toMatchObject({ http: 404, code: 'not_found' });
      expect(await anna.ask(method, `betslips/none/${path}`)).toMatchObject({ http: 404, code: 'not_found' });
    }
    await anna.delete(`betslips/${id}/`);
    expect((await anna.delete(`betslips/${id}/`)).http).toBe(404);
  });

  it('are listed by id to every key of the account and to no other account', async () => {
    const ex = await exchange();
    const ids = [await ex.client(KEY).betslip(), await ex.client(SECOND_KEY).betslip('for,d')];
    expect((await ex.client(KEY).get('betslips/')).data).toEqual(ids);
    expect((await ex.client(OTHER_KEY).get('betslips/')).data).toEqual([]);
  });

  it('are capped: the next is refused until one is closed or has expired', async () => {
    const ex = await exchange({ settings: { openBetslipCap: 2 } });
    const anna = ex.client();
    const [first] = [await anna.betslip(), await anna.betslip()];
    const refused = { http: 403, code: 'too_many_open_betslips' };
    expect(await anna.post('betslips/', SELECTION)).toMatchObject(refused);
    await anna.delete(`betslips/${first}/`);
    await anna.betslip();
    expect(await anna.post('betslips/', SELECTION)).toMatchObject(refused);
    await ex.pass(46);
    await anna.betslip();
    await anna.betslip();
    expect(await anna.post('betslips/', SELECTION)).toMatchObject(refused);
  });

  it.each([
    [
      'a bet type that is not valid for the event',
      { bet_type: 'for,win,9' },
      { bet_type: ['invalid_bet_type'] },
    ],
    ['a bet type that is none', { bet_type: 'nonsense' }, { bet_type: ['invalid_bet_type'] }],
    ['an unknown event', { event_id: '2026-03-01,9,9' }, { non_field_errors: ['event_not_found'] }],
    ['an unknown type', { betslip_type: 'combo' }, { betslip_type: [expect.any(String)] }],
    ['a missing field', { bet_type: undefined }, { bet_type: [expect.any(String)] }],
    ['a field of the wrong type', { sport: 7 }, { sport: [expect.any(String)] }],
    ['a for bet type on a lay betslip', { betslip_type: 'lay' }, { bet_type: ['invalid_bet_type'] }],
  ])('refuse %s', async (_what, change, errors) => {
    const ex = await exchange();
    const answer = await ex.client().post('betslips/', { ...SELECTION, ...change });
    expect(answer).toMatchObject({
      http: 400,
      code: 'validation_error',
      data: { validation_errors: errors },
    });
    expect(ex.inspect().accounts[0]).toMatchObject({ openBetslips: 0 });
  });

  it('accept an against bet type', async () => {
    const ex = await exchange();
    const lay = { ...SELECTION, betslip_type: 'lay', bet_type: 'against,h' };
    const { data } = await ex.client().post('betslips/', lay);
    expect(data).toMatchObject({ betslip_type: 'lay', bet_type: 'against,h' });
  });

  it('combine two to ten legs into a parlay, quoted at the product of their prices', async () => {
    const ex = await exchange();
    price(ex, { eventId: SECOND_EVENT_ID });
    const anna = ex.client();
    const legs = [EVENT_ID, SECOND_EVENT_ID].map((event_id) => ({
      sport: 'fb',
      event_id,
      bet_type: 'for,h',
    }));
    const { http, data } = await anna.post('betslips/', { betslip_type: 'parlay', legs });
    expect(http).toBe(201);
    expect(data).toMatchObject({
      betslip_type: 'parlay',
      sport: 'parlay',
      event_id: '',
      bet_type: 'parlay',
      legs,
    });
    await ex.pass(2);
    const [{ effective }] = (await anna.get(`betslips/${data.betslip_id}/`)).data.price_list;
    expect(effective.price).toBeCloseTo(2.2 * 2.2, 6);
    const one = await anna.post('betslips/', { betslip_type: 'parlay', legs: legs.slice(1) });
    expect(one).toMatchObject({ http: 400, code: 'validation_error' });
  });

  it('accept live scores of legs up to 512', async () => {
    const ex = await exchange();
    price(ex, { eventId: SECOND_EVENT_ID });
    const anna = ex.client();
    const parlay = (home: number) => ({
      betslip_type: 'parlay',
      legs: [EVENT_ID, SECOND_EVENT_ID].map((event_id) => ({
        sport: 'fb',
        event_id,
        bet_type: 'for,h',
        live_score: { home, away: 0 },
      })),
    });
    expect((await anna.post('betslips/', parlay(512))).http).toBe(201);
    expect((await anna.post('betslips/', parlay(513))).http).toBe(400);
  });

  it('name a wrong leg by its index', async () => {
    const ex = await exchange();
    price(ex, { eventId: SECOND_EVENT_ID });
    const legs = [
      { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h' },
      { sport: 'fb', event_id: SECOND_EVENT_ID, bet_type: 'nonsense' },
    ];
    const { data } = await ex.client().post('betslips/', { betslip_type: 'parlay', legs });
    expect(data.validation_errors).toEqual({ legs: { 1: ['invalid_bet_type'] } });
  });
});
