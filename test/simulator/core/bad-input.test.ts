import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EVENT_ID, Harness, KEY, OTHER_KEY } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const SEGMENTS = [
  'v2',
  'magic-api',
  'betslips',
  'orders',
  'heartbeats',
  'events',
  'offers',
  'balance',
  'xrates',
];
const DEEPER = [
  'close',
  'close_many',
  'close_all',
  'position',
  'updates',
  'tracked',
  'refresh',
  'sports',
  'bet_types',
];

const segment = fc.oneof(
  fc.constantFrom(...SEGMENTS, ...DEEPER),
  fc.constantFrom('1', '-1', '1e9', 'fb', 'for,h', '%2C', '%', '..', ' ', '{order_id}', '__proto__'),
  fc.string({ maxLength: 8 }),
);
const parameter = fc.tuple(
  fc.constantFrom(
    'sport',
    'event_id',
    'limit',
    'page',
    'after',
    'status',
    'updated_at_from',
    'min_liquidity',
    '__proto__',
  ),
  fc.oneof(
    fc.constantFrom('fb', EVENT_ID, '1', '-1', 'NaN', '1e400', '2026-03-01', ''),
    fc.string({ maxLength: 12 }),
  ),
);
const target = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.boolean(), fc.array(parameter, { maxLength: 4 }))
  .map(([segments, versioned, parameters]) => {
    const path = `/${[...(versioned ? ['v2'] : []), ...segments].join('/')}/`;
    const query = parameters.map(([name, value]) => `${name}=${value}`).join('&');
    return query === '' ? path : `${path}?${query}`;
  });

const field = fc.constantFrom(
  'betslip_id',
  'price',
  'stake',
  'duration',
  'request_uuid',
  'sport',
  'event_id',
  'bet_type',
  'betslip_type',
  'legs',
  'order_ids',
  'timeout',
  'exchange_mode',
  'min_taker_want_stake',
  'current_score',
  'bookie_min_stakes',
  'user_data',
  '__proto__',
  'constructor',
);
const value = fc.oneof(
  fc.constantFrom<unknown>(
    'fb',
    EVENT_ID,
    'for,h',
    'normal',
    'parlay',
    ['USDT', 5],
    ['USDT', -1],
    2.2,
    15,
    null,
    true,
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const body = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(field, value).map((object) => JSON.stringify(object)) },
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc.string(),
);
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'get', ''),
  target: fc.oneof({ weight: 3, arbitrary: target }, fc.string()),
  apiKey: fc.constantFrom(KEY, KEY, KEY, OTHER_KEY, 'key-a-read', 'nobody', '', null),
  body,
});

const DOCUMENTED: Readonly<Record<number, readonly string[]>> = {
  400: ['validation_error', 'order_closed', 'invalid_bet_type'],
  401: ['auth_error'],
  403: ['forbidden', 'too_many_open_betslips', 'invalid_customer'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: ['order_already_created', 'limit_reached'],
  429: ['throttled'],
  503: ['warming'],
};

function truth(h: Harness): string {
  const { accounts, ...rest } = h.exchange.inspect();
  return JSON.stringify({ ...rest, accounts: accounts.map(({ throttledCount: _, ...account }) => account) });
}

it('answers any request as documented, and changes nothing when it refuses', () => {
  const h = new Harness({ settings: UNLIMITED });
  h.place('for,h', 3, 5);
  fc.assert(
    fc.property(request, (asked) => {
      const before = truth(h);
      const answer = h.exchange.request(asked, h.nowMs);
      answer.release?.();
      const envelope = JSON.parse(answer.body);
      if (answer.status < 300) return void expect(envelope).toMatchObject({ status: 'ok' });
      expect(envelope.status).toBe('error');
      expect(DOCUMENTED[answer.status]).toContain(envelope.code);
      expect(truth(h)).toBe(before);
    }),
    { numRuns: 5_000 },
  );
  expect(h.call('GET', '/v2/balance/').status).toBe(200);
});

const command = fc.oneof(
  fc.string(),
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc
    .array(
      fc.oneof(fc.constantFrom('register_event', 'unregister_event', 'echo', 'fb', EVENT_ID), fc.jsonValue()),
    )
    .map((array) => JSON.stringify(array)),
);

it('answers any frame in band, once, and keeps the connection', () => {
  const h = new Harness({ settings: { registeredEventCap: 3 } });
  const client = h.connect();
  client.read();
  fc.assert(
    fc.property(command, (text) => {
      client.sendText(text);
      const responses = client.payloads('response');
      expect(responses).toHaveLength(1);
      expect(['ok', 'error']).toContain(responses[0].status);
    }),
    { numRuns: 5_000 },
  );
  client.send('echo', 'alive');
  expect(client.payloads('response')).toEqual([{ status: 'ok', data: ['alive'] }]);
});
