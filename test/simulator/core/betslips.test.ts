import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { at, EVENT, event, EVENT_ID, football, Harness, OTHER_KEY, type Wire } from './harness.ts';

const BODY = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', betslip_type: 'normal' };
const OTHER_EVENT = '2026-03-01,33,44';
const create = (h: Harness, over: object = {}): Wire => h.call('POST', '/v2/betslips/', { ...BODY, ...over });

describe('creating a betslip', () => {
  it('answers 201 without prices', () => {
    const h = new Harness();
    const answer = create(h, { user_data: 'tag' });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      betslip_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      sport: 'fb',
      event_id: EVENT_ID,
      bet_type: 'for,h',
      bet_type_description: 'for h',
      expiry_ts: '2026-03-01T12:00:45.000Z',
      is_open: true,
      close_reason: null,
      equivalent_bets: true,
      customer_username: 'a',
      customer_ccy: 'USDT',
      betslip_type: 'normal',
      user_data: 'tag',
      legs: null,
    });
  });

  it('can carry Unix times', () => {
    const h = new Harness({ settings: { unixTimestamps: true } });
    expect(create(h).data.expiry_ts).toBe(Date.parse('2026-03-01T12:00:45Z') / 1000);
  });

  it.each([
    [{ bet_type: 'nonsense' }, { bet_type: ['invalid_bet_type'] }],
    [{ bet_type: 'for,never offered' }, { bet_type: ['invalid_bet_type'] }],
    [{ bet_type: 'for,d' }, { bet_type: ['invalid_bet_type'] }],
    [{ event_id: OTHER_EVENT }, { non_field_errors: ['event_not_found'] }],
    [{ sport: 'tennis' }, { non_field_errors: ['event_not_found'] }],
    [{ betslip_type: 'lay' }, { bet_type: ['invalid_bet_type'] }],
    [{ betslip_type: 'other' }, { betslip_type: ['Expected one of: normal, lay, parlay.'] }],
    [
      { sport: undefined, bet_type: undefined },
      { sport: ['This field is required.'], bet_type: ['This field is required.'] },
    ],
    [{ betslip_type: 'parlay' }, { legs: ['This field is required.'] }],
    [{ equivalent_bets: 'x' }, { equivalent_bets: ['Must be a valid boolean.'] }],
  ])('refuses %j', (over, reasons) => {
    const answer = create(new Harness(), over);
    expect(answer).toMatchObject({
      status: 400,
      code: 'validation_error',
      data: { validation_errors: reasons },
    });
  });

  it('stops at the cap, which closing and expiring free', () => {
    const h = new Harness({ settings: { openBetslipCap: 2 } });
    const first = create(h).data.betslip_id;
    create(h);
    expect(create(h)).toMatchObject({ status: 403, code: 'too_many_open_betslips' });
    h.call('DELETE', `/v2/betslips/${first}/`);
    expect(create(h).status).toBe(201);
    expect(create(h).status).toBe(403);
    h.pass(45_000);
    expect(create(h).status).toBe(201);
    expect(h.call('GET', '/v2/betslips/', undefined, OTHER_KEY).data).toEqual([]);
  });

  it('counts rejected creates, allows 2000 in any 24 hours, and spends nothing of the general budget', () => {
    const h = new Harness({ settings: { openBetslipCap: 1e9 } });
    let accepted = 0;
    for (let i = 0; i < 2000; i++) {
      if (i % 10 === 0) h.pass(1_000);
      accepted += create(h, i % 2 === 0 ? {} : { bet_type: 'nonsense' }).status === 429 ? 0 : 1;
    }
    expect(accepted).toBe(2000);
    h.pass(1_000);
    const refused = create(h);
    expect(refused).toMatchObject({ status: 429, data: { retry_after: expect.any(Number) } });
    h.pass(refused.data.retry_after * 1000 - 1);
    expect(h.call('GET', '/v2/balance/').status).toBe(200);
    h.pass(1_000);
    expect(create(h).status).toBe(201);
  });
});

describe('the life of a betslip', () => {
  it('is refreshed to 45 seconds from the call, and expires', () => {
    const h = new Harness();
    const client = h.connect();
    const { betslip_id: id } = create(h).data;
    h.pass(40_000);
    expect(h.call('POST', `/v2/betslips/${id}/refresh/`)).toMatchObject({ status: 200, data: null });
    h.pass(44_999);
    expect(h.call('GET', '/v2/betslips/').data).toEqual([id]);
    h.pass(1);
    expect(h.call('GET', '/v2/betslips/').data).toEqual([]);
    expect(client.payloads('betslip_closed')).toEqual([{ betslip_id: id, close_reason: 'expired' }]);
    expect(h.call('GET', `/v2/betslips/${id}/`).data).toMatchObject({
      is_open: false,
      close_reason: 'expired',
      price_list: [],
    });
    expect(h.call('POST', `/v2/betslips/${id}/refresh/`).status).toBe(404);
    expect(h.call('DELETE', `/v2/betslips/${id}/`).status).toBe(404);
  });

  it.each(['GET', 'DELETE', 'POST'])('is unknown to other accounts (%s)', (method) => {
    const h = new Harness();
    const { betslip_id: id } = create(h).data;
    const path = method === 'POST' ? `/v2/betslips/${id}/refresh/` : `/v2/betslips/${id}/`;
    expect(h.call(method, path, undefined, OTHER_KEY)).toMatchObject({ status: 404, code: 'not_found' });
    const order = { betslip_id: id, price: 2.2, stake: ['USDT', 1] };
    expect(h.call('POST', '/v2/orders/', order, OTHER_KEY).status).toBe(404);
  });

  it('leaves the order that was placed on it open when it is deleted', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 3, 1);
    expect(h.call('GET', '/v2/betslips/').data).toEqual([]);
    expect(h.order(id).closed).toBe(false);
  });

  it('is quoted again soon after its book changed', () => {
    const h = new Harness();
    const client = h.connect();
    create(h);
    h.pass(2_100);
    client.read();
    h.rest('h', 'against', 2.22, 7);
    h.pass(399);
    expect(client.payloads('pmm')).toEqual([]);
    h.pass(1);
    expect(client.payloads('pmm')[0].price_list[0].effective).toMatchObject({
      price: 2.22,
      max: ['USDT', 7],
    });
  });

  it('gets no quote while suspended, and is closed when the event ends', () => {
    const h = new Harness();
    const client = h.connect();
    const { betslip_id: id } = create(h).data;
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    h.pass(2_000);
    expect(client.payloads('pmm')).toMatchObject([{ price_list: [], total: ['USDT', 0] }]);
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    expect(client.payloads('betslip_closed')).toEqual([{ betslip_id: id, close_reason: 'event_finished' }]);
  });
});

describe('lay betslips', () => {
  it('accept against bet types and create lay orders', () => {
    const h = new Harness();
    const { betslip_id: id } = create(h, { betslip_type: 'lay', bet_type: 'against,h' }).data;
    const order = h.call('POST', '/v2/orders/', { betslip_id: id, price: 2.3, stake: ['USDT', 5] }).data;
    expect(order.order_type).toBe('lay');
    expect(h.order(order.order_id)).toMatchObject({ status: 'done', price: 2.3 });
  });
});

describe('parlays', () => {
  const twoEvents = (): Harness => {
    const h = new Harness();
    h.exchange.market.putEvent(event({ eventId: OTHER_EVENT }), h.nowMs);
    h.exchange.market.setLevel('maker', at('a', OTHER_EVENT), 'against', 3, toMicros(40), h.nowMs);
    return h;
  };
  const LEGS = [
    { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', live_score: { home: 0, away: 0 } },
    { sport: 'fb', event_id: OTHER_EVENT, bet_type: 'for,a' },
  ];
  const open = (h: Harness): string => {
    const answer = h.call('POST', '/v2/betslips/', { betslip_type: 'parlay', legs: LEGS });
    expect(answer).toMatchObject({ status: 201, data: { bet_type: 'parlay', betslip_type: 'parlay' } });
    return answer.data.betslip_id;
  };
  const place = (h: Harness, price: number, stake: number): number =>
    h.call('POST', '/v2/orders/', { betslip_id: open(h), price, stake: ['USDT', stake], duration: 60 }).data
      .order_id;
  const settle = (h: Harness, eventId: string, home: number, away: number): void =>
    h.exchange.market.settle(
      football(eventId),
      { kind: 'score', home, away, halfTimeHome: 0, halfTimeAway: 0 },
      h.nowMs,
    );

  const balance = (h: Harness): Wire => h.call('GET', '/v2/balance/').data;

  it('are quoted the product of their legs, as much as the thinnest shows', () => {
    const h = twoEvents();
    const client = h.connect();
    const betslip = open(h);
    h.pass(2_000);
    expect(client.payloads('pmm')).toMatchObject([
      { bet_type: 'parlay', price_list: [{ effective: { price: 6.6, max: ['USDT', 40] } }] },
    ]);
    // Each leg has the price of its own market.
    expect(h.call('GET', `/v2/betslips/${betslip}/`).data.legs).toMatchObject([{ price: 2.2 }, { price: 3 }]);
  });

  it('refuse a match together with its first half, which share an event id', () => {
    const h = new Harness();
    const half = { sport: 'fb_ht', eventId: EVENT_ID };
    h.exchange.market.putEvent(event(half), h.nowMs);
    h.exchange.market.setLevel('m', { ...half, outcome: 'h' }, 'against', 3, toMicros(50), h.nowMs);
    const legs = [LEGS[0], { sport: 'fb_ht', event_id: EVENT_ID, bet_type: 'for,h' }];
    expect(h.call('POST', '/v2/betslips/', { betslip_type: 'parlay', legs })).toMatchObject({
      status: 400,
      data: { validation_errors: { legs: ['legs must be of different events'] } },
    });
  });

  it.each([
    [{ legs: LEGS.slice(0, 1) }, { legs: ['Ensure this field has at least 2 elements.'] }],
    [{ legs: [LEGS[0], LEGS[0]] }, { legs: ['legs must be of different events'] }],
    [{ legs: [LEGS[0], { ...LEGS[1], bet_type: 'for,x' }] }, { legs: { '1': ['invalid_bet_type'] } }],
    [{ legs: [LEGS[0], { ...LEGS[1], bet_type: 'against,a' }] }, { legs: { '1': ['invalid_bet_type'] } }],
    [
      { legs: [LEGS[0], { sport: 'fb' }] },
      { legs: { '1': ['This field is required.', 'This field is required.'] } },
    ],
  ])('refuse %j', (over, reasons) => {
    const answer = twoEvents().call('POST', '/v2/betslips/', { betslip_type: 'parlay', ...over });
    expect(answer).toMatchObject({ status: 400, data: { validation_errors: reasons } });
  });

  it('are filled at once, and pay the product when every leg wins', () => {
    const h = twoEvents();
    const id = place(h, 6.6, 10);
    expect(h.order(id)).toMatchObject({
      order_type: 'parlay',
      status: 'done',
      price: 6.6,
      legs: [
        { id: 1, bet_type: 'for,h', price: 2.2, outcome: null, live_score: { home: 0, away: 0 } },
        { id: 2, price: 3 },
      ],
      event_info: { leg_event_infos: [{ event_id: EVENT_ID }, { event_id: OTHER_EVENT }] },
    });
    settle(h, EVENT_ID, 1, 0);
    expect(h.order(id)).toMatchObject({ status: 'done', legs: [{ outcome: 'w' }, { outcome: null }] });
    settle(h, OTHER_EVENT, 0, 1);
    expect(h.order(id)).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', 56] });
    expect(h.call('GET', '/v2/balance/').data).toMatchObject({
      balance: ['USDT', 100_056],
      open_stake: ['USDT', 0],
    });
  });

  it('are filled whole or not at all, and retried until the whole stake is available', () => {
    const h = twoEvents();
    const id = place(h, 6.6, 50);
    expect(h.order(id)).toMatchObject({ status: 'open', bets: [] });
    h.exchange.market.setLevel('maker', at('a', OTHER_EVENT), 'against', 3, toMicros(60), h.nowMs);
    h.pass(2_000);
    expect(h.order(id)).toMatchObject({ status: 'done', stake: ['USDT', 50], bets: [{ got_price: 6.6 }] });
  });

  it('report each leg when it is decided, on the stream and among the updates', () => {
    const h = twoEvents();
    const client = h.connect();
    place(h, 6.6, 10);
    h.pass(200_000);
    client.read();
    settle(h, EVENT_ID, 1, 0);
    expect(client.payloads('order')).toMatchObject([
      { status: 'done', legs: [{ outcome: 'w' }, { outcome: null }] },
    ]);
    const settled = new Date(h.nowMs).toISOString();
    h.pass(60_000);
    const window = `?updated_at_from=${settled}&updated_at_to=${settled}`;
    expect(h.call('GET', `/v2/orders/updates/${window}`).data).toHaveLength(1);
  });

  it('are lost with their first lost leg', () => {
    const h = twoEvents();
    const id = place(h, 6.5, 10);
    settle(h, OTHER_EVENT, 1, 0);
    expect(h.order(id)).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', -10] });
    settle(h, EVENT_ID, 1, 0);
    expect(h.order(id)).toMatchObject({
      profit_loss: ['USDT', -10],
      legs: [{ outcome: 'w' }, { outcome: 'l' }],
    });
  });

  it('are open again when their lost leg is corrected', () => {
    const h = twoEvents();
    const id = place(h, 6.5, 10);
    settle(h, OTHER_EVENT, 1, 0);
    settle(h, OTHER_EVENT, 0, 1);
    expect(h.order(id)).toMatchObject({
      status: 'done',
      profit_loss: ['USDT', 0],
      bets: [{ reconciled: false }],
    });
    expect(balance(h)).toMatchObject({ balance: ['USDT', 100_000], open_stake: ['USDT', 10] });
    settle(h, EVENT_ID, 1, 0);
    expect(h.order(id)).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', 56] });
    expect(balance(h)).toMatchObject({ balance: ['USDT', 100_056], open_stake: ['USDT', 0] });
  });

  it('pay by their legs when a voided bet is confirmed, and go on while these are open', () => {
    const h = twoEvents();
    const id = place(h, 6.5, 10);
    const confirm = (): void => {
      const { bet_id: betId } = h.order(id).bets[0];
      h.exchange.markBet(betId, 'void', h.nowMs);
      expect(h.order(id)).toMatchObject({ status: 'full_void', profit_loss: ['USDT', 0] });
      h.exchange.markBet(betId, 'success', h.nowMs);
    };
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    confirm();
    expect(h.order(id)).toMatchObject({ status: 'done', bets: [{ reconciled: false }] });
    expect(balance(h)).toMatchObject({ balance: ['USDT', 100_000], open_stake: ['USDT', 10] });
    settle(h, OTHER_EVENT, 0, 1);
    confirm();
    expect(h.order(id)).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', 20] });
    expect(balance(h)).toMatchObject({ balance: ['USDT', 100_020], open_stake: ['USDT', 0] });
  });

  it('stay void when every leg is void, whatever a bet is marked as', () => {
    const h = twoEvents();
    const id = place(h, 6.5, 10);
    for (const eventId of [EVENT_ID, OTHER_EVENT]) h.exchange.market.voidEvent(football(eventId), h.nowMs);
    for (const status of ['success', 'danger', 'void', 'success'] as const) {
      h.exchange.markBet(h.order(id).bets[0].bet_id, status, h.nowMs);
      expect(h.order(id)).toMatchObject({ status: 'full_void', bets: [{ status: { code: 'void' } }] });
    }
  });

  it('go on without a void leg', () => {
    const h = twoEvents();
    const id = place(h, 6.5, 10);
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    settle(h, OTHER_EVENT, 0, 1);
    expect(h.order(id)).toMatchObject({
      status: 'reconciled',
      profit_loss: ['USDT', 20],
      legs: [{ outcome: 'v' }, {}],
    });
  });

  it('report a leg that a dead heat half won as such', () => {
    const h = new Harness({ parse: parseBetType });
    h.exchange.market.putEvent(event({ eventId: OTHER_EVENT }), h.nowMs);
    h.exchange.market.setLevel('maker', at('win,7', OTHER_EVENT), 'against', 3, toMicros(40), h.nowMs);
    const legs = [LEGS[0], { ...LEGS[1], bet_type: 'for,win,7' }];
    const betslip = h.call('POST', '/v2/betslips/', { betslip_type: 'parlay', legs }).data.betslip_id;
    const order = h.call('POST', '/v2/orders/', { betslip_id: betslip, price: 6.6, stake: ['USDT', 10] });
    const places = new Map([7, 8].map((teamId) => [teamId, 1]));
    h.exchange.market.settle(football(OTHER_EVENT), { kind: 'places', places }, h.nowMs);
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    expect(h.order(order.data.order_id)).toMatchObject({
      profit_loss: ['USDT', 5],
      legs: [{ outcome: 'v' }, { outcome: 'l/w' }],
    });
  });

  it('wait for their price until they lapse', () => {
    const h = twoEvents();
    const late = place(h, 7, 10);
    const never = place(h, 9, 10);
    h.rest('h', 'against', 2.4, 50);
    h.pass(2_000);
    expect(h.order(late)).toMatchObject({ status: 'done', price: 7.2 });
    h.pass(58_000);
    expect(h.order(never)).toMatchObject({ status: 'failed', close_reason: 'timed_out' });
  });
});
