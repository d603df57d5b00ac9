import { describe, expect, it } from 'vitest';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import type { InspectedEvent } from '../../../src/simulator/core/api.ts';
import { at, EVENT, event, EVENT_ID, Harness, type Wire } from './harness.ts';

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
/** A trade, and then the size of its level. Returns what accounts got so far. */
function sale(h: Harness, price: number, stake: number, left: number): number {
  trade(h, price, stake);
  h.rest('h', 'for', price, left);
  return filled(h);
}
const filled = (h: Harness): number => fromMicros(h.exchange.inspect().orders[0]?.filledMicros ?? 0);

describe('the queue of a price', () => {
  it('is consumed by recorded trades in time order, background and accounts alike', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    h.rest('h', 'for', 2, 130);
    expect(levels(h, 'for')).toEqual([[2, 180]]);
    expect(sale(h, 2, 60, 70)).toBe(0);
    expect(trade(h, 1.99, 500)).toBe(0);
    expect(sale(h, 2, 60, 10)).toBe(20);
    expect(sale(h, 2, 500, 0)).toBe(30);
    expect(levels(h, 'for')).toEqual([[2, 20]]);
  });

  it('is not moved by a trade by which its level does not fall', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    h.rest('h', 'for', 2, 130);
    expect([sale(h, 2, 120, 130), levels(h, 'for')]).toEqual([0, [[2, 180]]]);
    expect([sale(h, 2, 120, 80), levels(h, 'for')]).toEqual([0, [[2, 130]]]);
    h.pass(1);
    expect([sale(h, 2, 60, 20), levels(h, 'for')]).toEqual([10, [[2, 60]]]);
  });

  it('is passed by a recorded trade at a worse price for its taker, which fills accounts alone', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    expect(trade(h, 2.02, 30)).toBe(30);
    expect([filled(h), levels(h, 'for')]).toEqual([30, [[2, 120]]]);
  });

  it('gives a unit of a recorded level to accounts once, however often the recording shows it', () => {
    const h = quiet();
    h.exchange.market.followRecording('maker');
    h.rest('h', 'for', 900, 1);
    h.place('for,h', 2, 50);
    h.rest('h', 'against', 2.02, 30);
    h.rest('h', 'against', 2.02, 35);
    expect([filled(h), levels(h, 'against')]).toEqual([35, []]);
    h.rest('h', 'against', 2.02, 10);
    h.rest('h', 'against', 2.02, 12);
    expect([filled(h), levels(h, 'against')]).toEqual([37, []]);
  });

  it('loses the newest stake first when a participant shrinks', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    h.rest('h', 'for', 2, 140);
    h.rest('h', 'for', 2, 90);
    h.rest('h', 'for', 2, 100);
    expect(sale(h, 2, 91, 9)).toBe(1);
  });

  it('loses a place only with its stake: an order behind moves up', () => {
    const h = quiet();
    h.rest('h', 'for', 2, 100);
    h.place('for,h', 2, 50);
    h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
    h.rest('h', 'for', 2, 30);
    expect([sale(h, 2, 10, 20), levels(h, 'for')]).toEqual([10, [[2, 60]]]);
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

  it('must name outcomes that are bet types', () => {
    const h = quiet();
    expect(() => h.rest('nonsense', 'for', 2, 1)).toThrow(
      'a feed set a level on an outcome that is not a valid bet type',
    );
  });
});

describe('an event id that several sports share', () => {
  const HALF = { sport: 'fb_ht', eventId: EVENT_ID };
  const RESULT = { kind: 'score', home: 0, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;

  /** A match and its first half, both priced, with an order on each. */
  function shared(): Harness {
    const h = new Harness();
    h.exchange.market.putEvent(event({ sport: 'fb_ht' }), h.nowMs);
    h.exchange.market.setLevel('m', { ...HALF, outcome: 'h' }, 'against', 3, toMicros(50), h.nowMs);
    for (const sport of ['fb', 'fb_ht']) {
      const bet = { sport, event_id: EVENT_ID, bet_type: 'for,h' };
      const betslip = h.call('POST', '/v2/betslips/', bet).data.betslip_id;
      h.call('POST', '/v2/orders/', { betslip_id: betslip, price: 4, stake: ['USDT', 10], duration: 60 });
    }
    return h;
  }
  const offered = (h: Harness, sport: string): Wire =>
    h.call('GET', `/v2/offers/?sport=${sport}&event_id=${EVENT_ID}`).data.map((offer: Wire) => offer.sport);
  /** By sport. */
  const bySport = <K extends keyof InspectedEvent>(h: Harness, what: K) =>
    Object.fromEntries(h.exchange.inspectEvents().map((each) => [each.sport, each[what]]));
  const openOrders = (h: Harness): string[] =>
    (h.exchange.inspect().openOrders ?? []).map(({ sport }) => sport);

  it('has books of its own in each sport', () => {
    const h = shared();
    expect([offered(h, 'fb'), offered(h, 'fb_ht')]).toEqual([
      ['fb', 'fb'],
      ['fb_ht', 'fb_ht'],
    ]);
  });

  it.each(['fb', 'fb_ht'])('is suspended in %s alone', (sport) => {
    const h = shared();
    const other = sport === 'fb' ? 'fb_ht' : 'fb';
    const { market } = h.exchange;
    market.setSuspended({ sport, eventId: EVENT_ID }, true, h.nowMs);
    expect(bySport(h, 'suspended')).toEqual({ [sport]: true, [other]: false });
    expect([sport, other].map((each) => market.isSuspended({ sport: each, eventId: EVENT_ID }))).toEqual([
      true,
      false,
    ]);
    expect(offered(h, sport)).toEqual([]);
    expect(offered(h, other)).not.toEqual([]);
  });

  it('goes in play sport by sport, with its live state', () => {
    const h = shared();
    const { market } = h.exchange;
    market.goInRunning(HALF, h.nowMs);
    expect([market.isInRunning(HALF), market.isInRunning(EVENT)]).toEqual([true, false]);
    expect(openOrders(h)).toEqual(['fb']);
    market.setScore(HALF, 1, 0, h.nowMs);
    expect(bySport(h, 'score')).toEqual({ fb: null, fb_ht: [1, 0] });
    market.goInRunning(EVENT, h.nowMs);
    expect(bySport(h, 'irStatus')).toEqual({ fb: 'in_running', fb_ht: 'in_running' });
    expect(openOrders(h)).toEqual([]);
  });

  it.each([
    ['settled', (h: Harness) => h.exchange.market.settle(HALF, RESULT, h.nowMs)],
    ['void', (h: Harness) => h.exchange.market.voidEvent(HALF, h.nowMs)],
    ['removed', (h: Harness) => h.exchange.market.removeEvent(HALF, h.nowMs)],
  ])('is %s in one sport, and goes on in the other', (phase, end) => {
    const h = shared();
    end(h);
    expect(bySport(h, 'phase')).toEqual({ fb: 'live', fb_ht: phase });
    expect(openOrders(h)).toEqual(['fb']);
    expect([offered(h, 'fb').length, offered(h, 'fb_ht').length]).toEqual([2, 0]);
  });

  it('takes interventions sport by sport', () => {
    const h = shared();
    h.exchange.intervene(HALF, { kind: 'goal', side: 'away' }, h.nowMs);
    expect(bySport(h, 'score')).toEqual({ fb: null, fb_ht: [0, 1] });
    h.exchange.intervene(EVENT, { kind: 'suspend' }, h.nowMs);
    expect(bySport(h, 'suspended')).toEqual({ fb: true, fb_ht: false });
    h.exchange.intervene(HALF, { kind: 'end', result: RESULT }, h.nowMs);
    expect(bySport(h, 'phase')).toEqual({ fb: 'live', fb_ht: 'settled' });
  });

  it('is forgotten in one sport when it is over there', () => {
    const h = new Harness();
    h.exchange.market.putEvent(event({ sport: 'fb_ht' }), h.nowMs);
    h.exchange.market.voidEvent(HALF, h.nowMs);
    h.pass(48 * 3_600_000);
    expect(bySport(h, 'phase')).toEqual({ fb: 'live' });
  });
});
