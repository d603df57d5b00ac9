import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { betslipId, eventId, heartbeatId, orderId } from '../../src/domain/ids.ts';
import type { ExchangeClient } from '../../src/venue/index.ts';
import { exchangeWithMarket } from '../contract/venue-subject.ts';
import { KNOWN_OUTCOMES } from '../../src/venue/rest/endpoints.ts';
import { refused } from './support/fake-transports.ts';
import { makeClient } from './support/make-client.ts';
import { settled } from './support/make-venue.ts';
import { EVENT, FB, FOR_HOME, placeOrder } from './support/samples.ts';

const MARKET = { sport: FB, eventId: EVENT, betType: FOR_HOME };
const ORDER = placeOrder();

/** Every endpoint of the exchange, and the method that requests it. */
const METHODS: Readonly<Record<string, (client: ExchangeClient) => Promise<unknown>>> = {
  'GET /v2/betslips/': (c) => c.betslips.list(),
  'POST /v2/betslips/': (c) => c.betslips.create(MARKET),
  'GET /v2/betslips/{betslip_id}/': (c) => c.betslips.get(betslipId('s')),
  'DELETE /v2/betslips/{betslip_id}/': (c) => c.betslips.delete(betslipId('s')),
  'POST /v2/betslips/{betslip_id}/refresh/': (c) => c.betslips.refresh(betslipId('s')),
  'GET /v2/orders/': (c) => c.orders.list(),
  'POST /v2/orders/': (c) => c.orders.place(ORDER),
  'GET /v2/orders/{order_id}/': (c) => c.orders.get(orderId(1)),
  'GET /v2/orders/updates/': (c) => c.orders.updates(0, 1),
  'GET /v2/orders/tracked/{uuid}/': (c) => c.orders.tracked(ORDER.requestUuid),
  'POST /v2/orders/{order_id}/close/': (c) => c.orders.close(orderId(1)),
  'POST /v2/orders/close_many/': (c) => c.orders.closeMany([orderId(1)]),
  'POST /v2/orders/close_all/': (c) => c.orders.closeAll(),
  'GET /v2/orders/position/': (c) => c.orders.position(),
  'GET /v2/balance/': (c) => c.account.balance(),
  'GET /v2/xrates/': (c) => c.account.xrates(),
  'GET /v2/heartbeats/': (c) => c.heartbeats.list(),
  'POST /v2/heartbeats/': (c) => c.heartbeats.create(30),
  'GET /v2/heartbeats/{heartbeat_id}/': (c) => c.heartbeats.get(heartbeatId('h')),
  'DELETE /v2/heartbeats/{heartbeat_id}/': (c) => c.heartbeats.delete(heartbeatId('h')),
  'POST /v2/heartbeats/{heartbeat_id}/refresh/': (c) => c.heartbeats.refresh(heartbeatId('h')),
  'GET /v2/events/': (c) => c.marketData.events(),
  'GET /v2/offers/': (c) => c.marketData.offers({ sport: FB, eventIds: [EVENT] }),
  'GET /v2/sports/{sport}/bet_types/{bet_type}/': (c) => c.marketData.betType(FB, FOR_HOME),
};

/** The position's filters in a body: the specification names this form in passing, and has `GET` among the endpoints. */
const NOT_ASKED = ['POST /v2/orders/position/'];

/** The values for a path's braces. */
const asPattern = (endpoint: string): RegExp =>
  new RegExp(`^${endpoint.replaceAll('/', '\\/').replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`);

describe('the client', () => {
  it('has a method for every endpoint that the exchange serves', () => {
    const served = exchangeWithMarket(new VirtualClock()).endpoints.map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(served.filter((name) => !NOT_ASKED.includes(name)).sort()).toEqual(Object.keys(METHODS).sort());
  });

  it.each(Object.entries(METHODS))('asks %s', async (endpoint, ask) => {
    const { client, http, clock } = makeClient(() => refused(404, 'not_found'));
    await expect(settled(clock, ask(client))).rejects.toMatchObject({ code: 'not_found' });
    const { method, path } = http.requests[0] ?? { method: '', path: '' };
    expect(`${method} ${path}`).toMatch(asPattern(endpoint));
  });

  it('counts each endpoint by its success, which is 201 for what is made, and 202 for what goes on', () => {
    const successes = new Map(
      KNOWN_OUTCOMES.filter(({ outcome }) => outcome.startsWith('2')).map(({ endpoint, outcome }) => [
        endpoint,
        outcome,
      ]),
    );
    const others: Readonly<Record<string, string>> = {
      'POST /v2/betslips/': '201',
      'POST /v2/orders/': '201',
      'POST /v2/orders/close_all/': '202',
    };
    const expected = Object.keys(METHODS).map((name) => [name, others[name] ?? '200'] as const);
    expect(successes).toEqual(new Map(expected));
    for (const name of Object.keys(METHODS)) {
      const outcomes = KNOWN_OUTCOMES.filter(({ endpoint }) => endpoint === name);
      expect(outcomes.map(({ outcome }) => outcome).slice(1)).toEqual(['429', 'not-sent', 'unknown']);
    }
  });

  it('sends every published field of a betslip and of a parlay', async () => {
    const { client, http, clock } = makeClient(() => refused(404, 'not_found'));
    const refusal = (promise: Promise<unknown>) => settled(clock, promise).catch(() => null);
    const terms = { equivalentBets: false, excludeDanger: true, userData: 'mine' };
    const sent = { equivalent_bets: false, exclude_danger: true, user_data: 'mine' };
    const leg = { ...MARKET, liveScore: [1, 2] as const };
    const wireLeg = { sport: FB, event_id: EVENT, bet_type: FOR_HOME, live_score: { home: 1, away: 2 } };
    await refusal(client.betslips.create({ ...leg, ...terms, betslipType: 'lay' }));
    await refusal(client.betslips.createParlay({ legs: [leg, leg], ...terms }));
    const bodies = http.requests.map(({ body }) => JSON.parse(body ?? '') as unknown);
    expect(bodies).toEqual([
      { ...wireLeg, ...sent, betslip_type: 'lay' },
      { legs: [wireLeg, wireLeg], ...sent, betslip_type: 'parlay' },
    ]);
  });

  it('sends every published filter', async () => {
    const { client, http } = makeClient(() => refused(404, 'not_found'));
    const times = { startFromMs: 0, startToMs: 1000 };
    await client.marketData
      .events(
        {
          sports: [FB],
          competitionIds: [7],
          eventIds: [EVENT],
          irStatuses: ['pre_event'],
          lang: 'ko',
          ...times,
        },
        { limit: 10, after: 'fb,x' },
      )
      .catch(() => null);
    const offers = { sport: FB, eventIds: [EVENT, eventId('2026-01-01,1,1')], betTypes: [FOR_HOME] };
    await client.marketData
      .offers({ ...offers, marketTypes: ['ah'], minLiquidity: 5 }, { limit: 3, after: 'x,y' })
      .catch(() => null);
    const queries = http.requests.map(({ path }) => [...new URL(path, 'http://x').searchParams.keys()]);
    expect(queries).toEqual([
      'sport ir_status competition_id event_id start_time_from start_time_to lang limit after'.split(' '),
      'sport event_id event_id bet_type market_type min_liquidity limit after'.split(' '),
    ]);
  });
});
