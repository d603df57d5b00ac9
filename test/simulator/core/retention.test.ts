import { describe, expect, it } from 'vitest';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { createModelFeed } from '../../../src/simulator/feeds/model/index.ts';
import { MAKERS } from '../../../src/simulator/feeds/model/maker.ts';
import { EVENT, event, EVENT_ID, Harness, START_MS } from './harness.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UUID = '8c5f7a1e-3b0d-4e1a-9a57-0c2b6d7e8f90';
const DAY_MS = 24 * HOUR_MS;

const score = (home: number, away: number) =>
  ({ kind: 'score', home, away, halfTimeHome: 0, halfTimeAway: 0 }) as const;
/** A match and its first half share an id. */
const eventsOf = (h: Harness): string[] =>
  h.exchange.inspect().events.map(({ sport, eventId }) => `${sport}|${eventId}`);

describe('an ended event', () => {
  it.each(['settled', 'void', 'removed'])(
    'is forgotten after an hour when it is %s and has no orders',
    (how) => {
      const h = new Harness();
      const { market } = h.exchange;
      if (how === 'settled') market.settle(EVENT, score(1, 0), h.nowMs);
      if (how === 'void') market.voidEvent(EVENT, h.nowMs);
      if (how === 'removed') market.removeEvent(EVENT, h.nowMs);
      h.pass(HOUR_MS - 1);
      expect(h.exchange.inspect().events).toMatchObject([{ eventId: EVENT_ID, phase: how }]);
      h.pass(1);
      expect(eventsOf(h)).toEqual([]);
    },
  );

  it('stays with its orders, which are answered in full and can be corrected, and goes after them', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.2, 10, { request_uuid: UUID });
    h.exchange.market.settle(EVENT, score(1, 0), h.nowMs);
    const kept = h.order(id);
    const position = h.call('GET', '/v2/orders/position/').data;
    h.pass(2 * DAY_MS);
    expect(h.order(id)).toEqual(kept);
    expect(kept.event_info).toMatchObject({ event_name: 'Home v Away', result: { ft_home: 1 } });
    expect(h.call('GET', `/v2/orders/tracked/${UUID}/`).data).toEqual(kept);
    expect(h.call('GET', '/v2/orders/?sport=fb').data).toEqual([kept]);
    expect(h.call('GET', '/v2/orders/position/').data).toEqual(position);
    h.exchange.market.settle(EVENT, score(0, 1), h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', -10] });
    h.pass(3 * DAY_MS - 1);
    expect(h.call('GET', `/v2/orders/${id}/`).status).toBe(200);
    h.pass(1);
    expect(h.call('GET', `/v2/orders/${id}/`).status).toBe(404);
    h.pass(HOUR_MS);
    expect(eventsOf(h)).toEqual([]);
  });

  it('keeps only those of its outcomes that orders refer to', () => {
    const h = new Harness();
    h.rest('d', 'against', 3, 10);
    h.place('for,h', 2.2, 10);
    h.exchange.market.settle(EVENT, score(1, 0), h.nowMs);
    expect(h.exchange.inspect().events[0]?.outcomes).toBe(2);
    h.pass(HOUR_MS);
    expect(h.exchange.inspect().events[0]?.outcomes).toBe(0);
  });

  it('keeps its outcomes after its removal, for its return, while bets wait for a result', () => {
    const h = new Harness();
    h.place('for,h', 2.2, 10);
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    h.pass(5 * DAY_MS);
    h.exchange.market.putEvent(event(), h.nowMs);
    expect(h.betslip('against,h')).not.toBe('');
  });

  it('does not remove another that came under its name after it was forgotten', () => {
    const h = new Harness();
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    h.pass(MINUTE_MS);
    h.exchange.market.putEvent(event(), h.nowMs);
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    h.pass(HOUR_MS - MINUTE_MS);
    expect(eventsOf(h)).toEqual([]);
    h.price();
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    h.pass(2 * MINUTE_MS);
    expect(eventsOf(h)).toEqual([`fb|${EVENT_ID}`]);
  });
});

describe('an order', () => {
  const YEAR_S = 365 * 86_400;

  it('is forgotten three days after it was closed, however long it would have lasted', () => {
    const h = new Harness();
    const placed = [0, 1].map(() => h.place('for,h', 3, 1, { duration: YEAR_S }).order_id);
    const status = (): number[] => placed.map((id) => h.call('GET', `/v2/orders/${id}/`).status);
    h.call('POST', `/v2/orders/${placed[0]}/close/`);
    h.pass(3 * DAY_MS - 1);
    expect(status()).toEqual([200, 200]);
    h.pass(1);
    expect(status()).toEqual([404, 200]);
    h.pass(DAY_MS);
    h.call('POST', `/v2/orders/${placed[1]}/close/`);
    h.pass(3 * DAY_MS - 1);
    expect(status()).toEqual([404, 200]);
    h.pass(1);
    expect(status()).toEqual([404, 404]);
  });
});

describe('an order with bets', () => {
  it('is forgotten three days after its result', () => {
    const h = new Harness();
    const { order_id: id } = h.place('for,h', 2.2, 10);
    h.pass(5 * DAY_MS);
    h.exchange.market.settle(EVENT, score(1, 0), h.nowMs);
    h.pass(3 * DAY_MS - 1);
    expect(h.order(id)).toMatchObject({ status: 'reconciled' });
    h.pass(1);
    expect(h.call('GET', `/v2/orders/${id}/`).status).toBe(404);
  });
});

describe('days of fixtures', () => {
  it('leave a bounded number of events behind', () => {
    const speed = 480;
    const makers = MAKERS.slice(0, 1);
    const feed = createModelFeed({ seed: 5, speed, startWallMs: START_MS, makers });
    const settings = { eventRetentionMs: MINUTE_MS };
    const h = new Harness({ feeds: [feed], parse: parseBetType, settings, priced: false });
    const seen = new Set<string>();
    const counts: number[] = [];
    for (let s = 0; s < 9 * 60; s += 3) {
      h.pass(3000);
      h.exchange.drain();
      const events = eventsOf(h);
      for (const each of events) seen.add(each);
      counts.push(events.length);
    }
    // Three days. The list holds live events and those that ended within the last minute, a third of a day here.
    expect(seen.size).toBeGreaterThan(110);
    const most = (from: number, to: number): number => Math.max(...counts.slice(from, to));
    expect(most(0, counts.length)).toBeLessThan(50);
    expect(most(120, 180)).toBeLessThanOrEqual(most(40, 100) + 5);
  });
});
