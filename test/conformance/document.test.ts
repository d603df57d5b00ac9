import { describe, expect, it } from 'vitest';
import { createModelFeed } from '../../src/simulator/feeds/model/index.ts';
import { patient } from '../support/patience.ts';
import type { Client } from './support/client.ts';
import { exchange, price, type ServedExchange } from './support/exchange.ts';
import { EVENT, EVENT_ID, KEY, OTHER_KEY, READ_KEY, SECOND_EVENT_ID, START_MS } from './support/names.ts';
import { DocumentValidator } from './support/validator.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly http: number;
  readonly problems: readonly string[];
}

/** Sends a request, and compares the answer with the document. */
class Checking {
  readonly seen: Seen[] = [];
  readonly #validator: DocumentValidator;

  constructor(validator: DocumentValidator) {
    this.#validator = validator;
  }

  async ask(client: Client, method: string, path: string, body?: unknown): Promise<unknown> {
    const { headers: _headers, http, ...envelope } = await client.ask(method, path, body);
    const problems = this.#validator.response(method, `/v2/${path}`, http, envelope);
    this.seen.push({ method, path, http, problems });
    return envelope.data;
  }
}

async function checking(ex: ServedExchange): Promise<Checking> {
  const document = await (await fetch(`${ex.simulator.rest}openapi.json`)).json();
  return new Checking(new DocumentValidator(document));
}

describe('the served document', () => {
  it('matches the answers of a busy day, request by request', async () => {
    const ex = await exchange();
    price(ex, { eventId: SECOND_EVENT_ID, homeId: 2001, awayId: 2002 });
    const check = await checking(ex);
    const [anna, ben, reader, nobody] = [KEY, OTHER_KEY, READ_KEY, 'wrong'].map((key) => ex.client(key));
    if (anna === undefined || ben === undefined || reader === undefined || nobody === undefined)
      throw new Error();
    const selection = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', betslip_type: 'normal' };
    const legs = [EVENT_ID, SECOND_EVENT_ID].map((event_id) => ({
      sport: 'fb',
      event_id,
      bet_type: 'for,h',
    }));
    const betslip = (await check.ask(anna, 'POST', 'betslips/', selection)) as { betslip_id: string };
    const parlay = (await check.ask(anna, 'POST', 'betslips/', {
      betslip_type: 'parlay',
      legs,
    })) as typeof betslip;
    await ex.pass(3);
    for (const { betslip_id: id } of [betslip, parlay]) {
      await check.ask(anna, 'GET', `betslips/${id}/`);
      await check.ask(anna, 'POST', `betslips/${id}/refresh/`);
    }
    const stake = ['USDT', 10];
    const uuid = '0b5bd6a4-6a06-4b0e-8b7c-3d8f3c1c2d11';
    const body = { betslip_id: betslip.betslip_id, price: 2.5, stake, duration: 600, request_uuid: uuid };
    const order = (await check.ask(anna, 'POST', 'orders/', body)) as { order_id: number };
    await check.ask(anna, 'POST', 'orders/', body);
    await check.ask(anna, 'POST', 'orders/', { ...body, request_uuid: null, price: 2.2 });
    await check.ask(anna, 'POST', 'orders/', { betslip_id: parlay.betslip_id, price: 4, stake });
    await check.ask(anna, 'POST', 'orders/', { ...body, price: 'two' });
    await check.ask(anna, 'GET', 'orders/');
    await check.ask(anna, 'GET', `orders/tracked/${uuid}/`);
    await check.ask(anna, 'GET', 'orders/tracked/x/');
    await check.ask(anna, 'GET', `orders/${order.order_id}/`);
    await check.ask(anna, 'GET', `orders/position/?event_id=${EVENT_ID}`);
    await check.ask(anna, 'POST', `orders/${order.order_id}/close/`);
    await check.ask(anna, 'POST', `orders/${order.order_id}/close/`);
    await check.ask(anna, 'POST', 'orders/close_many/', { order_ids: [order.order_id] });
    await check.ask(anna, 'POST', 'orders/close_all/');
    await check.ask(anna, 'POST', 'orders/close_all/', { event_id: EVENT_ID });
    const heartbeat = (await check.ask(anna, 'POST', 'heartbeats/', { timeout: 60 })) as {
      heartbeat_id: string;
    };
    await check.ask(anna, 'GET', 'heartbeats/');
    await check.ask(anna, 'POST', 'heartbeats/', { timeout: 301 });
    for (const [method, verb] of [
      ['GET', ''],
      ['POST', 'refresh/'],
      ['DELETE', ''],
      ['GET', ''],
    ] as const) {
      await check.ask(anna, method, `heartbeats/${heartbeat.heartbeat_id}/${verb}`);
    }
    for (const path of [
      'betslips/',
      'balance/',
      'xrates/',
      'events/',
      `offers/?sport=fb&event_id=${EVENT_ID}`,
    ]) {
      for (const client of [anna, ben, reader, nobody]) await check.ask(client, 'GET', path);
    }
    await check.ask(anna, 'GET', 'offers/?sport=fb&event_id=nonsense');
    await check.ask(anna, 'GET', 'sports/fb/bet_types/for,ah,h,-3/');
    await check.ask(anna, 'GET', 'sports/fb/bet_types/nonsense/');
    await check.ask(reader, 'POST', 'betslips/', selection);
    await check.ask(anna, 'DELETE', `betslips/${betslip.betslip_id}/`);
    await check.ask(anna, 'DELETE', `betslips/${betslip.betslip_id}/`);
    for (let i = 0; i < 12; i++) await check.ask(ben, 'POST', 'betslips/', selection);
    await ex.pass(3600);
    ex.market((market, nowMs) => {
      market.settle(EVENT, { kind: 'score', home: 2, away: 1, halfTimeHome: 1, halfTimeAway: 0 }, nowMs);
    });
    await check.ask(anna, 'GET', 'orders/');
    await check.ask(
      anna,
      'GET',
      `orders/updates/?updated_at_from=${ex.iso(-4000)}&updated_at_to=${ex.iso(-60)}`,
    );
    expect(check.seen.filter(({ problems }) => problems.length > 0)).toEqual([]);
    const codes = new Set(check.seen.map(({ http }) => http));
    for (const http of [200, 201, 202, 400, 401, 403, 404, 409, 429]) expect(codes).toContain(http);
  });

  it('matches the stream of a busy day, frame by frame', async () => {
    const ex = await exchange();
    const document = await (await fetch(`${ex.simulator.rest}openapi.json`)).json();
    const validator = new DocumentValidator(document);
    const anna = ex.client();
    const stream = await anna.stream();
    await stream.register();
    await stream.register();
    await stream.command('list_registered_events');
    const resting = await anna.place('for,h', 2.5, 10);
    await anna.place('for,h', 2.2, 10);
    await anna.post(`orders/${resting.data.order_id}/close/`);
    await ex.pass(3);
    ex.market((market, nowMs) => {
      market.goInRunning(EVENT, nowMs);
      market.setScore(EVENT, 1, 0, nowMs);
      market.setRedCards(EVENT, 0, 1, nowMs);
      market.setTime(EVENT, '1h', 12, nowMs);
      market.clearLevels('maker', { sport: 'fb', eventId: EVENT_ID, outcome: 'd' }, nowMs);
    });
    await ex.pass(8);
    ex.market((market, nowMs) => market.clear(nowMs));
    await ex.pass(1);
    ex.market((market, nowMs) => {
      market.settle(EVENT, { kind: 'score', home: 2, away: 1, halfTimeHome: 1, halfTimeAway: 0 }, nowMs);
    });
    await ex.pass(60);
    await stream.settled();
    expect(stream.frames.flatMap((frame) => validator.frame(frame))).toEqual([]);
    const tags = new Set(stream.entries.map(([tag]) => tag));
    const live = [
      'event_time',
      'event_score',
      'event_red_cards',
      'remove_offer',
      'remove_event',
      'clear_events',
    ];
    for (const tag of [
      'event',
      'sync',
      'offer',
      'response',
      'pmm',
      'order',
      'bet',
      'betslip',
      'betslip_closed',
      ...live,
    ]) {
      expect(tags, tag).toContain(tag);
    }
  });

  it(
    'matches a modelled market through whole matches',
    async () => {
      const feed = createModelFeed({ seed: 3, speed: 120, startWallMs: START_MS });
      const ex = await exchange({ feeds: [feed], priced: false });
      const anna = ex.client();
      const stream = await anna.stream();
      const registered = new Set<string>();
      for (let i = 0; i < 90; i++) {
        for (const { sport, event_id: eventId } of stream.all('event')) {
          if (registered.has(eventId)) continue;
          registered.add(eventId);
          stream.socket.send(JSON.stringify(['register_event', sport, eventId]));
        }
        await ex.pass(2);
        await anna.get('events/');
      }
      await stream.settled();
      const tags = new Set(stream.entries.map(([tag]) => tag));
      for (const tag of ['event', 'offer', 'event_score', 'event_time', 'remove_offer', 'remove_event']) {
        expect(tags, tag).toContain(tag);
      }
      expect(anna.problems()).toEqual([]);
    },
    patient(60_000),
  );
});
