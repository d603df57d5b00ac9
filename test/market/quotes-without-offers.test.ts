import { describe, expect, it } from 'vitest';
import { betType } from '../../src/domain/ids.ts';
import { AGAINST, EVENT, eventEntry, FB, FOR, HOME, offerEntry, quoteEntry, rig } from './support.ts';

/** A private quote, then a frame that removes the public offer of its market. */
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

it('records when an offer was removed, and on which connection', async () => {
  const { market, clock } = await gone('taken away');
  await clock.advance(500);
  expect(market.selection(HOME)?.takenAway).toEqual({ for: { ageMs: 500, epoch: 1 }, against: null });
});

it('records a second removal again, though no offer arrived in between', async () => {
  const { market, clock, frame } = await gone('taken away');
  await clock.advance(500);
  frame([eventEntry(), { tag: 'remove_offer', sport: FB, eventId: EVENT, betType: betType('for,h') }], 2);
  expect(market.selection(HOME)?.takenAway.for).toEqual({ ageMs: 0, epoch: 2 });
});

describe('a private quote of a market that is no longer offered', () => {
  it.each(['taken away', 'left out'] as const)('counts no longer than it may lag: %s', async (how) => {
    const { market, clock, frame } = await gone(how);
    await clock.advance(4_000);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    await clock.advance(1);
    expect(market.marketOf(HOME).for).toBeNull();
    frame([quoteEntry('for,h', FOR)]);
    await clock.advance(9_000);
    expect(market.marketOf(HOME).for).toEqual(FOR);
  });
});
