import { describe, expect, it } from 'vitest';
import type { Answer, Wire } from './support/client.ts';
import { exchange, price, type ServedExchange } from './support/exchange.ts';
import { EVENT_ID, KEY, OTHER_KEY, SECOND_EVENT_ID } from './support/names.ts';

const UUID = '0b5bd6a4-6a06-4b0e-8b7c-3d8f3c1c2d11';
const HOUR_S = 3_600;

const ids = ({ data }: Answer): number[] => data.map((order: Wire) => order.order_id);

/** Cash-out is not on offer, so nothing else is documented of it. */
const NO_CASH_OUT = {
  allowed: false,
  reason: null,
  valuation: null,
  stake: null,
  smart_credit_delta: null,
  position: null,
};

describe('reading orders', () => {
  it('returns an order by its id, with all stakes in USDT', async () => {
    const ex = await exchange();
    const order = await ex.client().placed('for,h', 2.2, 10);
    for (const [currency] of [order.want_stake, order.stake, order.bets[0].want_stake])
      expect(currency).toBe('USDT');
  });

  it('finds no order of another account, and no unknown one', async () => {
    const ex = await exchange();
    const { order_id: id } = await ex.client(KEY).placed('for,h', 2.2, 10);
    for (const [key, order] of [
      [OTHER_KEY, id],
      [KEY, 1],
      [KEY, 'abc'],
    ] as const) {
      expect(await ex.client(key).get(`orders/${order}/`)).toMatchObject({ http: 404, code: 'not_found' });
    }
  });

  it('lists orders by page, newest first; a page past the last is empty', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const placed: number[] = [];
    for (let i = 0; i < 5; i++) {
      placed.push((await anna.place('for,h', 2.5, 1)).data.order_id);
      await ex.pass(1);
    }
    expect(ids(await anna.get('orders/'))).toEqual(placed.toReversed());
    expect(ids(await anna.get('orders/?page=2&page_size=2'))).toEqual([placed[2], placed[1]]);
    expect(ids(await anna.get('orders/?page=4&page_size=2'))).toEqual([]);
    for (const wrong of ['page=0', 'page_size=0', 'page_size=1001', 'page=x']) {
      expect((await anna.get(`orders/?${wrong}`)).http).toBe(400);
    }
  });

  it('filters the list by status, sport, event, type, date and words', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const open = (await anna.placed('for,h', 2.5, 1, { user_data: 'needle' })).order_id;
    const done = (await anna.placed('for,h', 2.2, 1)).order_id;
    const chosen = async (query: string) => ids(await anna.get(`orders/?${query}`));
    expect(await chosen('status=open')).toEqual([open]);
    expect(await chosen('status=open&status=done')).toEqual([done, open]);
    expect(await chosen(`sport=fb&event_id=${EVENT_ID}`)).toEqual([done, open]);
    expect(await chosen('sport=tennis')).toEqual([]);
    expect(await chosen('order_type=lay')).toEqual([]);
    expect(await chosen('search=needle')).toEqual([open]);
    expect(await chosen(`date_from=${encodeURIComponent(ex.iso(1))}`)).toEqual([]);
    expect(await chosen(`date_to=${encodeURIComponent(ex.iso(1))}`)).toEqual([done, open]);
  });

  it('finds an order by the uuid of its creation, for several days', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { data } = await anna.place('for,h', 2.2, 10, { request_uuid: UUID });
    const tracked = `orders/tracked/${UUID}/`;
    expect((await anna.get(tracked)).data.order_id).toBe(data.order_id);
    await ex.pass(48 * HOUR_S);
    expect((await anna.get(tracked)).data.order_id).toBe(data.order_id);
    expect(await ex.client(OTHER_KEY).get(tracked)).toMatchObject({ http: 404, code: 'not_found' });
  });

  it('forgets the uuid sooner if it is set to, but not the order and not that the uuid was used', async () => {
    const ex = await exchange({ settings: { trackedLookupMs: 6 * 3_600_000 } });
    const anna = ex.client();
    const { data } = await anna.place('for,h', 2.2, 1, { request_uuid: UUID });
    await ex.pass(6 * 3_600);
    expect((await anna.get(`orders/tracked/${UUID}/`)).http).toBe(200);
    await ex.pass(0.001);
    expect(await anna.get(`orders/tracked/${UUID}/`)).toMatchObject({ http: 404, code: 'not_found' });
    expect((await anna.order(data.order_id)).order_id).toBe(data.order_id);
    const again = await anna.place('for,h', 2.2, 1, { request_uuid: UUID });
    expect(again).toMatchObject({ http: 409, data: { order_id: data.order_id } });
  });

  it('reports that a tracked uuid is malformed, or that it is not known', async () => {
    const ex = await exchange();
    const anna = ex.client();
    expect(await anna.get('orders/tracked/nonsense/')).toMatchObject({
      http: 400,
      code: 'validation_error',
      data: { validation_errors: { request_uuid: ['must be a uuid'] } },
    });
    expect(await anna.get(`orders/tracked/${UUID}/`)).toMatchObject({ http: 404, code: 'not_found' });
  });
});

describe('times in queries', () => {
  const from = async (ex: ServedExchange, time: string) =>
    (await ex.client().get(`orders/?date_from=${encodeURIComponent(time)}`)).http;

  it('are days or instants, in both forms, and UTC without a zone', async () => {
    const ex = await exchange();
    for (const time of ['2026-02-28', '2026-02-28T10:00', '2026-02-28T10:00:00.123456Z']) {
      expect(await from(ex, time)).toBe(200);
    }
    for (const time of ['2026-02-28T10:00:00+00:00', '2026-02-28 10:00:00+0530']) {
      expect(await from(ex, time)).toBe(200);
    }
    const anna = ex.client();
    await anna.placed('for,h', 3, 1);
    await ex.pass(300);
    const here = process.env['TZ'];
    process.env['TZ'] = 'Asia/Tokyo';
    try {
      const [start, end] = [ex.iso(-400), ex.iso(-200)].map((time) => time.replace('Z', ''));
      const window = new URLSearchParams({ updated_at_from: start ?? '', updated_at_to: end ?? '' });
      expect((await anna.get(`orders/updates/?${window.toString()}`)).data).toHaveLength(1);
    } finally {
      if (here === undefined) delete process.env['TZ'];
      else process.env['TZ'] = here;
    }
  });

  it.each(['yesterday', '2026-02-29', '2026-13-01', '2026-02-28T25:00Z', '2026-02-28T10', ''])(
    'are refused when there is no such time: %s',
    async (time) => {
      expect(await from(await exchange(), time)).toBe(400);
    },
  );
});

describe('order updates', () => {
  const updates = (from: string, to: string): string => {
    const query = new URLSearchParams({ updated_at_from: from, updated_at_to: to });
    return `orders/updates/?${query.toString()}`;
  };

  it('are the orders whose last change lies in the window', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const first = (await anna.placed('for,h', 2.5, 1, { duration: 30 })).order_id;
    await ex.pass(600);
    const second = (await anna.placed('for,h', 2.2, 1)).order_id;
    await ex.pass(120);
    expect(ids(await anna.get(updates(ex.iso(-900), ex.iso(-60))))).toEqual([first, second]);
    expect(ids(await anna.get(updates(ex.iso(-900), ex.iso(-300))))).toEqual([first]);
    expect(ids(await anna.get(updates(ex.iso(-300), ex.iso(-60))))).toEqual([second]);
  });

  it('need both times to be at least 60 seconds past', async () => {
    const ex = await exchange();
    const anna = ex.client();
    expect((await anna.get(updates(ex.iso(-120), ex.iso(-59)))).data.validation_errors).toEqual({
      updated_at_to: ['updated_at_to too recent'],
    });
    expect((await anna.get(updates(ex.iso(-59), ex.iso(-59)))).data.validation_errors).toMatchObject({
      updated_at_from: ['updated_at_from too recent'],
    });
    expect((await anna.get(updates(ex.iso(-120), ex.iso(-60)))).http).toBe(200);
  });

  it('span at most 70 minutes; longer syncs page through windows', async () => {
    const ex = await exchange();
    const anna = ex.client();
    expect((await anna.get(updates(ex.iso(-60 - 4_200), ex.iso(-60)))).http).toBe(200);
    expect((await anna.get(updates(ex.iso(-61 - 4_200), ex.iso(-60)))).data.validation_errors).toEqual({
      non_field_errors: ['The date range cannot exceed 70 minutes'],
    });
    const placed = (await anna.placed('for,h', 2.2, 1)).order_id;
    await ex.pass(3 * HOUR_S);
    const found: number[] = [];
    for (let from = -3 * HOUR_S - 60; from < -60; from += 4_200) {
      found.push(...ids(await anna.get(updates(ex.iso(from), ex.iso(Math.min(-60, from + 4_200))))));
    }
    expect(found).toContain(placed);
  });

  it('need both times', async () => {
    const ex = await exchange();
    const { data } = await ex.client().get('orders/updates/');
    expect(Object.keys(data.validation_errors)).toEqual(['updated_at_from', 'updated_at_to']);
    expect((await ex.client().get(updates('yesterday', 'today'))).http).toBe(400);
  });
});

describe('the position', () => {
  it('is a payoff grid over final scores, with totals by bet type', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await anna.placed('for,h', 2.1, 150);
    await anna.placed('for,over,2.5', 1.9, 10);
    const { data } = await anna.get(`orders/position/?event_id=${EVENT_ID}`);
    expect(data).toMatchObject({ sport: 'fb', event_id: EVENT_ID, unknown_bets_num: 0, unknown_grid: null });
    expect(data.payoff_grid.ccy_code).toBe('USDT');
    const { values } = data.payoff_grid;
    expect([values.length, values[0].length]).toEqual([20, 20]);
    const home = 100 * 1.2 + 50 * 1.1;
    expect(values[1][0]).toBeCloseTo(home - 10, 6);
    expect(values[3][1]).toBeCloseTo(home + 9, 6);
    expect(values[0][0]).toBeCloseTo(-150 - 10, 6);
    expect(data.totals['for,h']).toMatchObject({
      bet_type_description: expect.any(String),
      got_stake: ['USDT', 150],
      unknown_price: null,
      unknown_stake: ['USDT', 0],
    });
    expect(data.totals['for,h'].got_price).toBeCloseTo((100 * 2.2 + 50 * 2.1) / 150, 5);
  });

  it('counts bets in danger as unknown', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = await anna.placed('for,h', 2.2, 10);
    ex.simulator.host.run((nowMs) => ex.core.markBet(order.bets[0].bet_id, 'danger', nowMs));
    const { data } = await anna.get(`orders/position/?event_id=${EVENT_ID}`);
    expect(data).toMatchObject({ unknown_bets_num: 1, totals: { 'for,h': { unknown_stake: ['USDT', 10] } } });
    expect(data.unknown_grid.values[1][0]).toBeCloseTo(12, 6);
  });

  it('takes the filters of the list, ignores the flag for cash-out, and always has cashout_info', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await anna.placed('for,h', 2.2, 10);
    const plain = await anna.get('orders/position/?status=done');
    const flagged = await anna.get('orders/position/?status=done&include_cashout_info=true');
    expect(flagged.data).toEqual(plain.data);
    expect(plain.data.cashout_info).toEqual(NO_CASH_OUT);
    expect((await anna.get('orders/position/?status=failed')).data.totals).toEqual({});
  });

  it('covers one event only', async () => {
    const ex = await exchange();
    price(ex, { eventId: SECOND_EVENT_ID });
    const anna = ex.client();
    await anna.placed('for,h', 2.2, 10);
    const betslipId = await anna.betslip('for,h', SECOND_EVENT_ID);
    await anna.post('orders/', { betslip_id: betslipId, price: 2.2, stake: ['USDT', 1] });
    for (const method of ['GET', 'POST']) {
      expect(await anna.ask(method, 'orders/position/')).toMatchObject({
        http: 400,
        code: 'validation_error',
        data: { validation_errors: { non_field_errors: ['filters match orders from multiple events'] } },
      });
    }
    // The filters of a POST are in its query, too; nothing shows another form.
    const one = `orders/position/?event_id=${EVENT_ID}`;
    const posted = await anna.post(one, { event_id: [SECOND_EVENT_ID] });
    expect(posted.data).toEqual((await anna.get(one)).data);
    expect(posted.data.event_id).toBe(EVENT_ID);
    expect((await anna.get(`orders/position/?event_id=${EVENT_ID}`)).http).toBe(200);
  });
});
