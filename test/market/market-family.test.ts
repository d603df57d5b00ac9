import { expect, it } from 'vitest';
import { betType } from '../../src/domain/ids.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { chooseUniverse, EMPTY_UNIVERSE, type QuoteRules, type Universe } from '../../src/market/index.ts';
import { AGAINST, EVENT, eventEntry, FB, FOR, HOME, offerEntry, rig } from './support.ts';

const RULES: QuoteRules = {
  sports: [],
  competitions: [],
  marketTypes: ['wdw'],
  startsWithinMs: null,
  leaveBeforeStartMs: 0,
  inPlay: false,
  minLiquidityMicros: 0,
  maxEvents: 1,
  maxSelections: 1,
};

const removeOffer = (name: string): StreamEntry => ({
  tag: 'remove_offer',
  sport: FB,
  eventId: EVENT,
  betType: betType(name),
});

it('keeps a selection’s market type while it is not offered: silence is no reason to give it up', () => {
  const { market, frame, clock } = rig();
  frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
  const choose = (before: Universe): Universe =>
    chooseUniverse(RULES, market.events(), (event) => market.candidates(event), clock.wallMs(), before);
  const before = choose(EMPTY_UNIVERSE);
  expect(before.selections).toEqual([HOME]);
  frame([removeOffer('for,h'), removeOffer('against,h')]);
  expect(market.selection(HOME)?.marketType).toBe('wdw');
  expect({ ...choose(before), leastMicros: before.leastMicros }).toEqual(before);
});
