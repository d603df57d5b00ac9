import { expect, it } from 'vitest';
import { AGAINST, eventEntry, FOR, HOME, offerEntry, rig } from './support.ts';

it.each([500, 1_200, 2_000])(
  'gives no prices of a market that is left out, however often the others are offered: every %d ms',
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
