import { describe, expect, it } from 'vitest';
import { betType } from '../../src/domain/ids.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import {
  AGAINST,
  EVENT,
  eventEntry,
  FB,
  FIXTURE,
  FOR,
  HOME,
  offerEntry,
  rig,
  type Rig,
  STALE_MS,
} from './support.ts';

it.each([500, 1_200, 2_000])(
  'shows no prices of an omitted market, however often the others are offered: every %d ms',
  async (everyMs) => {
    const { clock, market, frame } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
    await clock.advance(2_000);
    const given: boolean[] = [];
    for (let leftOutMs = 0; leftOutMs < 8_000; leftOutMs += 100) {
      if (leftOutMs % everyMs === 0) frame([offerEntry('for,h', FOR)]);
      if (leftOutMs > 4_000) given.push(market.marketOf(HOME).against !== null);
      expect(market.marketOf(HOME).for).not.toBeNull();
      await clock.advance(100);
    }
    expect(given).not.toContain(true);
  },
);

describe.each([
  ['on this connection', 1],
  ['since the last one', 2],
])('a market that was omitted %s', (_, epoch) => {
  /** Both directions in running, then only one of them, for longer than prices live. */
  async function leftOut(): Promise<Rig> {
    const one = rig();
    const both = ['for,h', 'against,h'].map((name) => offerEntry(name, FOR, { inRunning: true }));
    one.frame([eventEntry(), ...both]);
    for (let sinceMs = 0; sinceMs <= 2 * STALE_MS; sinceMs += 2_000) {
      await one.clock.advance(2_000);
      one.frame([eventEntry(), offerEntry('for,h', FOR)], epoch);
    }
    return one;
  }

  it('stays gone: it has no liquidity, rather than unknown liquidity', async () => {
    const { market } = await leftOut();
    expect(market.selection(HOME)?.offers.against?.freshness).toBe('absent');
    expect(market.candidates({ sport: FB, eventId: EVENT })[0]?.liquidityMicros('against')).toBe(0);
  });

  it('no longer marks the event as in running, and hides no suspension', async () => {
    const { market, frame } = await leftOut();
    expect(market.event(FIXTURE)).toMatchObject({ inRunning: false, suspended: false });
    frame([{ tag: 'remove_offer', sport: FB, eventId: EVENT, betType: betType('for,h') }], epoch);
    expect(market.event(FIXTURE)?.suspended).toBe(true);
  });
});

it('does not call a market omitted on a new connection before that connection has offered anything', async () => {
  const { clock, market, frame } = rig();
  const parts: readonly StreamEntry[] = [offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)];
  frame([eventEntry(), ...parts]);
  await clock.advance(2_000);
  frame(parts.slice(0, 1));
  await clock.advance(3_000);
  expect(market.selection(HOME)?.offers.against?.freshness).toBe('absent');
  frame([eventEntry()], 2);
  expect(market.selection(HOME)?.offers.against?.freshness).toBe('earlier-epoch');
  frame(parts.slice(0, 1), 2);
  await clock.advance(1_500);
  expect(market.selection(HOME)?.offers.against?.freshness).toBe('earlier-epoch');
  frame(parts.slice(1), 2);
  expect(market.selection(HOME)?.offers.against?.freshness).toBe('fresh');
});
