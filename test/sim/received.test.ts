import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RequestUuid } from '../../src/domain/ids.ts';
import { type InstallationId, userDataOf } from '../../src/domain/installation.ts';
import { Received } from './received.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');

/** A run's view of a stream, which receives frames. */
function listener() {
  let nowMs = 0;
  const received = new Received(() => nowMs, START_MS);
  const connection = 1;
  received.stream({ kind: 'open', monotonicMs: nowMs, connection });
  received.betslips.set('s1', 1);
  const say = (text: string): void => {
    nowMs += 100;
    received.stream({ kind: 'received', monotonicMs: nowMs, connection, data: Buffer.from(text) });
  };
  const terminate = (): void => received.stream({ kind: 'terminated', monotonicMs: nowMs, connection });
  return { received, terminate, say };
}

const market = fc.record({
  sport: fc.constantFrom('fb', 'tennis'),
  event_id: fc.constantFrom('e1', 'e "2"'),
  bet_type: fc.constantFrom('for,h', 'against,h', 'for,a', 'odd"one'),
});
const own = fc.nat({ max: 5 });
const entry = fc.oneof(
  market.map((of) => ['offer', { ...of, in_running: false, price_list: [] }]),
  market.map((of) => ['pmm', { betslip_id: 's1', ...of }]),
  fc.constant(['pmm', { betslip_id: 's1', sport: null, event_id: null, bet_type: null }]),
  own.map((id) => ['order', { order_id: id }]),
  own.map((id) => ['bet', { bet_id: id, order_id: id, status: { code: 'success' } }]),
  own.map((s) => ['betslip', { betslip_id: 's1', expiry_ts: new Date(START_MS + s * 1000).toISOString() }]),
  fc.constant(['betslip_closed', { betslip_id: 's1' }]),
  fc.constant(['event', { event_id: 'e1' }]),
);

it('reads the same from a frame as written by the exchange as from any other text of it', () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 4 }), { maxLength: 6 }), (frames) => {
      const [short, long] = [listener(), listener()];
      for (const data of frames) {
        short.say(JSON.stringify({ ts: 'now', data }));
        long.say(JSON.stringify({ ts: 'now', data }, null, 1));
      }
      const stateOf = ({ received }: typeof short) => ({
        orders: [...received.orders],
        bets: [...received.bets],
        betslips: [...received.betslips],
        ages: ['fb', 'tennis', 'null'].flatMap((sport) =>
          ['e1', 'e "2"', 'null'].flatMap((eventId) =>
            ['h', 'a', 'odd"one', 'null'].map((outcome) => [
              received.priceAgeMs({ sport, eventId, betType: `for,${outcome}` }),
              received.pricedMs({ sport, eventId, betType: outcome }),
            ]),
          ),
        ),
      });
      expect(stateOf(short)).toEqual(stateOf(long));
    }),
  );
});

it('keeps the prices of sports that share an event id apart', () => {
  const { received, say } = listener();
  const offer = { sport: 'fb', event_id: 'e1', bet_type: 'for,h', in_running: false, price_list: [] };
  say(JSON.stringify({ ts: 'now', data: [['offer', offer]] }));
  const home = { sport: 'fb', eventId: 'e1', betType: 'against,h' };
  expect(received.priceAgeMs(home)).toBe(0);
  expect(received.priceAgeMs({ ...home, sport: 'fb_ht' })).toBe(Infinity);
});

it('receives nothing on a connection that the run has given up', () => {
  const { received, terminate, say } = listener();
  const frame = (tag: string, data: object): string => JSON.stringify({ ts: 'now', data: [[tag, data]] });
  const name = { sport: 'fb', event_id: 'e1', bet_type: 'for,h' };
  say(frame('order', { order_id: 1 }));
  terminate();
  say(frame('order', { order_id: 2 }));
  say(frame('remove_offer', name));
  expect([...received.orders.keys()]).toEqual([1]);
  expect(received.offers.takeGone()).toEqual([]);
});

it('no longer knows a betslip that the exchange does not know', () => {
  const { received } = listener();
  const what = 'POST /v2/betslips/s1/refresh/';
  const sent = { what, path: '/v2/betslips/s1/refresh/', atMs: 0, body: null };
  received.request(sent);
  received.answered(sent, { status: 200, headers: {}, body: '{"status":"ok","data":null}' });
  expect([...received.betslips.keys()]).toEqual(['s1']);
  received.request(sent);
  received.answered(sent, {
    status: 404,
    headers: {},
    body: '{"status":"error","code":"not_found","data":null}',
  });
  expect([...received.betslips.keys()]).toEqual([]);
});

it('knows an order by the mark that the daemon puts on it', () => {
  const received = new Received(() => 0, START_MS);
  const [installation, uuid] = ['installation' as InstallationId, '9706666d-8e83-440e-8216-091dd5212b48'];
  const sent = { what: 'GET /v2/orders/7/', path: '/v2/orders/7/', body: null, atMs: 0 };
  const times = { placement_time: '2026-03-01T12:00:00Z', expiry_time: '2026-03-01T12:00:30Z' };
  const order = { order_id: 7, want_price: 2.5, want_stake: ['USDT', 20], ...times };
  const user_data = userDataOf({ installation, run: 'run', uuid: uuid as RequestUuid });
  const body = JSON.stringify({ status: 'ok', data: { ...order, user_data } });
  received.answered(sent, { status: 200, headers: {}, body });
  expect(received.shown).toEqual([{ uuid, price: 2.5, stake: 20, livesMs: 30_000, atMs: 0 }]);
});
