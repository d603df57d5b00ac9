import { combineLatest, map, of, Subject } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { EventView } from '../../src/domain/event-view.ts';
import { type EventName, eventNameOf } from '../../src/domain/events.ts';
import type { EventId, SelectionId, Sport } from '../../src/domain/ids.ts';
import { Strategies, type Viewed } from '../../src/engine/strategies.ts';
import { StrategyTimers } from '../../src/engine/strategy-timers.ts';
import { MATCHES_ALL, type MatchRules } from '../../src/engine/strategy-match.ts';
import { defineStrategy, type QuoteIntent, type Strategy, z } from '../../src/strategy/sdk.ts';
import { eventView, selectionView } from '../strategy/support.ts';
import { stillStrategies } from '../support/strategy-host.ts';

const VIEW = eventView([selectionView([[2, 10]], [[2.1, 10]])]);
const ID = VIEW.selections[0]?.selectionId as SelectionId;
const MATCH: EventName = { sport: 'fb' as Sport, eventId: '2026-11-21,1,2' as EventId };
const FIRST_HALF: EventName = { ...MATCH, sport: 'fb_ht' as Sport };

/** A strategy that wants one quote at its own tick. */
const quoting = (name: string, tick: number, rules: Partial<MatchRules> = {}) => {
  const intent: QuoteIntent = { selectionId: ID, direction: 'against', tick, stakeMicros: 1e6, level: 0 };
  const parameters = z.object({ quotes: z.boolean() });
  const strategy = defineStrategy({
    name,
    description: '',
    parameters,
    quote: (_, { quotes }) => (quotes ? [intent] : []),
  });
  const matching = { ...MATCHES_ALL, ...rules };
  return { strategy: strategy as Strategy, parameters: { quotes: true }, rules: matching };
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
    expect([these.ownerOf(MATCH), these.quoterOf(MATCH)]).toEqual([null, 'one']);
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
    ).toEqual(['one: 90', 'two: 80', 'one: 90']);
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

/** The event of the view. */
const HERE = eventNameOf(VIEW);
const HALF_TIME: EventName = { ...HERE, sport: 'fb_ht' as Sport };

/** The owner and the wanted ticks of one view. */
const asked = (these: Strategies, view: EventView): string | undefined =>
  answers(these, [{ event: eventNameOf(view), view }])[0];

describe('match rules', () => {
  const inPlay = { ...VIEW, inRunning: true };

  it('give an event to the first strategy that they allow', () => {
    const these = stillStrategies(
      quoting('tennis', 90, { sports: ['tennis'] }),
      quoting('before', 80, { inPlay: false }),
      quoting('rest', 70),
    );
    expect([asked(these, VIEW), these.quoterOf(HERE)]).toEqual(['before: 80', 'before']);
    expect([asked(these, inPlay), these.quoterOf(HERE)]).toEqual(['rest: 70', 'rest']);
    expect(these.omissionOf(HERE, ID)).toBeNull();
  });

  it('leave an event without quotes that no strategy is for, and tell why', () => {
    const these = stillStrategies(
      quoting('tennis', 90, { sports: ['tennis'] }),
      quoting('overs', 80, { marketTypes: ['ou'] }),
    );
    expect(these.quoterOf(HERE)).toBeNull();
    expect(asked(these, VIEW)).toBe('null: ');
    expect([these.ownerOf(HERE), these.quoterOf(HERE)]).toEqual([null, null]);
    expect(these.omissionOf(HERE, ID)).toBe(
      'no strategy matches it: tennis: its sport is fb; overs: its market family is wdw',
    );
  });

  it('bind the owner, too: no other strategy quotes an event of its', () => {
    const these = stillStrategies(quoting('before', 80, { inPlay: false }), quoting('rest', 70));
    these.claim(HERE, 'before');
    expect(asked(these, inPlay)).toBe('before: ');
    expect(these.omissionOf(HERE, ID)).toBe(
      'it belongs to before until it is settled, whose match rules leave it out: it is in play',
    );
    expect(asked(these, VIEW)).toBe('before: 80');
    expect(these.omissionOf(HERE, ID)).toBeNull();
  });

  it('apply from the next view on once they are changed, and leave the owners', () => {
    const these = stillStrategies(quoting('one', 90), quoting('two', 80));
    asked(these, VIEW);
    these.setRules('one', { ...MATCHES_ALL, sports: ['tennis'] });
    expect(asked(these, VIEW)).toBe('two: 80');
    these.claim(HERE, 'two');
    these.setRules('one', MATCHES_ALL);
    expect(asked(these, VIEW)).toBe('two: 80');
  });

  it('show a strategy only the selections that they allow', () => {
    const draw = selectionView([[3, 10]], [[3.2, 10]], { outcome: 'd', marketType: 'ou' });
    const seen: string[] = [];
    const strategy = defineStrategy({
      name: 'sees',
      description: '',
      parameters: z.object({}),
      quote: ({ selections }) => (seen.push(...selections.map(({ outcome }) => outcome)), []),
    }) as Strategy;
    const rules = { ...MATCHES_ALL, marketTypes: ['ou'] };
    const these = stillStrategies({ strategy, parameters: {}, rules });
    asked(these, { ...VIEW, selections: [...VIEW.selections, draw] });
    expect(seen).toEqual(['d']);
    expect(these.omissionOf(HERE, ID)).toBe('the match rules of sees leave it out: its market family is wdw');
    expect(these.omissionOf(HERE, draw.selectionId)).toBeNull();
  });
});

it('calls no strategy that is off, and asks no other one instead', () => {
  const hanging = defineStrategy({
    name: 'hangs',
    description: '',
    parameters: z.object({}),
    quote: () => {
      throw new Error('it was called');
    },
  }) as Strategy;
  const deps = { timers: new StrategyTimers(new VirtualClock()), log: () => undefined };
  const these = new Strategies([{ strategy: hanging, parameters: {} }, quoting('two', 80)], {
    ...deps,
    isOff: (name) => name === 'hangs',
  });
  these.quotes(of({ event: HERE, view: VIEW })).subscribe(({ owner, problems, view }) => {
    expect([owner, problems, view]).toEqual(['hangs', [], null]);
  });
  expect.assertions(1);
});

it('runs two strategies of one plugin under names of their own', () => {
  const { strategy, parameters } = quoting('plugin', 90);
  const these = stillStrategies(
    { strategy, parameters, name: 'first' },
    { strategy, parameters, name: 'second' },
  );
  these.claim(HALF_TIME, 'second');
  these.setParameters('second', { quotes: false });
  expect(these.names).toEqual(['first', 'second']);
  expect([asked(these, VIEW), asked(these, { ...VIEW, sport: HALF_TIME.sport })]).toEqual([
    'first: 90',
    'second: ',
  ]);
});

it('shows a strategy the other event that it watches, and books that time on the strategy that watches', () => {
  const seen: string[] = [];
  const watcher = defineStrategy({
    name: 'watches',
    description: '',
    parameters: z.object({}),
    quotes: (view$, { otherEvent }) =>
      combineLatest([view$, otherEvent(HERE)]).pipe(
        map(([own, other]) => {
          seen.push(`${own.sport} ${own.nowMs} ${other.sport} ${other.nowMs}`);
          return [];
        }),
      ),
  }) as Strategy;
  const calls: string[] = [];
  const observer = {
    onCall: (name: string, event: EventName) => void calls.push(`${name} on ${event.sport}`),
    onReturn: () => void calls.push('back'),
  };
  const deps = { timers: new StrategyTimers(new VirtualClock()), log: () => undefined, observer };
  const these = new Strategies([quoting('one', 90), { strategy: watcher, parameters: {} }], deps);
  these.claim(HALF_TIME, 'watches');
  const viewed$ = new Subject<Viewed>();
  these.quotes(viewed$).subscribe();
  const show = (event: EventName, nowMs: number): string[] => {
    calls.length = 0;
    viewed$.next({ event, view: { ...VIEW, ...event, nowMs } });
    return [...calls];
  };
  expect(show(HERE, 1)).toEqual(['one on fb', 'back']);
  expect(show(HALF_TIME, 2)).toContain('watches on fb_ht');
  expect(seen.splice(0)).toEqual(['fb_ht 2 fb 1']);
  expect(show(HERE, 3)).toEqual(['watches on fb', 'back', 'one on fb', 'back']);
  expect(seen).toEqual(['fb_ht 2 fb 3']);
});
