import { describe, expect, it } from 'vitest';
import { betType } from '../../src/domain/ids.ts';
import { AGAINST, EVENT, eventEntry, FB, FOR, HOME, offerEntry, quoteEntry, rig } from './support.ts';

/** A private quote and then a frame that leaves nothing of the public offer of its market. */
async function gone(how: 'taken away' | 'left out') {
  const one = rig();
  one.frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
  await one.clock.advance(2_000);
  one.frame([quoteEntry('for,h', FOR)]);
  await one.clock.advance(1_000);
  if (how === 'left out') one.frame([offerEntry('against,h', AGAINST)]);
  else one.frame([{ tag: 'remove_offer', sport: FB, eventId: EVENT, betType: betType('for,h') }]);
  return one;
}

it('is told when an offer was taken away, and on which connection', async () => {
  const { market, clock } = await gone('taken away');
  await clock.advance(500);
  expect(market.selection(HOME)?.takenAway).toEqual({ for: { ageMs: 500, epoch: 1 }, against: null });
});

it('is told so again when it is taken away once more, though nobody heard of its offer in between', async () => {
  const { market, clock, frame } = await gone('taken away');
  await clock.advance(500);
  frame([eventEntry(), { tag: 'remove_offer', sport: FB, eventId: EVENT, betType: betType('for,h') }], 2);
  expect(market.selection(HOME)?.takenAway.for).toEqual({ ageMs: 0, epoch: 2 });
});

describe('a private quote of a market that is offered no more', () => {
  it.each(['taken away', 'left out'] as const)(
    'counts for no longer than it may be behind: %s',
    async (how) => {
      const { market, clock, frame } = await gone(how);
      await clock.advance(4_000);
      expect(market.marketOf(HOME).for).toEqual(FOR);
      await clock.advance(1);
      expect(market.marketOf(HOME).for).toBeNull();
      frame([quoteEntry('for,h', FOR)]);
      await clock.advance(9_000);
      expect(market.marketOf(HOME).for).toEqual(FOR);
    },
  );
});
