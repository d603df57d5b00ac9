import { expect, it } from 'vitest';
import { eventKey, type EventName } from '../../src/domain/events.ts';
import { sport } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { QuotedEvents } from '../../src/engine/quoted-events.ts';
import type { QuoteRules } from '../../src/market/index.ts';
import { inputsTo } from '../support/inputs.ts';
import { AGAINST, EVENT, eventEntry, FB, FIXTURE, FOR, HOME, offerEntry, rig } from '../market/support.ts';

const HALF: EventName = { sport: sport('fb_ht'), eventId: EVENT };
const HALF_HOME = selectionId(HALF.sport, EVENT, 'h');
const RULES: QuoteRules = {
  ...{ sports: [], competitions: [], marketTypes: [], startsWithinMs: null, leaveBeforeStartMs: 0 },
  ...{ inPlay: false, minLiquidityMicros: 0, maxEvents: 10, maxSelections: 10 },
};

it('quotes each sport of an event id as a separate event, until it leaves', () => {
  const { market, frame, clock } = rig();
  const registered: string[] = [];
  const venue = {
    registerEvent: (of: string) => registered.push(`+${of}`),
    unregisterEvent: (of: string) => registered.push(`-${of}`),
  };
  const told: unknown[] = [];
  const core = inputsTo((input) => {
    if (input.kind === 'quoted') told.push([eventKey(input.event), input.selections]);
  });
  const quoted = new QuotedEvents(venue, { market, ...core }, RULES);
  for (const event of [FIXTURE, HALF])
    frame([eventEntry(event), offerEntry('for,h', FOR, event), offerEntry('against,h', AGAINST, event)]);
  quoted.choose(clock.wallMs());
  expect(registered).toEqual(['+fb', '+fb_ht']);
  expect([...quoted.chosen]).toEqual([
    [eventKey(FIXTURE), [HOME]],
    [eventKey(HALF), [HALF_HOME]],
  ]);
  quoted.choose(clock.wallMs());
  // Only what changes is told.
  expect(told.splice(0)).toEqual([...quoted.chosen]);
  expect(quoted.among([HALF])).toEqual([HALF]);
  quoted.begin(FIXTURE);
  quoted.setRules({ ...RULES, sports: [HALF.sport] });
  expect(quoted.choose(clock.wallMs())).toEqual([{ sport: FB, eventId: EVENT }]);
  expect(registered.slice(2)).toEqual(['-fb']);
  expect([quoted.selectionsOf(FIXTURE), quoted.selectionsOf(HALF)]).toEqual([[], [HALF_HOME]]);
  expect([...quoted.among([FIXTURE, HALF])]).toEqual([HALF]);
  expect(told).toEqual([[eventKey(FIXTURE), []]]);
});
