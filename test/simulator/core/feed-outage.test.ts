import { expect, it } from 'vitest';
import { EVENT, EVENT_ID, Harness } from './harness.ts';

const MARKET_DATA = ['/v2/events/', `/v2/offers/?sport=fb&event_id=${EVENT_ID}`];

const codes = (h: Harness): (string | undefined)[] => MARKET_DATA.map((path) => h.call('GET', path).code);

/** The tags of what a client received, without the periodic `info`. */
function told(client: ReturnType<Harness['connect']>): string[] {
  return client
    .read()
    .map(([tag]) => tag)
    .filter((tag) => tag !== 'info');
}

function outage(outageMs?: number, warmupMs = 0) {
  const h = new Harness({ settings: { warmupMs } });
  h.pass(warmupMs);
  const client = h.connect();
  client.send('register_event', 'fb', EVENT_ID);
  client.read();
  h.exchange.market.clear(h.nowMs, outageMs);
  return { h, client };
}

it('clears, answers warming to the last millisecond, then sends events, sync and the registered offers', () => {
  const { h, client } = outage(3_000);
  expect(told(client)).toEqual(['clear_events']);
  h.pass(2_999);
  expect(codes(h)).toEqual(['warming', 'warming']);
  expect(told(client)).toEqual([]);
  h.pass(1);
  expect(codes(h)).toEqual([undefined, undefined]);
  const tags = told(client);
  expect(tags.filter((tag) => ['event', 'sync', 'offer'].includes(tag))).toEqual([
    'event',
    'sync',
    'offer',
    'offer',
  ]);
});

it('sends no live state meanwhile, and the last one afterwards', () => {
  const { h, client } = outage(3_000);
  client.read();
  h.exchange.market.setScore(EVENT, 1, 0, h.nowMs);
  h.exchange.market.setTime(EVENT, '1h', 12, h.nowMs);
  h.exchange.market.setScore(EVENT, 2, 0, h.nowMs);
  expect(told(client)).toEqual([]);
  h.pass(3_000);
  expect(client.payloads('event_score').map(({ score }) => score)).toEqual([[2, 0]]);
});

it('sends a connection that opens meanwhile its events and sync only when the feed is back', () => {
  const { h } = outage(3_000);
  const late = h.connect();
  late.send('register_event', 'fb', EVENT_ID);
  expect(told(late)).toEqual(['response']);
  h.pass(3_000);
  const tags = told(late);
  expect(tags.slice(0, 2)).toEqual(['event', 'sync']);
  expect(tags).toContain('offer');
});

it('lasts as long as the feed takes to load, if no length is given', () => {
  const { h } = outage(undefined, 500);
  h.pass(499);
  expect(codes(h)).toEqual(['warming', 'warming']);
  h.pass(1);
  expect(codes(h)).toEqual([undefined, undefined]);
});

it('is not shortened by a shorter one, and is told again', () => {
  const { h, client } = outage(3_000);
  h.pass(1_000);
  h.exchange.market.clear(h.nowMs, 500);
  expect(told(client)).toEqual(['clear_events', 'clear_events']);
  h.pass(1_999);
  expect(codes(h)).toEqual(['warming', 'warming']);
  h.pass(1);
  expect(codes(h)).toEqual([undefined, undefined]);
  expect(told(client).filter((tag) => tag === 'sync')).toHaveLength(1);
});

it('is prolonged by a longer one', () => {
  const { h } = outage(1_000);
  h.exchange.market.clear(h.nowMs, 2_000);
  h.pass(1_999);
  expect(codes(h)).toEqual(['warming', 'warming']);
  h.pass(1);
  expect(codes(h)).toEqual([undefined, undefined]);
});

it('ends early on request, once, and leaves the next outage its full length', () => {
  const { h, client } = outage(60_000);
  h.pass(100);
  h.exchange.market.recover(h.nowMs);
  h.exchange.market.recover(h.nowMs);
  expect(told(client).filter((tag) => tag === 'sync')).toHaveLength(1);
  h.pass(2_000);
  h.exchange.market.clear(h.nowMs, 2_000);
  h.pass(1_500);
  expect(codes(h)).toEqual(['warming', 'warming']);
  h.pass(500);
  expect(codes(h)).toEqual([undefined, undefined]);
});

it('leaves orders and betslips at work', () => {
  const { h } = outage(3_000);
  expect(h.tryPlace('for,h', 2.2, 10).status).toBe(201);
});

it('changes nothing when the feed is there and asked to recover', () => {
  const h = new Harness();
  const client = h.connect();
  client.read();
  h.exchange.market.recover(h.nowMs);
  expect(told(client)).toEqual([]);
});

it('removes nothing afterwards that was cleared with the feed', () => {
  const { h, client } = outage(3_000);
  client.read();
  for (const price of [2.3, 2.4]) h.rest('h', 'for', price, 0);
  h.pass(3_000);
  const back = client.read();
  expect(back.filter(([tag]) => tag === 'offer').map(([, { bet_type }]) => bet_type)).toEqual(['for,h']);
  h.rest('h', 'against', 2.2, 50);
  h.pass(60_000);
  const later = client.read().filter(([tag]) => tag === 'offer' || tag === 'remove_offer');
  expect(later.map(([tag, { bet_type }]) => [tag, bet_type])).toEqual([['offer', 'for,h']]);
  // What goes from now on is told as ever.
  for (const price of [2.1, 2.2]) h.rest('h', 'against', price, 0);
  h.pass(60_000);
  expect(client.payloads('remove_offer').map(({ bet_type }) => bet_type)).toEqual(['for,h']);
});
