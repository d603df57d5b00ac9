import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { at, EVENT, Harness } from './harness.ts';

const pause = (h: Harness, outcomes: readonly string[], isPaused = true): void =>
  h.exchange.market.setPaused(EVENT, outcomes, isPaused, h.nowMs);
const offered = (h: Harness): string[] => {
  h.pass(4_000);
  const offers = h.call('GET', `/v2/offers/?sport=fb&event_id=${EVENT.eventId}`).data;
  return [...JSON.stringify(offers).matchAll(/"bet_type":"(?:for|against),(\w+)"/g)].map(
    ([, name]) => name ?? '',
  );
};

/** The usual exchange, with stake on `d` too. */
function twoOutcomes(): Harness {
  const h = new Harness();
  h.rest('d', 'against', 3.2, 100);
  h.rest('d', 'for', 3.4, 100);
  return h;
}

describe('a paused outcome', () => {
  it('is not on offer, and the others are', () => {
    const h = twoOutcomes();
    expect(new Set(offered(h))).toEqual(new Set(['h', 'd']));
    pause(h, ['h']);
    expect(new Set(offered(h))).toEqual(new Set(['d']));
    pause(h, ['h'], false);
    expect(new Set(offered(h))).toEqual(new Set(['h', 'd']));
  });

  it('matches neither orders nor takers nor trades, and the others do', () => {
    const h = twoOutcomes();
    pause(h, ['h']);
    const [paused, other] = [h.place('for,h', 2.2, 10), h.place('for,d', 3.2, 10)];
    expect(h.order(paused.order_id)).toMatchObject({ status: 'open', bets: [] });
    expect(h.order(other.order_id).bets).toHaveLength(1);
    const { market } = h.exchange;
    expect(market.take(at('h'), 'for', 2.1, toMicros(5), h.nowMs)).toBe(0);
    expect(market.take(at('d'), 'for', 3.2, toMicros(5), h.nowMs)).toBe(toMicros(5));
    expect(market.trade(at('h'), 'for', 2.3, toMicros(5), h.nowMs)).toBe(0);
  });

  it('matches what came to cross when it goes on', () => {
    const h = twoOutcomes();
    pause(h, ['h']);
    const { order_id: id } = h.place('for,h', 2.2, 10);
    pause(h, ['h'], false);
    expect(h.order(id).bets).toHaveLength(1);
  });

  it('stays paused over a suspension of its event', () => {
    const h = twoOutcomes();
    pause(h, ['h']);
    const { order_id: id } = h.place('for,h', 2.2, 10);
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    h.exchange.market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id).bets).toEqual([]);
    pause(h, ['h'], false);
    expect(h.order(id).bets).toHaveLength(1);
  });

  it('does not match at its end while its event is suspended', () => {
    const h = twoOutcomes();
    pause(h, ['h']);
    const { order_id: id } = h.place('for,h', 2.2, 10);
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    pause(h, ['h'], false);
    expect(h.order(id).bets).toEqual([]);
  });

  it('can be one that has no stake yet', () => {
    const h = new Harness();
    pause(h, ['d']);
    h.rest('d', 'against', 3.2, 100);
    expect(new Set(offered(h))).toEqual(new Set(['h']));
  });
});
