import { describe, expect, it } from 'vitest';
import { exchange } from './support/exchange.ts';
import { EVENT_ID, OTHER_KEY, SECOND_KEY } from './support/names.ts';

describe('heartbeats', () => {
  it('are armed with an id and an expiry', async () => {
    const ex = await exchange();
    const { http, data } = await ex.client().post('heartbeats/', { timeout: 60 });
    expect(http).toBe(200);
    expect(data).toEqual({ heartbeat_id: expect.any(String), expiry_time: expect.any(String) });
    expect(Date.parse(data.expiry_time)).toBe(ex.nowMs() + 60_000);
    expect((await ex.client().get(`heartbeats/${data.heartbeat_id}/`)).data).toEqual(data);
    expect((await ex.client().get('heartbeats/')).data).toEqual({ heartbeats: [data] });
  });

  it('accept a timeout of 10 to 300 whole seconds', async () => {
    const ex = await exchange();
    const anna = ex.client();
    for (const timeout of [10, 300]) expect((await anna.post('heartbeats/', { timeout })).http).toBe(200);
    const tooLong = await anna.post('heartbeats/', { timeout: 301 });
    expect(tooLong).toMatchObject({ http: 400, code: 'validation_error' });
    expect(tooLong.data.validation_errors).toEqual({
      timeout: ['Ensure this value is less than or equal to 300.'],
    });
    for (const timeout of [9, 10.5, '60', null, undefined]) {
      expect((await anna.post('heartbeats/', { timeout })).data.validation_errors).toHaveProperty('timeout');
    }
  });

  it('are extended by refresh', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { heartbeat_id: id } = (await anna.post('heartbeats/', { timeout: 60 })).data;
    await ex.pass(50);
    const { data } = await anna.post(`heartbeats/${id}/refresh/`);
    expect(Date.parse(data.expiry_time)).toBe(ex.nowMs() + 60_000);
    await ex.pass(50);
    expect((await anna.get(`heartbeats/${id}/`)).http).toBe(200);
  });

  it('are disarmed by delete, which closes no order', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { order_id: order } = await anna.placed('for,h', 2.5, 10);
    const { heartbeat_id: id } = (await anna.post('heartbeats/', { timeout: 10 })).data;
    expect(await anna.delete(`heartbeats/${id}/`)).toMatchObject({ http: 200, data: null });
    await ex.pass(60);
    expect(await anna.order(order)).toMatchObject({ closed: false });
  });

  it('are not found when unknown, expired, deleted, or of another account', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { heartbeat_id: id } = (await anna.post('heartbeats/', { timeout: 10 })).data;
    const verbs = [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', 'refresh/'],
    ] as const;
    for (const [method, verb] of verbs) {
      expect(await anna.ask(method, `heartbeats/none/${verb}`)).toMatchObject({
        http: 404,
        code: 'not_found',
      });
      expect((await ex.client(OTHER_KEY).ask(method, `heartbeats/${id}/${verb}`)).http).toBe(404);
    }
    await ex.pass(11);
    for (const [method, verb] of verbs)
      expect((await anna.ask(method, `heartbeats/${id}/${verb}`)).http).toBe(404);
  });

  it('close every open order of the account at expiry, whoever placed it, and no other account’s', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const own = (await anna.placed('for,h', 2.2, 150)).order_id;
    const sibling = (await ex.client(SECOND_KEY).placed('for,d', 3.5, 10)).order_id;
    const bens = (await ex.client(OTHER_KEY).placed('for,h', 2.5, 10)).order_id;
    await anna.post('heartbeats/', { timeout: 10 });
    await ex.pass(9);
    expect(await anna.order(own)).toMatchObject({ closed: false });
    await ex.pass(2.1);
    expect(await anna.order(own)).toMatchObject({ closed: true, status: 'done', stake: ['USDT', 100] });
    expect(await anna.order(sibling)).toMatchObject({ closed: true, status: 'failed' });
    expect(await ex.client(OTHER_KEY).order(bens)).toMatchObject({ closed: false });
    expect(await stream.until('order', (order) => order.closed)).toMatchObject({ order_id: own });
  });

  it('withdraw advertised stake at expiry and leave bets alone', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { order_id: id } = await anna.placed('for,h', 2.2, 150);
    await anna.post('heartbeats/', { timeout: 10 });
    await ex.pass(12);
    const [offer] = (await anna.get(`offers/?sport=fb&event_id=${EVENT_ID}&bet_type=against,h`)).data;
    expect(offer.price_list.at(-1).effective.price).toBe(2.3);
    expect((await anna.order(id)).bets).toHaveLength(1);
  });

  it('are evaluated about once a second, and spare only orders created after the expiry instant', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await ex.pass(0.2);
    await anna.post('heartbeats/', { timeout: 10 });
    const before = (await anna.placed('for,h', 2.5, 10)).order_id;
    await ex.pass(10.3);
    expect(await anna.order(before)).toMatchObject({ closed: false });
    const after = (await anna.placed('for,h', 2.5, 10)).order_id;
    await ex.pass(1);
    expect(await anna.order(before)).toMatchObject({ closed: true });
    expect(await anna.order(after)).toMatchObject({ closed: false });
  });

  it('can be several, and each closes the orders at its expiry', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = (await anna.placed('for,h', 2.5, 10)).order_id;
    await anna.post('heartbeats/', { timeout: 300 });
    await anna.post('heartbeats/', { timeout: 10 });
    expect((await anna.get('heartbeats/')).data.heartbeats).toHaveLength(2);
    await ex.pass(12);
    expect(await anna.order(order)).toMatchObject({ closed: true });
    expect((await anna.get('heartbeats/')).data.heartbeats).toHaveLength(1);
  });
});
