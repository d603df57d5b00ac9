import { describe, expect, it } from 'vitest';
import { at, EVENT, EVENT_ID, Harness, KEY, OTHER_KEY, type Wire } from './harness.ts';

const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

describe('creating an order', () => {
  it('answers an open order without bets, then fills from the best price on', () => {
    const h = new Harness();
    const created = h.place('for,h', 2.1, 150);
    expect(created).toMatchObject({ status: 'open', closed: false, price: null, stake: null, bets: [] });
    const done = h.order(created.order_id);
    expect(done).toMatchObject({
      status: 'done',
      closed: true,
      close_reason: 'order_filled',
      stake: ['USDT', 150],
      profit_loss: ['USDT', 0],
    });
    expect(done.bets.map((bet: Wire) => [bet.got_price, bet.got_stake[1], bet.exchange_role])).toEqual([
      [2.2, 100, 'taker'],
      [2.1, 50, 'taker'],
    ]);
    expect(done.price).toBeCloseTo((2.2 * 100 + 2.1 * 50) / 150, 6);
  });

  it('advertises the remainder of make_and_take and fills it when crossed', () => {
    const h = new Harness();
    const maker = h.place('for,h', 2.2, 130);
    expect(h.order(maker.order_id)).toMatchObject({ status: 'open', closed: false });
    const taker = h.place('against,h', 2.2, 30, {}, OTHER_KEY);
    expect(h.order(maker.order_id)).toMatchObject({ status: 'done' });
    const bets = h.order(taker.order_id, OTHER_KEY).bets;
    expect(bets).toMatchObject([{ got_price: 2.2, got_stake: ['USDT', 30], exchange_role: 'taker' }]);
  });

  it.each([
    ['for', 2.205, 2.22],
    ['against', 2.295, 2.28],
  ])('moves an off-tick limit of %s at %s to %s', (direction, price, moved) => {
    const h = new Harness();
    const { order_id: orderId } = h.place(`${direction},h`, price, 10);
    const order = h.exchange.inspect().orders.find((each) => each.orderId === orderId);
    expect(order?.price).toBe(moved);
  });

  it('never advertises take_only, yet lets it take what comes later', () => {
    const h = new Harness();
    const { order_id: orderId } = h.place('for,h', 2.22, 50, { exchange_mode: 'take_only' });
    expect(h.exchange.market.levels(at('h'), 'for').map(({ price }) => price)).toEqual([2.3, 2.4]);
    h.rest('h', 'against', 2.24, 20);
    expect(h.order(orderId).bets).toMatchObject([{ got_price: 2.24, got_stake: ['USDT', 20] }]);
    h.pass(600_000);
    expect(h.order(orderId)).toMatchObject({
      status: 'done',
      close_reason: 'timed_out',
      stake: ['USDT', 20],
    });
  });

  it('fails an order that lapses unfilled', () => {
    const h = new Harness();
    const { order_id: orderId } = h.place('for,h', 3, 50, { duration: undefined });
    h.pass(14_999);
    expect(h.order(orderId).closed).toBe(false);
    h.pass(1);
    expect(h.order(orderId).bet_bar_values).toMatchObject({
      inprogress: ['USDT', 0],
      unplaced: ['USDT', 50],
    });
    expect(h.order(orderId)).toMatchObject({
      status: 'failed',
      closed: true,
      close_reason: 'timed_out',
      price: null,
    });
  });

  it('answers 409 with the existing order when a request_uuid comes again', () => {
    const h = new Harness();
    const first = h.place('for,h', 3, 50, { request_uuid: UUID });
    const again = h.tryPlace('for,h', 3, 50, { request_uuid: UUID });
    expect(again).toMatchObject({
      status: 409,
      code: 'order_already_created',
      data: { order_id: first.order_id },
    });
    expect(h.tryPlace('for,h', 3, 50, { request_uuid: UUID }, OTHER_KEY).status).toBe(201);
    expect(h.call('GET', `/v2/orders/tracked/${UUID}/`).data.order_id).toBe(first.order_id);
  });

  it('never matches two orders of one account', () => {
    const h = new Harness({ priced: false });
    h.price();
    h.place('for,h', 2.26, 10);
    const { order_id: orderId } = h.place('against,h', 2.26, 10);
    expect(h.order(orderId)).toMatchObject({ status: 'open', bets: [] });
  });
});

describe('closing orders', () => {
  it('closes one, and answers order_closed the second time', () => {
    const h = new Harness();
    const { order_id: orderId } = h.place('for,h', 3, 50);
    const path = `/v2/orders/${orderId}/close/`;
    expect(h.call('POST', path)).toMatchObject({ status: 200, data: null });
    expect(h.order(orderId)).toMatchObject({ status: 'failed', closed: true, close_reason: 'cancelled' });
    expect(h.call('POST', path)).toMatchObject({ status: 400, code: 'order_closed', data: null });
    expect(h.call('POST', path, undefined, OTHER_KEY)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('closes many and all', () => {
    const h = new Harness();
    const ids = [1, 2, 3, 4].map(() => h.place('for,h', 3, 5).order_id);
    const many = h.call('POST', '/v2/orders/close_many/', { order_ids: [ids[0], 99] });
    expect(many).toMatchObject({ status: 200, data: { closed: [[ids[0]]], not_found: [[99]] } });
    expect(h.call('POST', '/v2/orders/close_all/', { sport: 'tennis' })).toMatchObject({
      status: 202,
      data: [[]],
    });
    expect(h.call('POST', '/v2/orders/close_all/')).toMatchObject({ status: 202, data: [ids.slice(1)] });
    expect(h.call('POST', '/v2/orders/close_all/', { event_id: EVENT_ID }).code).toBe('validation_error');
  });

  it('closes orders without keep-open when the event goes in running', () => {
    const h = new Harness();
    const gone = h.place('for,h', 3, 5).order_id;
    const kept = h.place('for,h', 3, 5, { keep_open_ir: true }).order_id;
    h.exchange.market.goInRunning(EVENT, h.nowMs);
    expect(h.order(gone)).toMatchObject({ closed: true, close_reason: 'cancelled' });
    expect(h.order(kept)).toMatchObject({ closed: false });
  });
});

describe('heartbeats', () => {
  it('close the orders created up to their expiry, once a second', () => {
    const h = new Harness();
    const { heartbeat_id: id } = h.call('POST', '/v2/heartbeats/', { timeout: 10 }).data;
    const before = h.place('for,h', 3, 5).order_id;
    h.pass(9_900);
    expect(h.call('POST', `/v2/heartbeats/${id}/refresh/`)).toMatchObject({ status: 200 });
    h.pass(10_000);
    const after = h.place('for,h', 3, 5, {}, 'key-a2').order_id;
    h.pass(100);
    expect(h.order(before)).toMatchObject({ closed: true, close_reason: 'cancelled' });
    expect(h.order(after).closed).toBe(true);
    expect(h.call('POST', `/v2/heartbeats/${id}/refresh/`).status).toBe(404);
  });

  it('spare orders created after the expiry instant', () => {
    const h = new Harness();
    h.pass(500);
    h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    h.pass(10_200);
    const after = h.place('for,h', 3, 5).order_id;
    h.pass(2_000);
    expect(h.order(after).closed).toBe(false);
  });

  it.each([
    [301, 'Ensure this value is less than or equal to 300.'],
    [9, 'Ensure this value is greater than or equal to 10.'],
    ['x', 'A valid number is required.'],
    [undefined, 'This field is required.'],
  ])('refuse a timeout of %s', (timeout, reason) => {
    const answer = new Harness().call('POST', '/v2/heartbeats/', { timeout });
    expect(answer).toMatchObject({
      status: 400,
      code: 'validation_error',
      data: { validation_errors: { timeout: [reason] } },
    });
  });
});

it('limits requests with Retry-After', () => {
  const h = new Harness();
  const betslip = h.betslip();
  const body = { betslip_id: betslip, price: 3, stake: ['USDT', 1] };
  const answers = Array.from({ length: 6 }, () => h.call('POST', '/v2/orders/', body, KEY));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
  expect(answers[5]).toMatchObject({
    code: 'throttled',
    headers: { 'retry-after': '1' },
    data: { message: 'Request was throttled. Expected available in 1 seconds.', retry_after: 1 },
  });
});
