import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Harness, KEY, OTHER_KEY, type Wire } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const KEYS = [KEY, OTHER_KEY] as const;
const ID_FIELDS = [
  'order_id',
  'betslip_id',
  'heartbeat_id',
  'bet_id',
  'session_id',
  'user_data',
  'customer_username',
];

/** Every value in a field that names a part of an account, anywhere in the JSON. */
function namesIn(json: Wire): string[] {
  if (Array.isArray(json)) return json.flatMap(namesIn);
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries<Wire>(json).flatMap(([field, value]) =>
    ID_FIELDS.includes(field) && value !== null ? [`${field} ${value}`] : namesIn(value),
  );
}

const act = fc.record({
  who: fc.constantFrom(0, 1),
  what: fc.constantFrom('place', 'place', 'place', 'quote', 'heartbeat', 'close all', 'list', 'pass'),
  direction: fc.constantFrom('for', 'against'),
  price: fc.constantFrom(2.22, 2.24, 2.26),
  stake: fc.integer({ min: 1, max: 50 }),
});

it('shows an account nothing of another, in any answer or frame', () => {
  let trades = 0;
  fc.assert(
    fc.property(fc.array(act, { minLength: 15, maxLength: 40, size: 'max' }), (acts) => {
      const h = new Harness({ settings: UNLIMITED });
      const received: [Set<string>, Set<string>] = [new Set(), new Set()];
      const connections = KEYS.map((key) => h.connect(key).connection);
      const read = (): void => {
        for (const outgoing of h.exchange.drain()) {
          if (outgoing.kind !== 'frame') continue;
          const who = connections.indexOf(outgoing.connection) as 0 | 1;
          for (const name of namesIn(JSON.parse(outgoing.text))) received[who].add(name);
        }
      };
      for (const { who, what, direction, price, stake } of acts) {
        const key = KEYS[who] as string;
        const ask = (method: string, target: string, body?: object): Wire => {
          const { data } = h.call(method, target, body, key);
          for (const name of namesIn(data)) received[who as 0 | 1].add(name);
          return data;
        };
        if (what === 'place' || what === 'quote') {
          const selection = {
            sport: 'fb',
            event_id: '2026-03-01,11,22',
            bet_type: `${direction},h`,
            user_data: key,
          };
          const { betslip_id: id } = ask('POST', '/v2/betslips/', selection);
          const body = { betslip_id: id, price, stake: ['USDT', stake], user_data: key };
          if (what === 'place') ask('POST', '/v2/orders/', body);
        }
        if (what === 'heartbeat') ask('POST', '/v2/heartbeats/', { timeout: 10 });
        if (what === 'close all') ask('POST', '/v2/orders/close_all/');
        if (what === 'pass') h.pass(3_000);
        if (what === 'list') {
          for (const path of ['orders', 'betslips', 'heartbeats', 'balance']) ask('GET', `/v2/${path}/`);
        }
        read();
      }
      const [first, second] = received;
      expect([...first].filter((name) => second.has(name))).toEqual([]);
      trades += [...first].filter((name) => name.startsWith('bet_id')).length;
    }),
    { numRuns: 60 },
  );
  expect(trades).toBeGreaterThan(60);
});
