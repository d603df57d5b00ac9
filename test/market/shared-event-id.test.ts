import { expect, it } from 'vitest';
import { sport } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { momentOf } from '../../src/lib/time.ts';
import { AGAINST, EVENT, eventEntry, FIXTURE, FOR, HOME, NOTHING_HELD, offerEntry, rig } from './support.ts';

const HALF = { sport: sport('fb_ht'), eventId: EVENT };
const HALF_HOME = selectionId(HALF.sport, EVENT, 'h');

function shared() {
  const { market, frame, clock } = rig();
  frame([eventEntry(HALF), eventEntry({ irStatus: 'in_running' })]);
  frame([offerEntry('for,h', AGAINST, HALF), offerEntry('for,h', FOR)]);
  return { market, frame, clock };
}

it('shows the requested sport in a view, where several use the event id', () => {
  const { market, clock } = shared();
  const viewOf = (event: typeof HALF) => market.view(event, [HOME, HALF_HOME], NOTHING_HELD, momentOf(clock));
  expect(viewOf(HALF)).toMatchObject({ sport: 'fb_ht', inRunning: false });
  expect(viewOf(HALF)?.selections.map((each) => each.selectionId)).toEqual([HALF_HOME]);
  expect(viewOf(FIXTURE)).toMatchObject({ sport: 'fb', inRunning: true });
  expect(viewOf(FIXTURE)?.selections.map((each) => each.selectionId)).toEqual([HOME]);
  expect([market.event(HALF)?.inRunning, market.event(FIXTURE)?.inRunning]).toEqual([false, true]);
});

it('names the sport that changed, where several use the event id', () => {
  const { frame } = shared();
  expect(frame([offerEntry('for,h', FOR, HALF)])?.events).toEqual([HALF]);
  expect(frame([{ tag: 'event_score', ...FIXTURE, score: [1, 0] }])?.events).toEqual([FIXTURE]);
});

it('leaves nothing to view of a sport that goes, where another uses the event id', () => {
  const { market, frame, clock } = shared();
  frame([{ tag: 'remove_event', ...FIXTURE }]);
  expect(market.event(FIXTURE)).toBeUndefined();
  expect(market.view(FIXTURE, [HOME], NOTHING_HELD, momentOf(clock))).toBeNull();
  expect(market.event(HALF)).toBeDefined();
});
