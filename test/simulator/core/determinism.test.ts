import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { integerBetween, type Random, seededRandom } from '../../../src/lib/random.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { createExchange, type Exchange } from '../../../src/simulator/core/exchange.ts';
import { createModelFeed } from '../../../src/simulator/feeds/model/index.ts';
import { START_MS } from './harness.ts';

const KEYS = ['one', 'two'];

function newExchange(seed: number, onOrder: (order: InspectedOrder) => void = () => undefined): Exchange {
  return createExchange({
    onOrder,
    accounts: KEYS.map((key) => ({ accountId: key, keys: [key], balanceMicros: toMicros(10_000) })),
    feeds: [createModelFeed({ seed, startWallMs: START_MS, events: 3 })],
    parseBetType,
    random: seededRandom(seed, 'exchange'),
    settings: { priceConvention: 'lay' },
    startMs: START_MS,
  });
}

/** A client that acts by a random source, on the exchange's offers. */
function act(exchange: Exchange, random: Random, nowMs: number): string {
  const apiKey = KEYS[integerBetween(random, 0, 1)] as string;
  const ask = (method: string, target: string, body?: object): string =>
    exchange.request({ method, target, apiKey, body: body === undefined ? '' : JSON.stringify(body) }, nowMs)
      .body;
  const kind = integerBetween(random, 0, 9);
  if (kind === 0) return ask('POST', '/v2/orders/close_all/');
  if (kind === 1) return ask('POST', '/v2/heartbeats/', { timeout: 10 });
  if (kind === 2) return ask('GET', '/v2/orders/');
  return place(exchange, random, ask);
}

function place(
  exchange: Exchange,
  random: Random,
  ask: (method: string, target: string, body?: object) => string,
): string {
  const { events } = exchange.inspect();
  const { sport, eventId } = events[integerBetween(random, 0, events.length - 1)] as {
    sport: string;
    eventId: string;
  };
  const offers = JSON.parse(ask('GET', `/v2/offers/?sport=${sport}&event_id=${eventId}&limit=5`)).data ?? [];
  const offer = offers[integerBetween(random, 0, Math.max(0, offers.length - 1))];
  if (offer === undefined) return 'nothing on offer';
  const betslip = JSON.parse(
    ask('POST', '/v2/betslips/', { sport, event_id: eventId, bet_type: offer.bet_type }),
  );
  const price = offer.price_list[0].effective.price;
  const stake = ['USDT', integerBetween(random, 1, 100)];
  return ask('POST', '/v2/orders/', { betslip_id: betslip.data?.betslip_id ?? 'none', price, stake });
}

/** Everything that the exchange sends in a run. */
function transcript(seed: number, seconds: number): string[] {
  const exchange = newExchange(seed);
  const random = seededRandom(seed, 'client');
  const said: string[] = [];
  for (const key of KEYS) exchange.connect({ api_key: key }, START_MS);
  for (const { sport, eventId } of exchange.inspect().events) {
    exchange.receive(1, JSON.stringify(['register_event', sport, eventId]), START_MS);
  }
  for (let ms = 0; ms <= seconds * 1000; ms += 250) {
    exchange.advance(START_MS + ms);
    if (ms % 1000 === 0) said.push(act(exchange, random, START_MS + ms));
    for (const outgoing of exchange.drain()) said.push(JSON.stringify(outgoing));
  }
  said.push(JSON.stringify(exchange.inspect()));
  return said;
}

it('sends the same bytes for the same seed, and others for another', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const said = transcript(seed, 40);
      expect(transcript(seed, 40)).toEqual(said);
      expect(said.some((text) => text.includes('\\"bet\\"'))).toBe(true);
      expect(transcript(seed + 1, 40)).not.toEqual(said);
    }),
    { numRuns: 3 },
  );
});

it('sends the same whether time passes in small steps or large ones', () => {
  const frames = (stepMs: number): string[] => {
    const exchange = newExchange(7);
    exchange.connect({ api_key: 'one' }, START_MS);
    for (let ms = 0; ms <= 20_000; ms += stepMs) exchange.advance(START_MS + ms);
    return [JSON.stringify(exchange.inspect())];
  };
  expect(frames(10)).toEqual(frames(5_000));
});

it('reports every change to an order, so that a listener knows what an inspection shows', () => {
  const reported = new Map<number, InspectedOrder>();
  const exchange = newExchange(3, (order) => reported.set(order.orderId, order));
  const random = seededRandom(3, 'client');
  for (let ms = 0; ms <= 120_000; ms += 250) {
    exchange.advance(START_MS + ms);
    if (ms % 500 === 0) act(exchange, random, START_MS + ms);
    expect([...reported.values()]).toEqual(exchange.inspect().orders);
  }
  for (const each of exchange.inspect().events) exchange.market.voidEvent(each, START_MS + 120_000);
  const orders = [...reported.values()];
  expect(orders).toEqual(exchange.inspect().orders);
  const ends = new Set(orders.map(({ closedBy, status }) => `${closedBy} ${status}`));
  // The failed ones were closed before they had reached their books.
  for (const end of ['filled full_void', 'request full_void', 'request failed']) expect(ends).toContain(end);
});
