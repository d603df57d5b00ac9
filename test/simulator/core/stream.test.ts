import { expect, it } from 'vitest';
import { EVENT, EVENT_ID, Harness, OTHER_KEY, START_MS, type Wire } from './harness.ts';

it.each([
  [{}, 400, 'missing_credentials'],
  [{ api_key: 'nobody' }, 401, 'auth_rejected'],
  [{ api_key: 'key-a', lang: 'xx' }, 400, 'invalid_lang'],
])('refuses the handshake %j', (query, status, body) => {
  const h = new Harness();
  expect(h.exchange.connect(query as Record<string, string>, START_MS)).toEqual({ ok: false, status, body });
});

it('sends events, then sync', () => {
  const h = new Harness();
  const entries = h.connect().read();
  expect(entries.slice(0, 2)).toMatchObject([
    ['event', { event_id: EVENT_ID, ir_status: 'pre_event', home: 'Home' }],
    ['sync', { session_id: expect.any(String) }],
  ]);
});

it('sends a snapshot on registration and the full set again when prices changed', () => {
  const h = new Harness();
  const client = h.connect();
  client.read();
  client.send('register_event', 'fb', EVENT_ID);
  const entries = client.read();
  expect(entries.map(([tag]) => tag)).toEqual(['offer', 'offer', 'response']);
  expect(entries[0]?.[1]).toEqual({
    sport: 'fb',
    event_id: EVENT_ID,
    bet_type: 'for,h',
    market_type: 'wdw',
    in_running: false,
    price_list: [
      { effective: { price: 2.2, min: null, max: ['USDT', 100] } },
      { effective: { price: 2.1, min: null, max: ['USDT', 100] } },
    ],
  });
  expect(entries[1]?.[1].price_list.map((level: Wire) => level.effective.price)).toEqual([2.4, 2.3]);
  h.pass(2_000);
  client.read();
  h.pass(4_000);
  expect(client.payloads('offer')).toEqual([]);
  h.rest('h', 'against', 2.2, 150);
  h.pass(2_000);
  expect(client.payloads('offer')).toMatchObject([{ bet_type: 'for,h' }, { bet_type: 'against,h' }]);
  h.exchange.market.setSuspended(EVENT, true, h.nowMs);
  expect(client.payloads('remove_offer')).toHaveLength(2);
});

it('answers commands in band', () => {
  const h = new Harness({ settings: { registeredEventCap: 2 } });
  const client = h.connect();
  client.read();
  const said = (text: string): unknown => {
    client.sendText(text);
    return client.payloads('response')[0];
  };
  expect(said('{')).toEqual({ status: 'error', code: 'bad_json' });
  expect(said('[]')).toEqual({ status: 'error', code: 'bad_json' });
  expect(said('["nope"]')).toEqual({ status: 'error', code: 'invalid_input' });
  expect(said('["register_event","fb"]')).toEqual({ status: 'error', code: 'invalid_input' });
  expect(said('["echo",1,{"a":2}]')).toEqual({ status: 'ok', data: [1, { a: 2 }] });
  const nested = (levels: number): string => `["echo",${'['.repeat(levels)}${']'.repeat(levels)}]`;
  expect(said(nested(500))).toMatchObject({ status: 'ok' });
  expect(said(nested(32_000))).toEqual({ status: 'error', code: 'invalid_input' });
  expect(said('["register_event","fb","x"]')).toEqual({ status: 'ok', data: null });
  expect(said('["register_event","fb","x"]')).toEqual({ status: 'error', code: 'already_registered' });
  expect(said('["list_registered_events"]')).toEqual({
    status: 'ok',
    data: { registered_events: [['fb', 'x']] },
  });
  const second = h.connect('key-a2');
  second.send('register_event', 'fb', 'y');
  second.send('register_event', 'fb', 'z');
  expect(second.payloads('response')).toMatchObject([
    { status: 'ok' },
    { status: 'error', code: 'customer_event_limit_exceeded' },
  ]);
  expect(said('["unregister_event","fb","x"]')).toMatchObject({ status: 'ok' });
  expect(said('["unregister_event","fb","x"]')).toMatchObject({ status: 'ok' });
});

it('counts registrations over all connections of an account, and of no other, until they end', () => {
  const h = new Harness({ settings: { registeredEventCap: 2 } });
  const [first, second, other] = [h.connect(), h.connect('key-a2'), h.connect(OTHER_KEY)];
  const register = (client: typeof first, id: string): unknown => {
    client.send('register_event', 'fb', id);
    return client.payloads('response').at(-1).status;
  };
  expect([register(first, 'x'), register(second, 'x'), register(second, 'y')]).toEqual(['ok', 'ok', 'error']);
  expect([register(other, 'x'), register(other, 'y'), register(other, 'z')]).toEqual(['ok', 'ok', 'error']);
  h.exchange.disconnect(first.connection);
  expect([register(second, 'y'), register(second, 'z')]).toEqual(['ok', 'error']);
  second.send('unregister_event', 'fb', 'x');
  second.payloads('response');
  expect([register(second, 'z'), register(second, 'x')]).toEqual(['ok', 'error']);
});

it('tells of the removal of an offer only those who were sent it', () => {
  const h = new Harness();
  const [first, second] = [h.connect(), h.connect()];
  first.send('register_event', 'fb', EVENT_ID);
  h.pass(1_000);
  first.send('unregister_event', 'fb', EVENT_ID);
  for (const price of [2.2, 2.1]) h.rest('h', 'against', price, 0);
  h.pass(1_000);
  second.send('register_event', 'fb', EVENT_ID);
  h.rest('h', 'for', 2.3, 50);
  h.pass(1_000);
  expect(second.payloads('remove_offer')).toEqual([]);
  for (const price of [2.3, 2.4]) h.rest('h', 'for', price, 0);
  h.pass(1_000);
  expect(second.payloads('remove_offer')).toHaveLength(1);
});

it('quotes a betslip after two seconds and again every two', () => {
  const h = new Harness();
  const client = h.connect();
  const betslipId = h.betslip();
  h.pass(1_999);
  expect(client.payloads('pmm')).toEqual([]);
  expect(h.call('GET', `/v2/betslips/${betslipId}/`).data.price_list).toEqual([]);
  h.pass(1);
  expect(client.payloads('pmm')).toMatchObject([
    { betslip_id: betslipId, bet_type: 'for,h', status: { code: 'success' }, total: ['USDT', 200] },
  ]);
  expect(h.call('GET', `/v2/betslips/${betslipId}/`).data.price_list).toHaveLength(2);
  h.pass(2_000);
  expect(client.payloads('pmm')).toHaveLength(1);
  h.call('DELETE', `/v2/betslips/${betslipId}/`);
  h.pass(10_000);
  const entries = client.read();
  expect(entries.filter(([tag]) => tag === 'pmm')).toEqual([]);
  expect(entries.filter(([tag]) => tag === 'betslip_closed')).toHaveLength(1);
});

it('sends an account, and no other, its orders, bets and balance', () => {
  const h = new Harness();
  const own = h.connect();
  const other = h.connect(OTHER_KEY);
  own.read();
  const { order_id: orderId } = h.place('for,h', 2.2, 10);
  const tags = own.read().map(([tag, payload]) => [tag, payload.status?.code ?? payload.status ?? null]);
  expect(tags.filter(([tag]) => tag === 'order' || tag === 'bet')).toEqual([
    ['order', 'open'],
    ['bet', 'success'],
    ['order', 'pending'],
    ['order', 'done'],
  ]);
  expect(tags.map(([tag]) => tag)).toContain('balance');
  expect(orderId).toBeGreaterThan(0);
  h.pass(1);
  expect(
    other
      .read()
      .map(([tag]) => tag)
      .filter((tag) => ['order', 'bet'].includes(tag)),
  ).toEqual([]);
});

it('keeps the registrations of an event whose end is not sent while the feed is lost', () => {
  const h = new Harness({ settings: { warmupMs: 500 } });
  h.pass(500);
  const client = h.connect();
  client.send('register_event', 'fb', EVENT_ID);
  h.exchange.market.clear(h.nowMs);
  h.exchange.market.removeEvent(EVENT, h.nowMs);
  h.pass(500);
  expect(client.read().map(([tag]) => tag)).not.toContain('remove_event');
  h.price();
  h.pass(2_000);
  expect(client.read().map(([tag]) => tag)).toEqual(expect.arrayContaining(['event', 'offer']));
});
