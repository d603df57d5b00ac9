import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT, EVENT_ID, Harness } from './harness.ts';

const PATH = `/v2/offers/?sport=fb&event_id=${EVENT_ID}`;

/** An exchange whose event broadcasts at whole two seconds, with offers that may be 4 s old. */
function lagging(offersLagMs = 4_000): Harness {
  const h = new Harness({ settings: { offersLagMs, limits: UNLIMITED } });
  h.pass(10_000);
  return h;
}

const UNLIMITED = {
  general: [],
  betslips: [],
  betslipsPerDay: null,
  orders: [],
  offersInFlight: 1_000_000,
};

/** The stake at the best price for `for` takers; null without an offer. */
function stakeShown(h: Harness, path = PATH): number | null {
  const offers = h.call('GET', path).data;
  const offer = offers.find(({ bet_type: betType }: { bet_type: string }) => betType === 'for,h');
  return offer === undefined ? null : offer.price_list[0].effective.max[1];
}

describe('offers over REST', () => {
  it('show a change between two and four seconds later', () => {
    const h = lagging();
    h.pass(1_500);
    h.rest('h', 'against', 2.2, 40);
    const shown = new Map<number, number | null>();
    for (let ms = 0; ms <= 4_000; ms += 100, h.pass(100)) shown.set(ms, stakeShown(h));
    expect(shown.get(1_900)).toBe(100);
    expect(shown.get(2_400)).toBe(100);
    expect(shown.get(2_500)).toBe(40);
    expect(shown.get(4_000)).toBe(40);
  });

  it('take four seconds for a change right after a broadcast', () => {
    const h = lagging();
    h.rest('h', 'against', 2.2, 40);
    h.pass(3_999);
    expect(stakeShown(h)).toBe(100);
    h.pass(1);
    expect(stakeShown(h)).toBe(40);
  });

  it('are live without a lag', () => {
    const h = lagging(0);
    h.rest('h', 'against', 2.2, 40);
    expect(stakeShown(h)).toBe(40);
  });

  it('show a new event at once', () => {
    const h = new Harness({ settings: { offersLagMs: 4_000 } });
    expect(stakeShown(h)).toBe(100);
    h.pass(2_500);
    expect(stakeShown(h)).toBe(100);
  });

  it('still show, for two seconds, an event that was suspended', () => {
    const h = lagging();
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    h.pass(1_999);
    expect(stakeShown(h)).toBe(100);
    h.pass(1);
    expect(stakeShown(h)).toBeNull();
  });

  it('show nothing of an event that is over, and nothing old when it comes back', () => {
    const h = lagging();
    h.exchange.market.removeEvent(EVENT, h.nowMs);
    expect(h.call('GET', PATH).data).toEqual([]);
    h.price();
    h.rest('h', 'against', 2.2, 7);
    expect(stakeShown(h)).toBe(7);
  });

  it('compare the least liquidity with what they show', () => {
    const h = lagging();
    h.rest('h', 'against', 2.2, 5);
    h.rest('h', 'against', 2.1, 5);
    expect(stakeShown(h, `${PATH}&min_liquidity=150`)).toBe(100);
    h.pass(4_000);
    expect(stakeShown(h, `${PATH}&min_liquidity=150`)).toBeNull();
  });

  it('never show anything but what the market was at most the lag ago', () => {
    const step = fc.record({
      passMs: fc.integer({ min: 0, max: 3_000 }),
      stake: fc.integer({ min: 0, max: 3 }).map((n) => n * 10),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 25 }),
        fc.constantFrom(2_000, 3_000, 4_000, 7_500),
        (steps, lagMs) => {
          const h = lagging(lagMs);
          /** The live stake, and since when. */
          const live: { sinceMs: number; stake: number }[] = [{ sinceMs: 0, stake: 100 }];
          for (const { passMs, stake } of steps) {
            h.pass(passMs);
            const recent = live.filter((_, i) => (live[i + 1]?.sinceMs ?? Infinity) > h.nowMs - lagMs);
            const possible = recent.map((each) => (each.stake === 0 ? 100 : each.stake));
            expect(possible).toContain(stakeShown(h));
            h.rest('h', 'against', 2.2, stake);
            // Without stake at 2.2 the 100 at 2.1 are the best.
            live.push({ sinceMs: h.nowMs, stake });
          }
        },
      ),
    );
  });
});
