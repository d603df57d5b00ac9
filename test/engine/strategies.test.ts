import { map, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import type { EventName } from '../../src/domain/events.ts';
import type { EventId, SelectionId, Sport } from '../../src/domain/ids.ts';
import type { Strategies, Viewed } from '../../src/engine/strategies.ts';
import { defineStrategy, type QuoteIntent, type Strategy, z } from '../../src/strategy/sdk.ts';
import { eventView, selectionView } from '../strategy/support.ts';
import { stillStrategies } from '../support/strategy-host.ts';

const VIEW = eventView([selectionView([[2, 10]], [[2.1, 10]])]);
const ID = VIEW.selections[0]?.selectionId as SelectionId;
const MATCH: EventName = { sport: 'fb' as Sport, eventId: '2026-11-21,1,2' as EventId };
const FIRST_HALF: EventName = { ...MATCH, sport: 'fb_ht' as Sport };

/** A strategy that wants one quote at its own tick. */
const quoting = (name: string, tick: number) => {
  const intent: QuoteIntent = {
    ...{ selectionId: ID, direction: 'against', tick, stakeMicros: 1e6, level: 0 },
  };
  const parameters = z.object({ quotes: z.boolean() });
  const strategy = defineStrategy({
    ...{ name, description: '', parameters },
    quote: (_, { quotes }) => (quotes ? [intent] : []),
  });
  return { strategy: strategy as Strategy, parameters: { quotes: true } };
};

const strategies = () => stillStrategies(quoting('one', 90), quoting('two', 80));

/** The owner’s name and the wanted tick for each view, in order. */
function answers(these: Strategies, viewed: readonly Viewed[]): readonly string[] {
  const messages: string[] = [];
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(({ cold, flush }) => {
    const names = Object.fromEntries(viewed.map((each, at) => [String.fromCharCode(97 + at), each]));
    const viewed$ = cold(`(${Object.keys(names).join('')}|)`, names);
    const messages$ = these
      .quotes(viewed$)
      .pipe(map(({ owner, intents }) => `${owner}: ${intents.map(({ tick }) => tick).join()}`));
    messages$.subscribe((each) => messages.push(each));
    flush();
  });
  return messages;
}

describe('the strategies', () => {
  it('ask the first of them about an event without an owner', () => {
    const these = strategies();
    expect(these.ownerOf(MATCH)).toBe('one');
    expect(answers(these, [{ event: MATCH, view: VIEW }])).toEqual(['one: 90']);
  });

  it('leave each event to its owner, in the order of the views', () => {
    const these = strategies();
    these.claim(FIRST_HALF, 'two');
    const view = VIEW;
    expect(
      answers(
        these,
        [MATCH, FIRST_HALF, MATCH].map((event) => ({ event, view })),
      ),
    ).toEqual([...['one: 90', 'two: 80', 'one: 90']]);
  });

  it('want nothing on an event that cannot be viewed, and name its owner', () => {
    const these = strategies();
    these.recall(MATCH, 'two');
    expect(answers(these, [{ event: MATCH, view: null }])).toEqual(['two: ']);
  });

  it('want nothing on an event whose owner does not run', () => {
    const these = strategies();
    these.recall(MATCH, 'an old one');
    expect(answers(these, [{ event: MATCH, view: VIEW }])).toEqual(['an old one: ']);
    expect([these.runs('an old one'), [...these.absentOwners()]]).toEqual([false, ['an old one']]);
    these.quotes(of({ event: MATCH, view: VIEW })).subscribe(({ problems }) => {
      expect(problems).toMatchObject([{ kind: 'owner-absent', strategy: 'an old one' }]);
    });
    expect.assertions(3);
  });

  it('give new parameters to the strategy that they belong to', () => {
    const these = strategies();
    these.setParameters('one', { quotes: false });
    these.claim(FIRST_HALF, 'two');
    expect(
      answers(
        these,
        [MATCH, FIRST_HALF].map((event) => ({ event, view: VIEW })),
      ),
    ).toEqual(['one: ', 'two: 80']);
  });
});
