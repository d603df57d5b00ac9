import { describe, expect, it } from 'vitest';
import { exchange } from './support/exchange.ts';
import { EVENT_ID, KEY, OTHER_KEY } from './support/names.ts';

const ISO_Z = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const ISO_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/;

describe('the service', () => {
  it('accepts a bet in two steps: a betslip with a private quote, then an order against it', async () => {
    const ex = await exchange();
    const [anna, ben] = [ex.client(KEY), ex.client(OTHER_KEY)];
    const [hers, his] = [await anna.stream(), await ben.stream()];
    const betslipId = await anna.betslip();
    await ex.pass(2);
    const quote = await hers.until('pmm');
    expect(quote).toMatchObject({ betslip_id: betslipId, event_id: EVENT_ID, bet_type: 'for,h' });
    const best = quote.price_list[0].effective;
    const order = { betslip_id: betslipId, price: best.price, stake: ['USDT', 10] };
    expect((await anna.post('orders/', order)).http).toBe(201);
    await his.settled();
    expect(his.all('pmm')).toEqual([]);
  });

  it('accepts no order without a betslip', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = { price: 2.2, stake: ['USDT', 10] };
    expect((await anna.post('orders/', order)).data.validation_errors).toHaveProperty('betslip_id');
    expect(await anna.post('orders/', { ...order, betslip_id: 'none' })).toMatchObject({
      http: 404,
      code: 'not_found',
    });
    expect(ex.inspect().orders).toEqual([]);
  });

  it('accepts bet types verbatim from the stream and from the offers', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    await stream.register();
    const streamed = stream.all('offer').map((offer) => offer.bet_type);
    const listed = (await anna.get(`offers/?sport=fb&event_id=${EVENT_ID}`)).data.map(
      (offer: { bet_type: string }) => offer.bet_type,
    );
    expect(streamed.toSorted()).toEqual(listed);
    for (const betType of listed) await expect(anna.betslip(betType)).resolves.toMatch(/./);
  });

  it('pushes order updates on the socket that carries offers', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    await stream.register();
    const { data } = await anna.place('for,h', 2.2, 10);
    const bet = await stream.until('bet');
    expect(bet.order_id).toBe(data.order_id);
    const tags = stream.entries.map(([tag]) => tag);
    expect(tags).toContain('offer');
    expect(tags).toContain('order');
  });

  it('has no endpoint for deposits, withdrawals or keys', async () => {
    const ex = await exchange();
    const paths = ex.core.endpoints.map(({ path }) => path).join(' ');
    expect(paths).not.toMatch(/deposit|withdraw|key|token|address/);
    for (const path of ['deposits/', 'withdrawals/', 'api_keys/']) {
      expect(await ex.client().get(path)).toMatchObject({ http: 404, code: 'not_found' });
    }
  });
});

describe('conventions', () => {
  it('writes money as a pair of USDT and a number', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = await anna.placed('for,h', 2.2, 10.5);
    for (const pair of [order.want_stake, order.stake, order.profit_loss, order.bets[0].got_stake]) {
      expect(pair).toEqual(['USDT', expect.any(Number)]);
    }
    expect(order.stake[1]).toBe(10.5);
    const euros = { betslip_id: await anna.betslip(), price: 2.2, stake: ['EUR', 10] };
    expect((await anna.post('orders/', euros)).data.validation_errors).toHaveProperty('stake');
  });

  it('writes timestamps as ISO 8601, in both forms', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const order = await anna.placed('for,h', 2.2, 10);
    expect(order.placement_time).toMatch(ISO_OFFSET);
    expect(stream.frames[0].ts).toMatch(ISO_Z);
    expect((await anna.get(`betslips/${await anna.betslip()}/`)).data.expiry_ts).toMatch(ISO_Z);
  });

  it('writes frame times and betslip expiries as Unix seconds when started so', async () => {
    const ex = await exchange({ settings: { unixTimestamps: true } });
    const anna = ex.client();
    const stream = await anna.stream();
    expect(stream.frames[0].ts).toBe(ex.nowMs() / 1000);
    const { data } = await anna.get(`betslips/${await anna.betslip()}/`);
    expect(data.expiry_ts).toBe(ex.nowMs() / 1000 + 45);
  });

  it('answers everything in an envelope', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const good = [
      'betslips/',
      'orders/',
      'balance/',
      'xrates/',
      'heartbeats/',
      'events/',
      'orders/position/',
    ];
    for (const path of good) {
      const answer = (await (await anna.fetch('GET', path)).json()) as object;
      expect(Object.keys(answer)).toEqual(['status', 'data']);
    }
    const bad = (await (await anna.fetch('GET', 'orders/1/')).json()) as object;
    expect(Object.keys(bad)).toEqual(['status', 'code', 'data']);
  });

  it('numbers orders, bets, teams and competitions, and names betslips, heartbeats and events', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = await anna.placed('for,h', 2.2, 10);
    const { event_info: info } = order;
    const numbers = [order.order_id, order.bets[0].bet_id, info.home_id, info.away_id, info.competition_id];
    for (const id of numbers) expect(Number.isInteger(id)).toBe(true);
    const heartbeat = (await anna.post('heartbeats/', { timeout: 60 })).data;
    for (const id of [await anna.betslip(), heartbeat.heartbeat_id, info.event_id]) {
      expect(id).toEqual(expect.any(String));
    }
    expect(info.event_id).toMatch(/^\d{4}-\d{2}-\d{2},[^,]+,[^,]+$/);
  });
});
