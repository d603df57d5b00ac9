import { describe, expect, it } from 'vitest';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { at, event, EVENT_ID, Harness, type Wire } from './harness.ts';

const quiet = (): Harness => {
  const h = new Harness({ priced: false });
  h.exchange.market.putEvent(event(), h.nowMs);
  return h;
};
const trade = (h: Harness, price: number, stake: number): number =>
  fromMicros(h.exchange.market.trade(at('h'), 'for', price, toMicros(stake), h.nowMs));
const take = (h: Harness, direction: Direction, limit: number, stake: number): number =>
  fromMicros(h.exchange.market.take(at('h'), direction, limit, toMicros(stake), h.nowMs));
const levels = (h: Harness, resting: Direction): [number, number][] =>
  h.exchange.market
    .levels(at('h'), resting)
    .map(({ price, stakeMicros }) => [price, fromMicros(stakeMicros)]);
const filled = (h: Harness): number => fromMicros(h.exchange.inspect().orders[0]?.filledMicros ?? 0);

describe('the queue of a price', () => {
  it('is consumed by recorded trades in time order, background and accounts alike', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    h.rest('h', 'for', 2, 130);
    expect(levels(h, 'for')).toEqual([[2, 180]]);
    expect(trade(h, 2, 60)).toBe(0);
    expect(trade(h, 2.02, 500)).toBe(0);
    expect(trade(h, 2, 60)).toBe(20);
    expect(trade(h, 2, 500)).toBe(30);
    expect([filled(h), levels(h, 'for')]).toEqual([50, []]);
  });

  it('loses the newest stake first when a participant shrinks', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    h.rest('h', 'for', 2, 140);
    h.rest('h', 'for', 2, 90);
    expect(trade(h, 2, 91)).toBe(1);
  });

  it('loses a place only with its stake: an order behind moves up', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    expect([trade(h, 2, 10), levels(h, 'for')]).toEqual([10, [[2, 40]]]);
  });

  it('keeps participants apart', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 10, 'x');
    h.rest('h', 'for', 2, 20, 'y');
    h.rest('h', 'for', 2, 5, 'x');
    h.rest('h', 'for', 2.02, 1, 'x');
    expect(levels(h, 'for')).toEqual([
      [2, 25],
      [2.02, 1],
    ]);
    h.exchange.market.clearLevels('x', at('h'), h.nowMs);
    expect(levels(h, 'for')).toEqual([[2, 20]]);
  });
});

describe('the background', () => {
  it('takes from the best price on, up to its limit', () => {
    const h = quiet();
    h.rest('h', 'against', 2.2, 10);
    h.rest('h', 'against', 2.1, 10);
    h.rest('h', 'against', 2, 10);
    expect(take(h, 'for', 2.1, 15)).toBe(15);
    expect(take(h, 'for', 2.1, 15)).toBe(5);
    expect(levels(h, 'against')).toEqual([[2, 10]]);
  });

  it('trades with orders that its stake crosses, at their prices, and rests the remainder', () => {
    const h = quiet();
    h.rest('h', 'for', 900, 1);
    h.place('for,h', 2, 30);
    h.rest('h', 'against', 2.1, 100);
    expect(h.order(h.exchange.inspect().orders[0]?.orderId ?? 0).bets).toMatchObject([
      { got_price: 2, got_stake: ['USDT', 30], exchange_role: 'maker' },
    ]);
    expect(levels(h, 'against')).toEqual([[2.1, 70]]);
  });

  it('never trades with itself by resting', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 30, 'x');
    h.rest('h', 'against', 2.2, 30, 'y');
    expect([levels(h, 'for'), levels(h, 'against')]).toEqual([[[2, 30]], [[2.2, 30]]]);
  });

  it('is ignored where there is nothing to trade', () => {
    const h = quiet();
    const { market } = h.exchange;
    market.setLevel('m', at('h', '2026-01-01,0,0'), 'for', 2, 1, h.nowMs);
    market.setLevel('m', at('h'), 'for', 5_000, 1, h.nowMs);
    market.setLevel('m', at('h'), 'for', 2, 0, h.nowMs);
    market.clearLevels('m', at('d'), h.nowMs);
    expect(take(h, 'for', 2, 5)).toBe(0);
    expect(trade(h, 2, 5)).toBe(0);
    expect(h.exchange.inspect().events).toMatchObject([{ outcomes: 0 }]);
  });

  it('must speak of outcomes that are bet types', () => {
    const h = quiet();
    expect(() => h.rest('nonsense', 'for', 2, 1)).toThrow('a feed names an outcome that is no bet type');
  });
});

describe('an event id that several sports share', () => {
  it('moves as one, with books of its own for each sport', () => {
    const h = new Harness();
    const { market } = h.exchange;
    market.putEvent(event({ sport: 'fb_ht' }), h.nowMs);
    market.setLevel(
      'm',
      { sport: 'fb_ht', eventId: EVENT_ID, outcome: 'h' },
      'against',
      3,
      toMicros(5),
      h.nowMs,
    );
    const offered = (sport: string): Wire =>
      h.call('GET', `/v2/offers/?sport=${sport}&event_id=${EVENT_ID}`).data;
    expect(offered('fb_ht')).toMatchObject([{ sport: 'fb_ht', price_list: [{ effective: { price: 3 } }] }]);
    expect(offered('fb')).toHaveLength(2);
    market.setSuspended(EVENT_ID, true, h.nowMs);
    expect([market.isSuspended(EVENT_ID), offered('fb'), offered('fb_ht')]).toEqual([true, [], []]);
    market.goInRunning(EVENT_ID, h.nowMs);
    expect(market.isInRunning(EVENT_ID)).toBe(true);
    market.settle(EVENT_ID, { kind: 'score', home: 0, away: 0, halfTimeHome: 0, halfTimeAway: 0 }, h.nowMs);
    expect(h.exchange.inspect().events.map(({ phase }) => phase)).toEqual(['settled', 'settled']);
  });
});
