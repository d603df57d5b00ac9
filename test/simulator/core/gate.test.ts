import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { LIMITS } from '../../../src/simulator/core/settings.ts';
import { at, event, EVENT_ID, Harness, KEY, OTHER_KEY, START_MS, type Wire } from './harness.ts';

describe('the envelope', () => {
  it('is the same behind /magic-api and without the closing slash', () => {
    const h = new Harness();
    const plain = h.call('GET', '/v2/balance/');
    expect(plain).toMatchObject({ status: 200, data: { balance: ['USDT', 100_000] } });
    expect(h.call('GET', '/magic-api/v2/balance/').data).toEqual(plain.data);
    expect(h.call('GET', '/v2/balance').data).toEqual(plain.data);
  });

  it.each([
    '/',
    '/v2/',
    '/v2/nothing/',
    '/v1/balance/',
    '/v2/orders/1/2/3/',
    '/v2/orders/%ZZ/',
    '/magic-api/balance/',
  ])('answers 404 for %s', (path) => {
    expect(new Harness().call('GET', path)).toMatchObject({ status: 404, code: 'not_found', data: null });
  });

  it('names the methods that a path has', () => {
    const answer = new Harness().call('PUT', '/v2/betslips/');
    expect(answer).toMatchObject({
      status: 405,
      code: 'method_not_allowed',
      headers: { allow: 'GET, POST' },
    });
    expect(new Harness().call('GET', '/v2/orders/close_all/')).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    });
  });

  it('refuses bodies that are too large, without reading them', () => {
    const h = new Harness();
    const answer = h.call('POST', '/v2/heartbeats/', `{"timeout":10,"x":"${'y'.repeat(300_000)}"}`);
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(h.exchange.inspect().accounts[0]?.heartbeats).toEqual([]);
  });

  it('survives deeply nested JSON', () => {
    const h = new Harness();
    const deep = `{"timeout":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(h.call('POST', '/v2/heartbeats/', deep)).toMatchObject({ status: 400, code: 'validation_error' });
  });
});

describe('keys', () => {
  it('are required', () => {
    const h = new Harness();
    const detail = 'Authentication credentials were not provided.';
    expect(h.call('GET', '/v2/balance/', undefined, null)).toMatchObject({
      status: 401,
      code: 'auth_error',
      data: { detail },
    });
    expect(h.call('GET', '/v2/balance/', undefined, 'wrong')).toMatchObject({
      status: 401,
      code: 'auth_error',
    });
  });

  it('of one account see the same things', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 3, 1);
    expect(h.order(id, 'key-a2').order_id).toBe(id);
    expect(h.call('GET', `/v2/orders/${id}/`, undefined, OTHER_KEY).status).toBe(404);
  });

  it('with read-only access cannot act', () => {
    const h = new Harness();
    expect(h.call('GET', '/v2/balance/', undefined, 'key-a-read').status).toBe(200);
    for (const [method, path] of [
      ['POST', '/v2/betslips/'],
      ['POST', '/v2/orders/'],
      ['POST', '/v2/orders/close_all/'],
      ['DELETE', '/v2/heartbeats/x/'],
    ] as const) {
      expect(h.call(method, path, {}, 'key-a-read')).toMatchObject({
        status: 403,
        code: 'forbidden',
        data: null,
      });
    }
  });
});

describe('budgets', () => {
  const spend = (h: Harness, times: number, key = KEY): number[] =>
    Array.from({ length: times }, () => h.call('GET', '/v2/balance/', undefined, key).status);

  /** The number of accepted requests of 100 a second, the first of them at once. */
  const acceptedIn = (h: Harness, seconds: number): number => {
    let accepted = 0;
    for (let second = 0; second <= seconds; second++) {
      accepted += spend(h, 100).filter((status) => status === 200).length;
      if (second < seconds) h.pass(1_000);
    }
    return accepted;
  };

  it('allow 100 at once and then 20 a second, per account, over all its keys', () => {
    const h = new Harness();
    expect(spend(h, 100)).not.toContain(429);
    expect(spend(h, 1, 'key-a2')).toEqual([429]);
    expect(spend(h, 1, OTHER_KEY)).toEqual([200]);
    h.pass(50);
    expect(spend(h, 2)).toEqual([200, 429]);
  });

  it('let an idle account send no more than 100 and 20 a second over any span of time', () => {
    expect(acceptedIn(new Harness(), 15)).toBe(100 + 15 * 20);
    expect(acceptedIn(new Harness(), 60)).toBe(100 + 60 * 20);
  });

  it('in the lenient reading allow 100 in each second until 1200 are spent', () => {
    const lenient = (): Harness => new Harness({ settings: { limits: LIMITS.lenient } });
    expect(acceptedIn(lenient(), 10)).toBe(11 * 100);
    // The full bucket of 1200 and its refill at 20 a second.
    expect(acceptedIn(lenient(), 60)).toBe(1200 + 60 * 20);
  });

  it('refill continuously', () => {
    const h = new Harness();
    const order = { betslip_id: h.betslip(), price: 3, stake: ['USDT', 1] };
    const place = (): number => h.call('POST', '/v2/orders/', order).status;
    expect(Array.from({ length: 6 }, place)).toEqual([201, 201, 201, 201, 201, 429]);
    h.pass(199);
    expect(place()).toBe(429);
    h.pass(1);
    expect([place(), place()]).toEqual([201, 429]);
    expect(h.exchange.inspect().accounts[0]?.throttledCount).toBe(3);
  });

  it('count orders and betslips apart from everything else', () => {
    const h = new Harness();
    spend(h, 101);
    expect(h.call('POST', '/v2/orders/', {}).status).toBe(400);
    expect(h.call('POST', '/v2/betslips/', {}).status).toBe(400);
    expect(h.call('GET', '/v2/xrates/').status).toBe(429);
  });

  it('let four offers calls be in flight', () => {
    const h = new Harness();
    const ask = (key = KEY): Wire =>
      h.call('GET', `/v2/offers/?sport=fb&event_id=${EVENT_ID}`, undefined, key);
    const four = Array.from({ length: 4 }, () => ask());
    expect(four.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(ask()).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, data: { retry_after: 1 } });
    expect(ask(OTHER_KEY).status).toBe(200);
    four[0].release();
    four[0].release();
    expect([ask().status, ask().status]).toEqual([200, 429]);
  });
});

describe('heartbeats', () => {
  it('can be read, listed, refreshed and deleted', () => {
    const h = new Harness();
    const made = h.call('POST', '/v2/heartbeats/', { timeout: 20 });
    expect(made).toMatchObject({ status: 200, data: { expiry_time: '2026-03-01T12:00:20.000+00:00' } });
    const path = `/v2/heartbeats/${made.data.heartbeat_id}/`;
    expect(h.call('GET', '/v2/heartbeats/').data).toEqual({ heartbeats: [made.data] });
    h.pass(5_000);
    const refreshed = h.call('POST', `${path}refresh/`);
    expect(refreshed.data).toEqual({ ...made.data, expiry_time: '2026-03-01T12:00:25.000+00:00' });
    expect(h.call('GET', path).data).toEqual(refreshed.data);
    expect(h.call('GET', path, undefined, OTHER_KEY).status).toBe(404);
    expect(h.call('DELETE', path)).toMatchObject({ status: 200, data: null });
    expect(h.call('DELETE', path)).toMatchObject({ status: 404, code: 'not_found' });
    const { order_id: id } = h.place('for,h', 3, 1);
    h.pass(60_000);
    expect(h.order(id).closed).toBe(false);
  });

  it('each close the orders, and are capped', () => {
    const h = new Harness({ settings: { heartbeatCap: 2 } });
    h.call('POST', '/v2/heartbeats/', { timeout: 300 });
    h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    expect(h.call('POST', '/v2/heartbeats/', { timeout: 10 })).toMatchObject({
      status: 409,
      code: 'limit_reached',
    });
    const mine = h.place('for,h', 3, 1).order_id;
    const others = h.place('for,h', 3, 1, {}, OTHER_KEY).order_id;
    h.pass(11_000);
    expect(h.order(mine)).toMatchObject({ closed: true, close_reason: 'cancelled' });
    expect(h.order(others, OTHER_KEY).closed).toBe(false);
    expect(h.exchange.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  });

  it('count towards their cap until they run out, not until the orders are closed', () => {
    const h = new Harness({ settings: { heartbeatCap: 1 } });
    h.pass(300);
    h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    const { order_id: id } = h.place('for,h', 3, 1);
    h.pass(9_999);
    expect(h.call('POST', '/v2/heartbeats/', { timeout: 10 }).code).toBe('limit_reached');
    h.pass(1);
    expect(h.call('GET', '/v2/heartbeats/').data).toEqual({ heartbeats: [] });
    expect(h.call('POST', '/v2/heartbeats/', { timeout: 10 }).status).toBe(200);
    expect(h.order(id).closed).toBe(false);
    h.pass(700);
    expect(h.order(id).closed).toBe(true);
  });

  it('close the orders at the first whole second after they expired, however often they were refreshed', () => {
    const h = new Harness();
    const made = h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    const { order_id: id } = h.place('for,h', 3, 1, { duration: 600 });
    h.pass(4_300);
    h.call('POST', `/v2/heartbeats/${made.data.heartbeat_id}/refresh/`);
    h.pass(3_400);
    h.call('POST', `/v2/heartbeats/${made.data.heartbeat_id}/refresh/`);
    h.pass(10_200);
    expect(h.order(id).closed).toBe(false);
    h.pass(1_000);
    expect(h.exchange.inspect().orders[0]).toMatchObject({
      closedBy: 'heartbeat',
      closedMs: START_MS + 18_000,
    });
  });

  it.each([
    [9_999, true],
    [10_000, true],
    [10_001, false],
  ])('close an order that was placed %d ms after a heartbeat of ten seconds: %s', (afterMs, isClosed) => {
    const h = new Harness();
    // The next check is 700 ms after the expiry.
    h.pass(300);
    h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    h.pass(afterMs);
    const { order_id: id } = h.place('for,h', 3, 1);
    h.pass(2_000);
    expect(h.order(id).closed).toBe(isClosed);
  });

  it('leave matched bets alone and withdraw advertised stake', () => {
    const h = new Harness();
    h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    const { order_id: id } = h.place('for,h', 2.2, 130);
    expect(h.exchange.market.levels(at('h'), 'for')[0]).toEqual({ price: 2.2, stakeMicros: toMicros(30) });
    h.pass(11_000);
    expect(h.order(id)).toMatchObject({ status: 'done', stake: ['USDT', 100], close_reason: 'cancelled' });
    expect(h.exchange.market.levels(at('h'), 'for')[0]?.price).toBe(2.3);
    const inspected = h.exchange.inspect().orders[0];
    expect(inspected).toMatchObject({ closedBy: 'heartbeat', closedMs: START_MS + 10_000 });
  });
});

describe('market data', () => {
  const many = (): Harness => {
    const h = new Harness();
    for (const [id, sport, inRunning] of [
      ['2026-03-01,33,44', 'fb', true],
      ['2026-03-01,55,66', 'tennis', false],
    ] as const) {
      h.exchange.market.putEvent(event({ eventId: id, sport, competitionId: 9 }), h.nowMs);
      for (const outcome of ['h', 'a']) {
        h.exchange.market.setLevel('m', { ...at(outcome, id), sport }, 'against', 2, toMicros(10), h.nowMs);
      }
      if (inRunning) h.exchange.market.goInRunning({ sport, eventId: id }, h.nowMs);
    }
    h.exchange.market.putEvent(event({ eventId: '2026-03-01,77,88' }), h.nowMs);
    return h;
  };

  it.each([
    ['', ['2026-03-01,11,22', '2026-03-01,33,44', '2026-03-01,55,66']],
    ['?sport=tennis', ['2026-03-01,55,66']],
    ['?sport=fb&sport=tennis&competition_id=9', ['2026-03-01,33,44', '2026-03-01,55,66']],
    ['?sport=fb&event_id=2026-03-01,11,22', ['2026-03-01,11,22']],
    ['?ir_status=in_running', ['2026-03-01,33,44']],
    ['?start_time_from=2026-03-01T13:00:01Z', []],
    ['?start_time_to=2026-03-01T13:00:00Z&limit=1', ['2026-03-01,11,22']],
    ['?after=fb,2026-03-01,11,22', ['2026-03-01,33,44', '2026-03-01,55,66']],
    ['?limit=1&after=fb,2026-03-01,33,44', ['2026-03-01,55,66']],
  ])('lists priced events %s', (query, ids) => {
    expect(
      many()
        .call('GET', `/v2/events/${query}`)
        .data.map((each: Wire) => each.event_id),
    ).toEqual(ids);
  });

  it.each([
    ['events/?competition_id=7', { sport: ['sport is required with competition_id or event_id'] }],
    ['events/?ir_status=later', { ir_status: ['Expected one of: pre_event, in_running.'] }],
    ['events/?limit=5001', { limit: ['Ensure this value is less than or equal to 5000.'] }],
    ['offers/?event_id=2026-03-01,1,2', { sport: ['This field is required.'] }],
    ['offers/?sport=fb', { event_id: ['This field is required.'] }],
    ['offers/?sport=fb&event_id=2026-03-01,1,2&event_id=x', { event_id: { '1': ['invalid event_id'] } }],
    [
      `offers/?sport=fb${'&event_id=2026-03-01,1,2'.repeat(21)}`,
      { event_id: ['Ensure this field has no more than 20 elements.'] },
    ],
    [
      'offers/?sport=fb&event_id=2026-03-01,1,2&min_liquidity=-1',
      { min_liquidity: ['Ensure this value is greater than or equal to 0.'] },
    ],
    [
      'offers/?sport=fb&event_id=2026-03-01,1,2&limit=0',
      { limit: ['Ensure this value is greater than or equal to 1.'] },
    ],
  ])('refuses %s', (query, reasons) => {
    const answer = many().call('GET', `/v2/${query}`);
    expect(answer).toMatchObject({ status: 400, data: { validation_errors: reasons } });
  });

  const ids = (answer: Wire): string[] =>
    answer.data.map((offer: Wire) => `${offer.event_id} ${offer.bet_type}`);
  const both = 'sport=fb&event_id=2026-03-01,33,44&event_id=2026-03-01,11,22&event_id=2026-03-01,99,99';

  it.each([
    ['', ['11,22 against,h', '11,22 for,h', '33,44 for,a', '33,44 for,h']],
    ['&bet_type=for,h', ['11,22 for,h', '33,44 for,h']],
    ['&market_type=ah', []],
    ['&market_type=wdw&market_type=ah', ['11,22 against,h', '11,22 for,h', '33,44 for,a', '33,44 for,h']],
    ['&min_liquidity=10.5', ['11,22 against,h', '11,22 for,h']],
    ['&limit=2', ['11,22 against,h', '11,22 for,h']],
    ['&limit=2&after=2026-03-01,11,22,for,h', ['33,44 for,a', '33,44 for,h']],
    ['&after=2026-03-01,11,22,against,h', ['11,22 for,h', '33,44 for,a', '33,44 for,h']],
  ])('pages offers by event and bet type %s', (query, expected) => {
    const answer = many().call('GET', `/v2/offers/?${both}${query}`);
    expect(answer.headers['cache-control']).toBe('private, max-age=2');
    expect(ids(answer)).toEqual(expected.map((each) => `2026-03-01,${each}`));
  });

  it('knows only enabled sports and known accounts', () => {
    const accounts = [
      { accountId: 'a', keys: ['tennis'], balanceMicros: 0, sports: ['tennis'] },
      { accountId: 'b', keys: ['unknown'], balanceMicros: 0, knownToFeed: false },
    ];
    const h = new Harness({ accounts });
    const path = `/v2/offers/?sport=fb&event_id=${EVENT_ID}`;
    expect(h.call('GET', path, undefined, 'tennis')).toMatchObject({ status: 200, data: [] });
    expect(h.call('GET', '/v2/events/', undefined, 'tennis').data).toEqual([]);
    expect(h.call('GET', path, undefined, 'unknown')).toMatchObject({
      status: 403,
      code: 'invalid_customer',
    });
    const stranger = h.connect('unknown');
    stranger.send('register_event', 'fb', EVENT_ID);
    expect(stranger.payloads('response')).toEqual([{ status: 'error', code: 'invalid_customer' }]);
    const player = h.connect('tennis');
    player.send('register_event', 'fb', EVENT_ID);
    expect(
      player
        .read()
        .map(([tag]) => tag)
        .filter((tag) => tag === 'offer' || tag === 'event'),
    ).toEqual([]);
  });

  it('is warming while the feed loads', () => {
    const h = new Harness({ settings: { warmupMs: 3_000 } });
    expect(h.call('GET', '/v2/events/')).toMatchObject({ status: 503, code: 'warming' });
    const client = h.connect();
    expect(client.payloads('sync')).toEqual([]);
    h.pass(3_000);
    expect(h.call('GET', '/v2/events/').data).toHaveLength(1);
    expect(
      client
        .read()
        .slice(0, 2)
        .map(([tag]) => tag),
    ).toEqual(['event', 'sync']);
  });

  it('returns what a bet type pays', () => {
    const h = new Harness();
    const { data } = h.call('GET', '/v2/sports/fb/bet_types/for,h/');
    expect(data).toMatchObject({ sport: 'Football', bet_type_description: 'for h' });
    expect([data.winloss_grid[1][0], data.winloss_grid[0][0]]).toEqual(['w', 'l']);
    expect(h.call('GET', '/v2/sports/fb/bet_types/against%2Ch/').data.winloss_grid[1][0]).toBe('l');
    for (const betType of ['nonsense', 'for,win,3']) {
      expect(h.call('GET', `/v2/sports/fb/bet_types/${betType}/`)).toMatchObject({
        status: 400,
        code: 'invalid_bet_type',
        data: { bet_type: betType },
      });
    }
  });

  it('returns exchange rates to USDT', () => {
    const rates = new Harness().call('GET', '/v2/xrates/').data;
    expect(rates).toContainEqual({ ccy: 'USDT', rate: 1 });
  });
});
