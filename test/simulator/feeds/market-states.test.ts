import { describe, expect, it } from 'vitest';
import { type MarketState, MarketStates } from '../../../src/simulator/feeds/market-states.ts';
import { RecordingMarket } from '../../support/recording-market.ts';

const EVENT = { sport: 'fb', eventId: '2026-01-03,1,2' };

/** What the exchange is told of an event with the markets `h,d` and `over`, for each change of their states. */
function told(...changes: readonly (readonly MarketState[] | 'held' | 'released')[]): string[][] {
  const exchange = new RecordingMarket();
  const states = new MarketStates(EVENT, [['h', 'd'], ['over']]);
  return changes.map((change) => {
    if (typeof change === 'string') states.force(exchange, change === 'held', 0);
    else states.show(exchange, change, 0);
    return exchange.calls.splice(0).map((call) => call.replace('0 ', '').replace('fb,2026-01-03,1,2 ', ''));
  });
}

describe('the states of an event’s markets', () => {
  it('say nothing while both match', () => {
    expect(told(['open', 'open'], ['open', 'open'])).toEqual([[], []]);
  });

  it('pause the outcomes of one that does not match, and no others', () => {
    expect(told(['halted', 'open'], ['halted', 'open'], ['open', 'open'])).toEqual([
      ['setPaused h,d true'],
      [],
      ['setPaused h,d false'],
    ]);
  });

  it('suspend the event while none matches, from before the first pause until after the last', () => {
    expect(told(['halted', 'halted'], ['open', 'halted'], ['halted', 'halted'], ['open', 'open'])).toEqual([
      ['setSuspended true', 'setPaused h,d true', 'setPaused over true'],
      ['setPaused h,d false', 'setSuspended false'],
      ['setSuspended true', 'setPaused h,d true'],
      ['setPaused h,d false', 'setPaused over false', 'setSuspended false'],
    ]);
  });

  it('pause one that is over or not there yet, and judge the event by the others', () => {
    expect(told(['open', 'absent'], ['halted', 'absent'], ['absent', 'absent'])).toEqual([
      ['setPaused over true'],
      ['setSuspended true', 'setPaused h,d true'],
      ['setSuspended false'],
    ]);
  });

  it('give way to the whole event, and come back', () => {
    expect(told(['halted', 'open'], 'held', 'released', ['halted', 'open'])).toEqual([
      ['setPaused h,d true'],
      ['setSuspended true', 'setPaused h,d false'],
      ['setSuspended false'],
      ['setPaused h,d true'],
    ]);
  });
});
