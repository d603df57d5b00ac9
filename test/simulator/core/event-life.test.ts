import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import {
  at,
  type Client,
  EVENT,
  event,
  EVENT_ID,
  football,
  Harness,
  OTHER_KEY,
  START_MS,
  type Wire,
} from './harness.ts';

const registered = (h: Harness): Client => {
  const client = h.connect();
  client.send('register_event', 'fb', EVENT_ID);
  h.pass(2_000);
  client.read();
  return client;
};
const tagsOf = (client: Client): string[] => client.read().map(([tag]) => tag);

describe('the life of an event on the stream', () => {
  it('begins with its first price', () => {
    const h = new Harness({ priced: false });
    const client = h.connect();
    client.read();
    h.exchange.market.putEvent(event(), h.nowMs);
    expect(client.payloads('event')).toEqual([]);
    expect(h.call('GET', '/v2/events/').data).toEqual([]);
    h.rest('h', 'against', 2, 10);
    expect(client.payloads('event')).toMatchObject([{ event_id: EVENT_ID, event_type: 'normal' }]);
  });

  it('reaches a client that registered before there was an event', () => {
    const h = new Harness({ priced: false });
    const client = h.connect();
    client.send('register_event', 'fb', EVENT_ID);
    client.read();
    h.price();
    h.pass(2_000);
    expect(client.payloads('offer').map(({ bet_type: betType }) => betType)).toEqual(['for,h', 'against,h']);
  });

  it('reaches a client that connected while it had no prices, when they are back at once', () => {
    const h = new Harness();
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    const client = h.connect();
    expect(client.payloads('event')).toEqual([]);
    h.pass(100);
    h.rest('h', 'against', 2.2, 100);
    expect(client.payloads('event')).toMatchObject([{ event_id: EVENT_ID }]);
  });

  it('goes in running: event entry, offers, closed orders', () => {
    const h = new Harness();
    const client = registered(h);
    h.exchange.market.goInRunning(EVENT, h.nowMs);
    const entries = client.read();
    expect(entries.find(([tag]) => tag === 'event')?.[1]).toMatchObject({ ir_status: 'in_running' });
    expect(entries.filter(([tag]) => tag === 'offer').map(([, offer]) => offer.in_running)).toEqual([
      true,
      true,
    ]);
  });

  it('shows live state, and again to clients that register later', () => {
    const h = new Harness();
    const client = registered(h);
    const { market } = h.exchange;
    market.setScore(EVENT, 1, 0, h.nowMs);
    market.setRedCards(EVENT, 0, 1, h.nowMs);
    market.setTime(EVENT, 'h1', 12, h.nowMs);
    const named = { sport: 'fb', event_id: EVENT_ID };
    const expected = [
      ['event_time', { ...named, time: ['h1', 12] }],
      ['event_score', { ...named, score: [1, 0] }],
      ['event_red_cards', { ...named, score: [0, 1] }],
    ];
    expect(client.read().toSorted()).toEqual(expected.toSorted());
    const late = h.connect(OTHER_KEY);
    late.send('register_event', 'fb', EVENT_ID);
    expect(late.read().filter(([tag]) => tag.startsWith('event_'))).toEqual(expected);
  });

  it('removes single offers, and sends the others again', () => {
    const h = new Harness();
    const client = registered(h);
    h.rest('h', 'for', 2.3, 0);
    h.rest('h', 'for', 2.4, 0);
    h.pass(2_000);
    const entries = client.read().filter(([tag]) => tag.includes('offer'));
    expect(entries.map(([tag, { bet_type: betType }]) => [tag, betType])).toEqual([
      ['offer', 'for,h'],
      ['remove_offer', 'against,h'],
    ]);
  });

  it('names a removed offer once', () => {
    const h = new Harness();
    const client = registered(h);
    h.rest('h', 'for', 2.3, 0);
    h.rest('h', 'for', 2.4, 0);
    h.pass(2_000);
    expect(client.payloads('remove_offer')).toHaveLength(1);
    h.rest('h', 'against', 2.2, 1);
    h.pass(2_000);
    expect(tagsOf(client).filter((tag) => tag.includes('offer'))).toEqual(['offer']);
  });

  it('sends the snapshot before later changes', () => {
    const h = new Harness();
    const client = h.connect();
    client.read();
    client.send('register_event', 'fb', EVENT_ID);
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    expect(tagsOf(client)).toEqual(['offer', 'offer', 'response', 'remove_offer', 'remove_offer']);
  });

  it('ends for every client that received it, also when its prices had gone before', () => {
    const h = new Harness();
    const client = registered(h);
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    h.pass(4_000);
    client.read();
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    expect(tagsOf(client)).toContain('remove_event');
  });

  it('keeps its registrations when it ends before any client received it', () => {
    const h = new Harness({ priced: false });
    h.exchange.market.putEvent(event(), h.nowMs);
    const client = registered(h);
    client.read();
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    client.send('list_registered_events');
    expect(tagsOf(client)).toEqual(['response']);
    h.price();
    h.pass(4_000);
    expect(tagsOf(client)).toEqual(expect.arrayContaining(['event', 'offer']));
  });

  it('ends: orders closed, betslips closed, event removed, registration gone', () => {
    const h = new Harness();
    const client = registered(h);
    const { order_id: id } = h.place('for,h', 3, 1);
    h.betslip();
    client.read();
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    expect(tagsOf(client)).toEqual(['order', 'order', 'remove_event', 'betslip_closed', 'balance']);
    expect(h.order(id)).toMatchObject({ status: 'failed', close_reason: 'expired' });
    client.send('list_registered_events');
    expect(client.payloads('response')).toEqual([{ status: 'ok', data: { registered_events: [] } }]);
    expect(h.call('GET', '/v2/events/').data).toEqual([]);
    const betslip = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h' };
    expect(h.call('POST', '/v2/betslips/', betslip).data.validation_errors).toEqual({
      non_field_errors: ['event_not_found'],
    });
  });

  it('is settled after its removal too, and pays', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.2, 10);
    const { market } = h.exchange;
    market.removeEvent(EVENT, h.nowMs);
    const client = h.connect();
    client.read();
    market.settle(EVENT, { kind: 'score', home: 1, away: 0, halfTimeHome: 1, halfTimeAway: 0 }, h.nowMs);
    const entries = client.read();
    expect(entries.map(([tag]) => tag)).toEqual(['order', 'balance']);
    expect(entries[0]?.[1]).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', 12], order_id: id });
    expect(entries[1]?.[1]).toMatchObject({ balance: ['USDT', 100_012], open_stake: ['USDT', 0] });
  });

  it('comes back when the feed has it again, without stale prices', () => {
    const h = new Harness();
    const { market } = h.exchange;
    market.removeEvent(EVENT, h.nowMs);
    market.putEvent(event(), h.nowMs);
    expect(market.levels(at('h'), 'against')).toEqual([]);
    const client = h.connect();
    client.read();
    h.rest('h', 'against', 2, 1);
    expect(client.payloads('event')).toHaveLength(1);
  });

  it('has runners instead of sides when it is an outright', () => {
    const h = new Harness({ priced: false });
    const id = '2026-03-01,5,6';
    const teams = [1, 2].map((teamId) => ({ teamId, name: `Runner ${teamId}` }));
    h.exchange.market.putEvent(
      event({ eventId: id, eventType: 'multirunner', teams, endTimeMs: START_MS }),
      h.nowMs,
    );
    h.exchange.market.setLevel('m', at('win,1', id), 'against', 4, toMicros(10), h.nowMs);
    expect(h.call('GET', '/v2/events/').data).toEqual([
      expect.objectContaining({
        event_type: 'multirunner',
        teams: [
          { team_id: 1, name: 'Runner 1' },
          { team_id: 2, name: 'Runner 2' },
        ],
        end_time: '2026-03-01T12:00:00.000Z',
      }),
    ]);
    const betslip = h.betslip('for,win,1', undefined, id);
    const order = h.call('POST', '/v2/orders/', { betslip_id: betslip, price: 4, stake: ['USDT', 5] }).data;
    h.exchange.market.settle(football(id), { kind: 'places', places: new Map([[1, 1]]) }, h.nowMs);
    expect(h.order(order.order_id)).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', 15] });
    expect(h.call('GET', '/v2/balance/').data.open_stake).toEqual(['USDT', 0]);
    expect(h.call('GET', '/v2/orders/position/').data).toMatchObject({
      payoff_grid: null,
      totals: { 'for,win,1': {} },
    });
  });
});

it('accepts no outright without an end time', () => {
  const h = new Harness({ priced: false });
  expect(() => h.exchange.market.putEvent(event({ eventType: 'multirunner' }), h.nowMs)).toThrow('end time');
});

describe('smart credit', () => {
  it('frees what offsetting bets on one runner cannot lose', () => {
    const h = new Harness({ priced: false });
    const id = '2026-03-01,5,6';
    h.exchange.market.putEvent(
      event({ eventId: id, eventType: 'multirunner', endTimeMs: START_MS }),
      h.nowMs,
    );
    h.exchange.market.setLevel('m', at('win,1', id), 'against', 4, toMicros(10), h.nowMs);
    h.exchange.market.setLevel('m', at('win,1', id), 'for', 4, toMicros(10), h.nowMs);
    const bet = (betType: string): void => {
      const order = { betslip_id: h.betslip(betType, undefined, id), price: 4, stake: ['USDT', 10] };
      h.call('POST', '/v2/orders/', order);
    };
    bet('for,win,1');
    expect(h.call('GET', '/v2/balance/').data).toMatchObject({
      open_stake: ['USDT', 10],
      smart_credit: ['USDT', 0],
    });
    bet('against,win,1');
    expect(h.call('GET', '/v2/balance/').data).toMatchObject({
      open_stake: ['USDT', 40],
      smart_credit: ['USDT', 40],
    });
  });
});

describe('the loss of the feed', () => {
  it('clears, then sends everything again, and goes on', () => {
    const h = new Harness({ settings: { warmupMs: 500 } });
    h.pass(500);
    const client = registered(h);
    h.exchange.market.clear(h.nowMs);
    expect(tagsOf(client)).toEqual(['clear_events']);
    expect(h.call('GET', `/v2/offers/?sport=fb&event_id=${EVENT_ID}`).code).toBe('warming');
    h.rest('h', 'against', 2.22, 10);
    h.exchange.market.goInRunning(EVENT, h.nowMs);
    expect(tagsOf(client)).toEqual([]);
    h.pass(500);
    const tags = tagsOf(client);
    expect(tags.filter((tag) => ['event', 'sync', 'offer'].includes(tag))).toEqual([
      'event',
      'sync',
      'offer',
      'offer',
    ]);
    h.rest('h', 'against', 2.22, 20);
    h.pass(2_000);
    expect(client.payloads('offer')[0].price_list[0].effective).toMatchObject({
      price: 2.22,
      max: ['USDT', 20],
    });
  });
});

describe('the truth', () => {
  it('lists open orders and the phases of events', () => {
    const h = new Harness();
    const open = h.place('for,h', 3, 1).order_id;
    h.place('for,h', 2.2, 1);
    const inspection = h.exchange.inspect();
    expect(inspection.openOrders?.map(({ orderId }) => orderId)).toEqual([open]);
    expect(inspection.orders).toHaveLength(2);
    expect(inspection.events).toMatchObject([{ phase: 'live', outcomes: 1 }]);
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    expect(h.exchange.inspect()).toMatchObject({ openOrders: [], events: [{ phase: 'void' }] });
  });
});

describe('bets that change their status', () => {
  it('are voided one by one, before or after the result, and can be confirmed again', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.1, 150);
    const [first, second] = h.order(id).bets.map((bet: Wire) => bet.bet_id as number);
    const balance = (): number => h.call('GET', '/v2/balance/').data.balance[1];
    h.exchange.markBet(first, 'void', h.nowMs);
    expect(h.call('GET', '/v2/balance/').data.open_stake).toEqual(['USDT', 50]);
    expect(h.order(id).status).toBe('done');
    h.exchange.market.settle(
      EVENT,
      { kind: 'score', home: 0, away: 1, halfTimeHome: 0, halfTimeAway: 0 },
      h.nowMs,
    );
    expect(h.order(id)).toMatchObject({ status: 'partial_void', profit_loss: ['USDT', -50] });
    expect(h.call('GET', '/v2/orders/position/').data.totals).toMatchObject({
      'for,h': { got_stake: ['USDT', 50] },
    });
    h.exchange.markBet(second, 'void', h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'full_void', profit_loss: ['USDT', 0] });
    expect(balance()).toBe(100_000);
    h.exchange.markBet(first, 'success', h.nowMs);
    h.exchange.markBet(second, 'success', h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', -150] });
    expect(balance()).toBe(99_850);
    expect(h.exchange.markBet(1, 'void', h.nowMs)).toBe(false);
  });

  it('make their order a void one when it closes after them', () => {
    const h = new Harness();
    h.rest('h', 'against', 2.2, 20);
    const { order_id: id } = h.place('for,h', 2.2, 500);
    for (const { bet_id: betId } of h.order(id).bets) h.exchange.markBet(betId, 'void', h.nowMs);
    expect(h.order(id)).toMatchObject({ closed: false, status: 'open' });
    h.call('POST', `/v2/orders/${id}/close/`);
    h.pass(5_000);
    expect(h.order(id)).toMatchObject({ closed: true, status: 'full_void' });
  });

  it('are open again when a void is undone before the result', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.2, 100);
    const [bet] = h.order(id).bets;
    h.exchange.markBet(bet.bet_id, 'void', h.nowMs);
    expect(h.order(id).status).toBe('full_void');
    h.exchange.markBet(bet.bet_id, 'success', h.nowMs);
    expect(h.order(id)).toMatchObject({
      status: 'done',
      bets: [{ status: { code: 'success' }, reconciled: false }],
    });
    expect(h.call('GET', '/v2/balance/').data.open_stake).toEqual(['USDT', 100]);
  });
});

describe('bets of a void event', () => {
  it('stay void when they are confirmed', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.2, 100);
    const [bet] = h.order(id).bets;
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    h.exchange.markBet(bet.bet_id, 'success', h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'full_void', bets: [{ status: { code: 'void' } }] });
  });

  it('pay nothing once they are confirmed, also before their turn', () => {
    const h = new Harness({ settings: { resultsMs: 3_000 } });
    h.place('for,h', 2.2, 10);
    const { order_id: id } = h.place('for,h', 2.2, 10);
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    h.exchange.markBet(h.order(id).bets[0].bet_id, 'success', h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'full_void', bets: [{ reconciled: true }] });
    expect(h.call('GET', '/v2/balance/').data.open_stake).toEqual(['USDT', 0]);
  });
});

describe('connections', () => {
  it('receive the number of their registered events every few seconds', () => {
    const h = new Harness();
    const client = registered(h);
    h.pass(5_000);
    expect(client.payloads('info')).toEqual([{ registered_events: 1 }]);
  });

  it('all receive the account entries, and release their registrations when they end', () => {
    const h = new Harness({ settings: { registeredEventCap: 1 } });
    const first = registered(h);
    const second = h.connect('key-a2');
    second.read();
    h.place('for,h', 2.2, 1);
    const orders = [first, second].map((client) => client.payloads('order').length);
    expect(orders[0]).toBe(3);
    expect(orders[1]).toBe(3);
    h.exchange.disconnect(first.connection);
    second.send('register_event', 'fb', EVENT_ID);
    expect(second.payloads('response')).toMatchObject([{ status: 'ok' }]);
    first.send('echo');
    expect(first.read()).toEqual([]);
  });

  it('receive Unix times on request', () => {
    const h = new Harness({ settings: { unixTimestamps: true } });
    h.connect();
    const [frame] = h.exchange.drain();
    expect(frame?.kind === 'frame' && JSON.parse(frame.text).ts).toBe(START_MS / 1000);
  });

  it('share the frames of a broadcast', () => {
    const h = new Harness();
    for (const key of ['key-a', 'key-a2', OTHER_KEY]) h.connect(key).send('register_event', 'fb', EVENT_ID);
    h.pass(2_000);
    h.exchange.drain();
    h.rest('h', 'against', 2.2, 5);
    h.pass(2_000);
    const texts = h.exchange
      .drain()
      .flatMap((outgoing) => (outgoing.kind === 'frame' ? [outgoing.text] : []));
    expect(texts.filter((text) => text.includes('"offer"'))).toHaveLength(3);
    expect(new Set(texts.filter((text) => text.includes('"offer"'))).size).toBe(1);
  });
});
