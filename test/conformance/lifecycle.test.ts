import { describe, expect, it } from 'vitest';
import type { Wire } from './support/client.ts';
import { exchange, UNHURRIED } from './support/exchange.ts';
import { EVENT, EVENT_ID, OTHER_KEY, SECOND_KEY } from './support/names.ts';

const RESULT = { kind: 'score', home: 2, away: 1, halfTimeHome: 1, halfTimeAway: 0 } as const;

const statuses = (entries: readonly Wire[]): string[] => entries.map((order) => order.status);

describe('the life of an order', () => {
  it('goes from open through pending to done when it is filled', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const { data } = await anna.place('for,h', 2.2, 10);
    const last = await stream.until('order', (order) => order.closed);
    expect(statuses(stream.all('order'))).toEqual(['open', 'pending', 'done']);
    expect(last).toMatchObject({ close_reason: 'order_filled', price: 2.2, stake: ['USDT', 10] });
    expect(last.profit_loss).toEqual(['USDT', 0]);
    expect(last.order_id).toBe(data.order_id);
  });

  it('takes a while to be placed, and is reported step by step', async () => {
    const ex = await exchange({ settings: UNHURRIED });
    const anna = ex.client();
    const stream = await anna.stream();
    const { order_id: id } = await anna.placed('for,h', 2.2, 10);
    await ex.pass(0.149);
    await stream.settled();
    expect(await anna.order(id)).toMatchObject({ status: 'open', bets: [] });
    for (let tenMs = 0; tenMs < 60; tenMs++) await ex.pass(0.01);
    await stream.until('order', (order) => order.closed);
    const reported = stream.all('order').map(({ status, closed, bets }) => [status, closed, bets.length]);
    expect(reported).toEqual([
      ['open', false, 0],
      ['pending', false, 1],
      ['done', true, 1],
    ]);
  });

  it('can be closed while it is being placed, and then takes nothing', async () => {
    const ex = await exchange({ settings: UNHURRIED });
    const anna = ex.client();
    const { order_id: id } = await anna.placed('for,h', 2.2, 10);
    await ex.pass(0.1);
    expect((await anna.post(`orders/${id}/close/`)).http).toBe(200);
    await ex.pass(2);
    expect(await anna.order(id)).toMatchObject({ status: 'failed', close_reason: 'cancelled', bets: [] });
  });

  it('goes from open through pending to failed when it ends without a fill', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    await anna.place('for,h', 2.5, 10, { duration: 20 });
    await ex.pass(21);
    const last = await stream.until('order', (order) => order.closed);
    expect(statuses(stream.all('order'))).toEqual(['open', 'pending', 'failed']);
    expect(last).toMatchObject({ bets: [], price: null, stake: ['USDT', 0] });
  });

  it('ends done with its fills when it expires half filled', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { order_id: id } = await anna.placed('for,h', 2.2, 150, { duration: 20 });
    await ex.pass(21);
    expect(await anna.order(id)).toMatchObject({
      status: 'done',
      closed: true,
      stake: ['USDT', 100],
      price: 2.2,
    });
  });

  it('shows each fill as a bet entry and inside the order', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const order = await anna.placed('for,h', 2.1, 150);
    await stream.settled();
    const bets = stream.all('bet');
    expect(bets).toHaveLength(2);
    expect(order.bets).toEqual(bets);
    expect(bets[0]).toMatchObject({
      order_id: order.order_id,
      sport: 'fb',
      event_id: EVENT_ID,
      bet_type: 'for,h',
      status: { code: 'success' },
      want_price: 2.1,
      got_price: 2.2,
      got_stake: ['USDT', 100],
      profit_loss: ['USDT', 0],
      reconciled: false,
      exchange_role: 'taker',
      order_ccy_rate: 1,
      ccy_rate: 1,
    });
  });

  it('is reported to every connection and key of the account, and to no other account', async () => {
    const ex = await exchange();
    const streams = await Promise.all([ex.client().stream(), ex.client(SECOND_KEY).stream()]);
    const bens = await ex.client(OTHER_KEY).stream();
    const { data } = await ex.client().place('for,h', 2.2, 10);
    for (const stream of streams) {
      expect(await stream.until('order', (order) => order.closed)).toMatchObject({ order_id: data.order_id });
    }
    await bens.settled();
    expect([...bens.all('order'), ...bens.all('bet')]).toEqual([]);
  });

  it('pays when its event is settled: the final profit arrives then, with the result', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const won = await anna.placed('for,h', 2.2, 10);
    const lost = await anna.placed('for,d', 3.3, 10);
    expect(won).toMatchObject({ status: 'done', profit_loss: ['USDT', 0] });
    await ex.pass(7_200);
    ex.market((market, nowMs) => market.settle(EVENT, RESULT, nowMs));
    expect(await anna.order(won.order_id)).toMatchObject({
      status: 'reconciled',
      profit_loss: ['USDT', 12],
      event_info: { result: { ht_home: 1, ht_away: 0, ft_home: 2, ft_away: 1 } },
      bets: [{ profit_loss: ['USDT', 12], reconciled: true }],
    });
    expect((await anna.order(lost.order_id)).profit_loss).toEqual(['USDT', -10]);
    expect((await anna.get('balance/')).data).toMatchObject({
      balance: ['USDT', 100_002],
      open_stake: ['USDT', 0],
    });
  });

  it('is void when its event is void: no profit, no loss', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = await anna.placed('for,h', 2.2, 10);
    ex.market((market, nowMs) => market.voidEvent(EVENT, nowMs));
    expect(await anna.order(order.order_id)).toMatchObject({ status: 'full_void', profit_loss: ['USDT', 0] });
  });

  it('includes its event', async () => {
    const ex = await exchange();
    const { event_info: info } = await ex.client().placed('for,h', 2.2, 10);
    expect(info).toMatchObject({
      event_type: 'normal',
      event_id: EVENT_ID,
      event_name: 'Alder v Birch',
      home_id: 1001,
      home_team: 'Alder',
      away_id: 1002,
      away_team: 'Birch',
      competition_id: 7,
      competition_name: 'Timber League',
      competition_country: 'GB',
      date: '2026-03-01',
      result: null,
      teams: [],
      end_time: null,
      leg_event_infos: [],
    });
  });

  it('shows how much of it is filled, working, in danger and unplaced', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { order_id: id, bet_bar_values: bar } = await anna.placed('for,h', 2.2, 150);
    expect(bar).toEqual({
      success: ['USDT', 100],
      inprogress: ['USDT', 50],
      danger: ['USDT', 0],
      unplaced: ['USDT', 0],
    });
    await anna.post(`orders/${id}/close/`);
    expect((await anna.order(id)).bet_bar_values).toMatchObject({
      inprogress: ['USDT', 0],
      unplaced: ['USDT', 50],
    });
  });
});

describe('closing an order', () => {
  it('cancels the unfilled stake, reports that on the stream, and leaves bets alone', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const { order_id: id } = await anna.placed('for,h', 2.2, 150);
    expect(await anna.post(`orders/${id}/close/`)).toMatchObject({ http: 200, status: 'ok', data: null });
    const last = await stream.until('order', (order) => order.closed);
    expect(last).toMatchObject({ order_id: id, close_reason: 'cancelled', stake: ['USDT', 100] });
    expect(last.bets).toHaveLength(1);
    const [offer] = (await anna.get(`offers/?sport=fb&event_id=${EVENT_ID}&bet_type=against,h`)).data;
    expect(offer.price_list.at(-1).effective.price).toBe(2.3);
  });

  it('fails with order_closed when it is closed or settled already', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { order_id: id } = await anna.placed('for,h', 2.2, 10);
    const refused = { http: 400, code: 'order_closed', data: null };
    expect(await anna.post(`orders/${id}/close/`)).toMatchObject(refused);
    ex.market((market, nowMs) => market.settle(EVENT, RESULT, nowMs));
    expect(await anna.post(`orders/${id}/close/`)).toMatchObject(refused);
  });

  it('fails with not_found for an unknown order and for another account', async () => {
    const ex = await exchange();
    const { order_id: id } = await ex.client().placed('for,h', 2.5, 10);
    expect(await ex.client(OTHER_KEY).post(`orders/${id}/close/`)).toMatchObject({
      http: 404,
      code: 'not_found',
    });
    expect(await ex.client().post('orders/1/close/')).toMatchObject({ http: 404, code: 'not_found' });
    expect(await ex.client().order(id)).toMatchObject({ closed: false });
  });

  it('closes many by id; closed and unknown ids are not found', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const open = await anna.placed('for,h', 2.5, 10);
    const done = await anna.placed('for,h', 2.2, 10);
    const order_ids = [open.order_id, done.order_id, 5];
    const { http, data } = await anna.post('orders/close_many/', { order_ids });
    expect(http).toBe(200);
    expect(data).toEqual({ closed: [[open.order_id]], not_found: [[done.order_id, 5]] });
    for (const wrong of [[], Array.from({ length: 501 }, (_, i) => i), ['a']]) {
      expect((await anna.post('orders/close_many/', { order_ids: wrong })).http).toBe(400);
    }
  });

  it('closes every open order of the account with an empty body', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const ids = [
      (await anna.placed('for,h', 2.5, 10)).order_id,
      (await anna.placed('for,d', 3.5, 10)).order_id,
    ];
    const bens = await ex.client(OTHER_KEY).placed('for,h', 2.5, 10);
    const { http, data } = await ex.client(SECOND_KEY).post('orders/close_all/');
    expect(http).toBe(202);
    expect(data.flat().toSorted()).toEqual(ids.toSorted());
    for (const id of ids)
      expect(await anna.order(id)).toMatchObject({ closed: true, close_reason: 'cancelled' });
    expect(await ex.client(OTHER_KEY).order(bens.order_id)).toMatchObject({ closed: false });
    expect((await anna.post('orders/close_all/')).data).toEqual([[]]);
  });

  it('closes every open order of a sport or an event', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { order_id: id } = await anna.placed('for,h', 2.5, 10);
    expect((await anna.post('orders/close_all/', { sport: 'tennis' })).data).toEqual([[]]);
    expect((await anna.post('orders/close_all/', { event_id: EVENT_ID })).http).toBe(400);
    expect((await anna.post('orders/close_all/', { sport: 'fb', event_id: EVENT_ID })).data).toEqual([[id]]);
  });
});
