import { expect, it } from 'vitest';
import { FOR, HOME, offerEntry, prices, quoteEntry, rig, STALE_MS } from './support.ts';

it('reports public offers only while they are younger than the private quote that replaces them', async () => {
  const { market, frame, clock } = rig();
  const younger = () => market.youngerOffersOf(HOME).for;
  frame([offerEntry('for,h', FOR)]);
  // Without a private quote, the public offers are the market itself.
  expect([younger(), market.marketOf(HOME).for]).toEqual([null, FOR]);
  await clock.advance(1_000);
  frame([quoteEntry('for,h', FOR)]);
  expect(younger()).toBeNull();
  await clock.advance(1_000);
  const moved = prices([2.2, 100]);
  frame([offerEntry('for,h', moved)]);
  expect([younger(), market.marketOf(HOME).for]).toEqual([moved, FOR]);
  await clock.advance(STALE_MS + 1);
  expect(younger()).toBeNull();
  expect(market.youngerOffersOf('fb|x|h' as typeof HOME)).toEqual({ for: null, against: null });
});
