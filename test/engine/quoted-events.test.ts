import { expect, it } from 'vitest';
import { eventKey, type EventName, type Score } from '../../src/domain/events.ts';
import { betType, eventId, sport } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { isOffered, QuotedEvents } from '../../src/engine/quoted-events.ts';
import type { QuoteRules } from '../../src/market/index.ts';
import { inputsTo } from '../support/inputs.ts';
import {
  AGAINST,
  EVENT,
  eventEntry,
  FB,
  FIXTURE,
  FOR,
  HOME,
  offerEntry,
  prices,
  quoteEntry,
  rig,
} from '../market/support.ts';

const HALF: EventName = { sport: sport('fb_ht'), eventId: EVENT };
const HALF_HOME = selectionId(HALF.sport, EVENT, 'h');
const RULES: QuoteRules = {
  sports: [],
  competitions: [],
  marketTypes: [],
  startsWithinMs: null,
  leaveBeforeStartMs: 0,
  inPlay: false,
  minLiquidityMicros: 0,
  maxEvents: 10,
  maxSelections: 10,
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
  expect(quoted.changed([HALF])).toEqual([HALF]);
  quoted.begin(FIXTURE);
  quoted.setRules({ ...RULES, sports: [HALF.sport] });
  expect(quoted.choose(clock.wallMs())).toEqual([{ sport: FB, eventId: EVENT }]);
  expect(registered.slice(2)).toEqual(['-fb']);
  expect([quoted.selectionsOf(FIXTURE), quoted.selectionsOf(HALF)]).toEqual([[], [HALF_HOME]]);
  expect([...quoted.changed([FIXTURE, HALF])]).toEqual([HALF]);
  expect(told).toEqual([[eventKey(FIXTURE), []]]);
});

/** Quoted events over a market, with what they register and tell. */
function quoting(rules: Partial<QuoteRules> = {}) {
  const { market, frame, clock } = rig();
  const registered: unknown[] = [];
  const told: unknown[] = [];
  const venue = {
    registerEvent: (of: string, id: string, value: number) => void registered.push(['+', of, id, value]),
    unregisterEvent: (of: string, id: string) => void registered.push(['-', of, id]),
  };
  const core = inputsTo((input) => {
    if (input.kind === 'quoted') told.push([eventKey(input.event), input.selections]);
  });
  const quoted = new QuotedEvents(venue, { market, ...core }, { ...RULES, ...rules });
  const choose = (part: Partial<QuoteRules> = {}) => {
    quoted.setRules({ ...RULES, ...rules, ...part });
    return quoted.choose(clock.wallMs());
  };
  return { market, frame, clock, registered, told, quoted, choose };
}

const named = (id: string): EventName => ({ sport: FB, eventId: eventId(id) });
const [ONE, TWO] = [named('2026-11-22,1,1'), named('2026-11-23,2,2')];
const both = (name: EventName) => [offerEntry('for,h', FOR, name), offerEntry('against,h', AGAINST, name)];

it('registers events by the order of their starts, each once, and gives up those that leave', () => {
  const { frame, registered, choose, clock } = quoting();
  const at = (name: EventName, inMs: number) => eventEntry({ ...name, startTimeMs: clock.wallMs() + inMs });
  frame([at(TWO, 3e6), at(ONE, 2e6), at(FIXTURE, 1e6)]);
  choose();
  choose();
  expect(registered).toEqual([
    ['+', FB, EVENT, -0],
    ['+', FB, ONE.eventId, -1],
    ['+', FB, TWO.eventId, -2],
  ]);
  registered.length = 0;
  expect(choose({ maxEvents: 1 })).toEqual([ONE, TWO]);
  expect(registered).toEqual([
    ['-', FB, ONE.eventId],
    ['-', FB, TWO.eventId],
  ]);
});

it('tells the selections of an event where one is added, gone or another, and not if all are the same', () => {
  const { frame, told, choose, quoted } = quoting();
  const draw = selectionId(FB, EVENT, 'd');
  frame([eventEntry(), ...both(FIXTURE)]);
  choose();
  expect(told.splice(0)).toEqual([[eventKey(FIXTURE), [HOME]]]);
  frame([offerEntry('for,d', prices([3, 10])), offerEntry('against,d', prices([3.1, 10])), ...both(FIXTURE)]);
  choose();
  expect(told.splice(0)).toEqual([[eventKey(FIXTURE), quoted.selectionsOf(FIXTURE)]]);
  expect(new Set(quoted.selectionsOf(FIXTURE))).toEqual(new Set([HOME, draw]));
  choose();
  expect(told).toEqual([]);
  choose({ minLiquidityMicros: 40e6 });
  expect(told.splice(0)).toEqual([[eventKey(FIXTURE), [HOME]]]);
  choose({ marketTypes: ['ou'] });
  expect([told, quoted.selectionsOf(FIXTURE), [...quoted.chosen]]).toEqual([
    [[eventKey(FIXTURE), []]],
    [],
    [[eventKey(FIXTURE), []]],
  ]);
  expect(quoted.universe.events).toEqual([FIXTURE]);
});

it('tells the selections of an event that are as many as before, and others', () => {
  const { frame, told, choose } = quoting();
  const of = (outcome: string, stake: number) => [
    offerEntry(`for,${outcome}`, prices([3, stake])),
    offerEntry(`against,${outcome}`, prices([3.1, stake])),
  ];
  frame([eventEntry(), ...of('h', 50), ...of('d', 5)]);
  choose({ minLiquidityMicros: 40e6 });
  expect(told.splice(0)).toEqual([[eventKey(FIXTURE), [HOME]]]);
  frame([...of('h', 5), ...of('d', 50)]);
  choose({ minLiquidityMicros: 40e6 });
  expect(told).toEqual([[eventKey(FIXTURE), [selectionId(FB, EVENT, 'd')]]]);
});

it('keeps the selections of an event in the order in which the universe has them', () => {
  const { frame, choose, quoted } = quoting();
  frame([eventEntry(), ...both(FIXTURE)]);
  frame([offerEntry('for,d', prices([3, 10])), offerEntry('against,d', prices([3.1, 10]))]);
  choose();
  expect(quoted.universe.selections).toHaveLength(2);
  expect(quoted.selectionsOf(FIXTURE)).toEqual(quoted.universe.selections);
});

it('takes an answer of a strategy as complete once offers had come, and until the event is chosen anew', () => {
  const { frame, choose, quoted } = quoting();
  const isComplete = () => quoted.isComplete(FIXTURE);
  frame([eventEntry()]);
  choose();
  expect(isComplete()).toBe(false);
  // Only our own betslip names the market.
  frame([quoteEntry('for,h', FOR), quoteEntry('against,h', AGAINST)]);
  choose();
  expect([quoted.selectionsOf(FIXTURE), isComplete()]).toEqual([[HOME], false]);
  frame(both(FIXTURE));
  expect(isComplete()).toBe(false);
  choose();
  expect(isComplete()).toBe(true);
  choose({ marketTypes: ['ou'] });
  expect(isComplete()).toBe(false);
  quoted.begin(FIXTURE);
  expect(isComplete()).toBe(true);
  choose({ sports: ['tennis'] });
  expect(isComplete()).toBe(true);
  // A late decision on an event that left does not count for its next time.
  quoted.begin(FIXTURE);
  choose({ marketTypes: ['ou'] });
  expect(isComplete()).toBe(false);
});

it('finds the quoted among other events, by sport and id, in their order', () => {
  const { frame, choose, quoted } = quoting();
  frame([eventEntry(), eventEntry(ONE), eventEntry(HALF)]);
  expect(quoted.changed([ONE, FIXTURE])).toEqual([]);
  choose({ sports: [FB] });
  expect(quoted.changed([ONE, HALF, TWO, FIXTURE])).toEqual([ONE, FIXTURE]);
  expect(quoted.rules).toEqual({ ...RULES, sports: [FB] });
});

it('has an event as offered by an offer of either side, and not once it is taken away', () => {
  const { market, frame } = rig();
  frame([eventEntry(), quoteEntry('for,h', FOR)]);
  expect(isOffered(market, FIXTURE)).toBe(false);
  for (const side of ['for', 'against'] as const) {
    frame([offerEntry(`${side},h`, [])]);
    expect(isOffered(market, FIXTURE)).toBe(true);
    frame([{ tag: 'remove_offer', ...FIXTURE, betType: betType(`${side},h`) }]);
    expect(isOffered(market, FIXTURE)).toBe(false);
  }
});

it('tells the score of each event in play, quoted or not, and again only once it is another', () => {
  const { market, frame } = rig();
  const told: unknown[] = [];
  const core = inputsTo((input) => {
    if (input.kind === 'play') told.push(input.report);
  });
  const quoted = new QuotedEvents(
    { registerEvent: () => undefined, unregisterEvent: () => undefined },
    { market, ...core },
    RULES,
  );
  const toldAfter = (entries: readonly StreamEntry[], epoch = 1): readonly unknown[] => {
    frame(entries, epoch);
    expect(quoted.changed([FIXTURE])).toEqual([]);
    return told.splice(0);
  };
  const score = (now: Score | null): StreamEntry => ({ tag: 'event_score', ...FIXTURE, score: now });
  const report = (now: Score) => ({ ...FIXTURE, inRunning: true, score: now });
  const playing = eventEntry({ irStatus: 'in_running' });
  expect(toldAfter([eventEntry(), score([0, 0])])).toEqual([]);
  expect(toldAfter([playing])).toEqual([report([0, 0])]);
  expect(toldAfter([offerEntry('for,h', FOR)])).toEqual([]);
  expect(toldAfter([score([1, 0])])).toEqual([report([1, 0])]);
  // One that goes back is told like any other.
  expect(toldAfter([score([0, 0])])).toEqual([report([0, 0])]);
  expect(toldAfter([score(null)])).toEqual([]);
  expect(toldAfter([score([0, 0])])).toEqual([report([0, 0])]);
  expect(toldAfter([playing], 2)).toEqual([]);
  expect(toldAfter([score([0, 0])], 2)).toEqual([report([0, 0])]);
});
