import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { at, EVENT, event, EVENT_ID, Harness, KEY, OTHER_KEY, START_MS, type Wire } from './harness.ts';

const iso = (ms: number): string => encodeURIComponent(new Date(ms).toISOString());
const OTHER_EVENT = '2026-03-01,33,44';

function withOrders(): { h: Harness; ids: number[] } {
  const h = new Harness();
  h.exchange.market.putEvent(event({ eventId: OTHER_EVENT, eventName: 'Third v Fourth' }), h.nowMs);
  h.exchange.market.setLevel('maker', at('h', OTHER_EVENT), 'against', 2, toMicros(10), h.nowMs);
  const ids = [
    h.place('for,h', 2.2, 10).order_id,
    h.place('against,h', 2, 5, { user_data: 'Blue' }).order_id,
  ];
  h.pass(60_000);
  const betslip = h.betslip('for,h', KEY, OTHER_EVENT);
  const body = { betslip_id: betslip, price: 3, stake: ['USDT', 1], duration: 30 };
  ids.push(h.call('POST', '/v2/orders/', body).data.order_id);
  return { h, ids };
}

describe('the order list', () => {
  it.each([
    ['', [2, 1, 0]],
    ['?status=done', [0]],
    ['?status=done&status=open', [2, 1, 0]],
    ['?sport=tennis', []],
    ['?sport=fb', [2, 1, 0]],
    [`?event_id=${OTHER_EVENT}`, [2]],
    ['?order_type=parlay', []],
    ['?search=blue', [1]],
    ['?search=third', [2]],
    [`?date_from=${iso(START_MS + 1)}`, [2]],
    [`?date_to=${iso(START_MS)}`, [1, 0]],
    ['?page_size=2', [2, 1]],
    ['?page_size=2&page=2', [0]],
    ['?page_size=2&page=3', []],
  ])('answers %s', (query, expected) => {
    const { h, ids } = withOrders();
    const listed = h
      .call('GET', `/v2/orders/${query}`)
      .data.map((order: Wire) => ids.indexOf(order.order_id));
    expect(listed).toEqual(expected);
    expect(h.call('GET', `/v2/orders/${query}`, undefined, OTHER_KEY).data).toEqual([]);
  });

  it.each([
    ['page=0', { page: ['Ensure this value is greater than or equal to 1.'] }],
    ['page_size=1001', { page_size: ['Ensure this value is less than or equal to 1000.'] }],
    ['page=x', { page: ['A valid number is required.'] }],
    ['date_from=yesterday', { date_from: ['Enter a valid date/time.'] }],
  ])('refuses %s', (query, reasons) => {
    const answer = new Harness().call('GET', `/v2/orders/?${query}`);
    expect(answer).toMatchObject({ status: 400, data: { validation_errors: reasons } });
  });
});

describe('updates', () => {
  it('answers the orders whose last change lies in the window', () => {
    const { h, ids } = withOrders();
    h.pass(120_000);
    const ask = (fromMs: number, toMs: number): number[] =>
      h
        .call('GET', `/v2/orders/updates/?updated_at_from=${iso(fromMs)}&updated_at_to=${iso(toMs)}`)
        .data.map((order: Wire) => ids.indexOf(order.order_id));
    expect(ask(START_MS, START_MS)).toEqual([0, 1]);
    expect(ask(START_MS + 1, START_MS + 90_000)).toEqual([2]);
  });

  it.each([
    [0, 30_000, { updated_at_to: ['updated_at_to too recent'] }],
    [
      70_000,
      80_000,
      { updated_at_from: ['updated_at_from too recent'], updated_at_to: ['updated_at_to too recent'] },
    ],
    [-4_200_001, 0, { non_field_errors: ['The date range cannot exceed 70 minutes'] }],
    [0, -1, { non_field_errors: ['updated_at_from must not be after updated_at_to'] }],
  ])('refuses the window from %s to %s', (from, to, reasons) => {
    const h = new Harness();
    h.pass(60_000);
    const path = `/v2/orders/updates/?updated_at_from=${iso(START_MS + from)}&updated_at_to=${iso(START_MS + to)}`;
    expect(h.call('GET', path)).toMatchObject({ status: 400, data: { validation_errors: reasons } });
  });

  it('accepts exactly 70 minutes, and misses neither bound', () => {
    const h = new Harness();
    h.pass(60_000);
    const path = `/v2/orders/updates/?updated_at_from=${iso(START_MS - 4_200_000)}&updated_at_to=${iso(START_MS)}`;
    expect(h.call('GET', path).status).toBe(200);
    expect(h.call('GET', '/v2/orders/updates/').data.validation_errors).toEqual({
      updated_at_from: ['This field is required.'],
      updated_at_to: ['This field is required.'],
    });
  });
});

describe('the tracked lookup', () => {
  it('requires a uuid and finds only own orders, for days', () => {
    const h = new Harness();
    const uuid = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    expect(h.call('GET', '/v2/orders/tracked/abc/').data.validation_errors).toEqual({
      request_uuid: ['must be a uuid'],
    });
    expect(h.call('GET', `/v2/orders/tracked/${uuid}/`)).toMatchObject({ status: 404, code: 'not_found' });
    h.place('for,h', 2.2, 1, { request_uuid: uuid });
    expect(h.call('GET', `/v2/orders/tracked/${uuid}/`, undefined, OTHER_KEY).status).toBe(404);
    h.pass(2 * 86_400_000);
    expect(h.call('GET', `/v2/orders/tracked/${uuid}/`).status).toBe(200);
    h.pass(86_400_001);
    expect(h.call('GET', `/v2/orders/tracked/${uuid}/`).status).toBe(404);
  });

  const HOUR_MS = 3_600_000;
  const DAY_S = 86_400;
  it.each<[string, number, (h: Harness, orderId: number) => void]>([
    ['stays open', DAY_S, () => undefined],
    ['is filled', DAY_S, (h) => h.rest('h', 'against', 2.6, 100)],
    ['is filled in part', DAY_S, (h) => h.rest('h', 'against', 2.6, 1)],
    ['is closed', DAY_S, (h, orderId) => void h.call('POST', `/v2/orders/${orderId}/close/`)],
    ['expires', 2.5 * 3_600, () => undefined],
  ])('forgets an order by its placement to the millisecond, whenever it %s', (_, duration, change) => {
    const h = new Harness({ settings: { trackedLookupMs: 6 * HOUR_MS } });
    const uuid = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const placed = h.place('for,h', 2.6, 10, { request_uuid: uuid, duration });
    const tracked = (): number => h.call('GET', `/v2/orders/tracked/${uuid}/`).status;
    h.pass(2 * HOUR_MS);
    change(h, placed.order_id);
    h.pass(START_MS + 6 * HOUR_MS - h.nowMs);
    expect(tracked()).toBe(200);
    h.pass(1);
    expect(tracked()).toBe(404);
    expect(h.order(placed.order_id).order_id).toBe(placed.order_id);
  });

  it('finds it for as long when its changes are seen in between', () => {
    const h = new Harness({ settings: { trackedLookupMs: 6 * HOUR_MS } });
    const uuid = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const { order_id: orderId } = h.place('for,h', 2.6, 10, { request_uuid: uuid, duration: 86_400 });
    expect(h.order(orderId).closed).toBe(false);
    h.pass(HOUR_MS);
    h.call('POST', `/v2/orders/${orderId}/close/`);
    h.pass(1_000);
    expect(h.order(orderId).closed).toBe(true);
    h.pass(5 * HOUR_MS - 1_000);
    expect(h.call('GET', `/v2/orders/tracked/${uuid}/`).status).toBe(200);
    h.pass(1);
    expect(h.call('GET', `/v2/orders/tracked/${uuid}/`).status).toBe(404);
  });
});

describe('the position', () => {
  it('refuses orders of several events', () => {
    const { h } = withOrders();
    expect(h.call('GET', '/v2/orders/position/')).toMatchObject({
      status: 400,
      data: { validation_errors: { non_field_errors: ['filters match orders from multiple events'] } },
    });
  });

  it('refuses an event id that has orders in several sports, and accepts it with its sport', () => {
    const { h } = withOrders();
    const half = { sport: 'fb_ht', eventId: EVENT_ID };
    h.exchange.market.putEvent(event(half), h.nowMs);
    h.exchange.market.setLevel('m', { ...half, outcome: 'h' }, 'against', 3, toMicros(50), h.nowMs);
    const bet = { sport: 'fb_ht', event_id: EVENT_ID, bet_type: 'for,h' };
    const betslip = h.call('POST', '/v2/betslips/', bet).data.betslip_id;
    h.call('POST', '/v2/orders/', { betslip_id: betslip, price: 3, stake: ['USDT', 7] });
    const filters = `event_id=${EVENT_ID}`;
    const listed = new Set(h.call('GET', `/v2/orders/?${filters}`).data.map((order: Wire) => order.sport));
    expect(listed).toEqual(new Set(['fb', 'fb_ht']));
    expect(h.call('GET', `/v2/orders/position/?${filters}`)).toMatchObject({ status: 400 });
    for (const [sport, stake] of [
      ['fb', 10],
      ['fb_ht', 7],
    ]) {
      expect(h.call('GET', `/v2/orders/position/?${filters}&sport=${sport}`).data).toMatchObject({
        sport,
        event_id: EVENT_ID,
        totals: { 'for,h': { got_stake: ['USDT', stake] } },
      });
    }
  });

  it('adds up the bets of one event', () => {
    const { h } = withOrders();
    const path = `/v2/orders/position/?event_id=${EVENT_ID}&include_cashout_info=true`;
    const position = h.call('GET', path).data;
    expect(position).toMatchObject({
      sport: 'fb',
      event_id: EVENT_ID,
      payoff_grid: { ccy_code: 'USDT' },
      totals: {
        'for,h': {
          bet_type_description: 'for h',
          got_price: 2.2,
          got_stake: ['USDT', 10],
          unknown_price: null,
        },
      },
      unknown_bets_num: 0,
      unknown_grid: null,
      cashout_info: { allowed: false },
    });
    expect(position.payoff_grid.values[1][0]).toBeCloseTo(12, 6);
    expect(position.payoff_grid.values[0][0]).toBe(-10);
    expect(h.call('POST', path).data).toEqual(position);
  });

  it('is empty without bets', () => {
    const h = new Harness();
    expect(h.call('GET', `/v2/orders/position/?event_id=${EVENT_ID}&sport=fb`).data).toMatchObject({
      sport: 'fb',
      event_id: EVENT_ID,
      payoff_grid: null,
      totals: {},
      unknown_bets_num: 0,
    });
  });
});

it('keeps settled orders for as long as they may be requested, then forgets them', () => {
  const h = new Harness({ settings: { orderRetentionMs: 3_600_000 } });
  const { order_id: id } = h.place('for,h', 2.2, 1);
  h.pass(7_200_000);
  expect(h.call('GET', `/v2/orders/${id}/`).status).toBe(200);
  h.exchange.market.settle(
    EVENT,
    { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 },
    h.nowMs,
  );
  h.pass(7_200_000);
  expect(h.call('GET', `/v2/orders/${id}/`).status).toBe(404);
  h.pass(7_200_000);
  expect(h.exchange.inspect()).toMatchObject({ orders: [], events: [] });
});
