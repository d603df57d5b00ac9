import { map, merge, of, type Observable, Subject, tap, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { EventView } from '../../src/domain/event-view.ts';
import { type EventName, eventNameOf } from '../../src/domain/events.ts';
import type { SelectionId, Sport } from '../../src/domain/ids.ts';
import { Strategies, type StrategiesDeps } from '../../src/engine/strategies.ts';
import { MATCHES_ALL } from '../../src/engine/strategy-match.ts';
import { StrategyTimers } from '../../src/engine/strategy-timers.ts';
import { defineStrategy, type Strategy, type StrategyContext, z } from '../../src/strategy/sdk.ts';
import type { StrategyProblem } from '../../src/strategy/host.ts';
import { FILL, liveOrder } from '../market/support.ts';
import { eventView, selectionView } from '../strategy/support.ts';
import { booked } from '../support/booked.ts';

const VIEW = eventView([selectionView([[2, 10]], [[2.1, 10]])]);
const HERE = eventNameOf(VIEW);
const THERE: EventName = { ...HERE, sport: 'fb_ht' as Sport };
const ID = VIEW.selections[0]?.selectionId as SelectionId;

type Quotes = (view$: Observable<EventView>, context: StrategyContext) => Observable<never[]>;

/** A strategy that quotes nothing, and notes what it sees. */
const stream = (name: string, quotes: Quotes): Strategy =>
  defineStrategy({ name, description: '', parameters: z.unknown(), quotes });

/** A strategy that notes each order and fill that it is shown. */
const noting = (name: string, notes: string[]): Strategy =>
  stream(name, (view$, { ownOrder$, fill$ }) =>
    merge(
      view$.pipe(map(() => [])),
      ownOrder$.pipe(
        tap(({ requestUuid }) => notes.push(`${name} ${requestUuid}`)),
        map(() => []),
      ),
      fill$.pipe(
        tap(({ betId }) => notes.push(`${name} bet ${betId}`)),
        map(() => []),
      ),
    ),
  );

function running(names: readonly Strategy[], deps: Partial<StrategiesDeps> = {}) {
  const clock = new VirtualClock();
  const faults: StrategyProblem[] = [];
  const woken: EventName[] = [];
  const all = new Strategies(
    names.map((strategy) => ({ strategy, parameters: {} })),
    {
      timers: new StrategyTimers(clock),
      log: () => undefined,
      onFault: (problem: StrategyProblem) => void faults.push(problem),
      ...deps,
    },
  );
  all.wake$.subscribe((event) => void woken.push(event));
  const view = (event: EventName = HERE) => all.answer({ event, view: { ...VIEW, ...event } });
  return { all, clock, faults, woken, view };
}

describe('orders and fills', () => {
  it('are shown to the strategy whose event it is, and to the one that is asked before any owns it', () => {
    const notes: string[] = [];
    const { all, view } = running([noting('one', notes), noting('two', notes)]);
    all.claim(THERE, 'two');
    for (const event of [HERE, THERE]) view(event);
    const order = (event: EventName, requestUuid: string) =>
      all.onChange({
        kind: 'order',
        before: null,
        order: liveOrder({ ...event, requestUuid: requestUuid as never }),
      });
    order(HERE, 'a');
    order(THERE, 'b');
    for (const event of [HERE, THERE])
      all.onChange(booked({ ...FILL, ...event, selectionId: ID, requestUuid: 'u' as never }));
    expect(notes).toEqual(['one a', 'two b', 'one bet 1', 'two bet 1']);
  });

  it('of a strategy that does not run are shown to none', () => {
    const notes: string[] = [];
    const { all, view } = running([noting('one', notes)]);
    view();
    all.onChange({ kind: 'owned', event: HERE, owner: 'gone' });
    all.onChange({ kind: 'order', before: null, order: liveOrder({ ...HERE }) });
    expect([notes, all.ownerOf(HERE), [...all.absentOwners()]]).toEqual([[], 'gone', ['gone']]);
  });
});

describe('the strategy that quotes an event', () => {
  const idle = (name: string): Strategy => stream(name, (view$) => view$.pipe(map(() => [])));
  const withRules = (sports: readonly string[]) =>
    new Strategies(
      [
        { strategy: idle('some'), parameters: {}, rules: { ...MATCHES_ALL, sports } },
        { strategy: idle('rest'), parameters: {} },
      ],
      { timers: new StrategyTimers(new VirtualClock()), log: () => undefined },
    );

  it('is the first one before any view only if it is asked about all events', () => {
    expect(withRules([]).quoterOf(HERE)).toBe('some');
    expect(withRules(['tennis']).quoterOf(HERE)).toBeNull();
  });

  it('is forgotten with the event, but for its owner', () => {
    const all = withRules(['fb']);
    for (const event of [HERE, THERE]) all.answer({ event, view: { ...VIEW, ...event } });
    all.claim(THERE, 'rest');
    expect([all.quoterOf(HERE), all.quoterOf(THERE)]).toEqual(['some', 'rest']);
    for (const event of [HERE, THERE]) all.end(event);
    expect([all.quoterOf(HERE), all.quoterOf(THERE)]).toEqual([null, 'rest']);
  });

  it('is none once no rules match any more, and what is left out is known until the event is over', () => {
    const all = new Strategies(
      [{ strategy: idle('some'), parameters: {}, rules: { ...MATCHES_ALL, inPlay: false } }],
      { timers: new StrategyTimers(new VirtualClock()), log: () => undefined },
    );
    all.answer({ event: HERE, view: VIEW });
    expect([all.quoterOf(HERE), all.omissionOf(HERE, ID)]).toEqual(['some', null]);
    const answer = all.answer({ event: HERE, view: { ...VIEW, inRunning: true } });
    expect(answer).toEqual({ event: HERE, view: null, owner: null, intents: [], problems: [] });
    expect(all.quoterOf(HERE)).toBeNull();
    expect(all.omissionOf(HERE, ID)).toBe('no strategy matches it: some: it is in play');
    expect(all.omissionOf(THERE, ID)).toBeNull();
    all.end(HERE);
    expect(all.omissionOf(HERE, ID)).toBeNull();
  });

  it('keeps a selection that it saw with half the liquidity, and no other strategy does', () => {
    const rules = { ...MATCHES_ALL, minLiquidityMicros: 10e6 };
    const thin = { ...VIEW, selections: [selectionView([[2, 6]], [[2.1, 6]])] };
    const all = new Strategies(
      [
        { strategy: idle('one'), parameters: {}, rules },
        { strategy: idle('two'), parameters: {}, rules },
      ],
      { timers: new StrategyTimers(new VirtualClock()), log: () => undefined },
    );
    const owner = (view: EventView) => all.answer({ event: HERE, view }).owner;
    expect(owner(thin)).toBeNull();
    expect([owner(VIEW), owner(thin)]).toEqual(['one', 'one']);
    all.setRules('one', { ...rules, sports: ['tennis'] });
    expect(owner(thin)).toBeNull();
    all.setRules('one', rules);
    expect([owner(VIEW), owner(thin)]).toEqual(['one', 'one']);
    all.end(HERE);
    expect(owner(thin)).toBeNull();
  });

  it('is not changed by settings of a strategy that does not run', () => {
    const all = withRules(['fb']);
    all.setRules('gone', { ...MATCHES_ALL, sports: ['tennis'] });
    all.setParameters('gone', {});
    expect([all.names, all.runs('some'), all.runs('gone')]).toEqual([['some', 'rest'], true, false]);
    expect(all.answer({ event: HERE, view: VIEW }).owner).toBe('some');
  });
});

describe('a strategy that emits by itself', () => {
  it('wakes its event twenty times a second at most, and the first time beyond is a fault', async () => {
    const own$ = new Subject<never[]>();
    const emitting = (name: string): Strategy =>
      stream(name, (view$) => merge(view$.pipe(map(() => [])), own$));
    const { all, clock, faults, woken, view } = running([emitting('one'), emitting('two')]);
    all.claim(THERE, 'two');
    view(HERE);
    view(THERE);
    for (let times = 0; times < 20; times++) own$.next([]);
    expect([woken.length, faults]).toEqual([40, []]);
    expect(woken.slice(0, 2)).toEqual([HERE, THERE]);
    for (let times = 0; times < 5; times++) own$.next([]);
    expect(woken).toHaveLength(40);
    const fault = {
      kind: 'too-many-emissions',
      selectionId: null,
      message: 'it emits sets of quotes too often; those beyond the limit wait',
    };
    expect(faults).toEqual([
      { ...fault, ...HERE, strategy: 'one' },
      { ...fault, ...THERE, strategy: 'two' },
    ]);
    await clock.advance(1_000);
    own$.next([]);
    expect(woken).toHaveLength(42);
  });
});

describe('timers of strategies', () => {
  it('are due at their time, and run when they are fired', async () => {
    const ran: number[] = [];
    const { all, clock, view } = running([
      stream('one', (view$, { time }) =>
        view$.pipe(
          time.delay(500),
          tap(({ nowMs }) => ran.push(nowMs)),
          map(() => []),
        ),
      ),
    ]);
    const due: number[] = [];
    all.due$.subscribe((number) => void due.push(number));
    view();
    await clock.advance(499);
    expect(due).toEqual([]);
    await clock.advance(1);
    expect([due, ran]).toEqual([[1], []]);
    all.fire(1);
    all.fire(1);
    expect(ran).toHaveLength(1);
  });
});

describe('what strategies keep', () => {
  const counting = (name: string, seen: number[]): Strategy =>
    stream(name, (view$, { keep }) =>
      view$.pipe(
        keep('views', (count: number) => count + 1, 0),
        tap((count) => seen.push(count)),
        map(() => []),
      ),
    );

  it('is saved by strategy and event, and restored to those that run', () => {
    const [before, after] = [[], []] as [number[], number[]];
    const first = running([counting('one', before), counting('gone', before)]);
    first.all.claim(THERE, 'gone');
    for (const event of [HERE, HERE, THERE]) first.view(event);
    const saved = first.all.save();
    expect(saved.map(({ strategy, event }) => [strategy, event])).toEqual([
      ['one', HERE],
      ['gone', THERE],
    ]);
    const second = running([counting('one', after)]);
    second.all.restore(saved);
    second.view();
    expect(after).toEqual([2, 3]);
  });

  it('is dropped when the event is over', () => {
    const seen: number[] = [];
    const { all, view } = running([counting('one', seen)]);
    view();
    all.end(HERE);
    expect(all.save()).toEqual([]);
    view();
    expect(seen).toEqual([0, 1, 0, 1]);
  });
});

it('answers go on after a fault of the host, which is thrown', () => {
  let isBroken = true;
  const observer = {
    onCall: () => {
      if (isBroken) throw new Error('a broken host');
    },
    onReturn: () => undefined,
  };
  const one = stream('one', (view$) => view$.pipe(map(() => [])));
  const { view } = running([one], { observer });
  expect(() => view()).toThrow('a broken host');
  isBroken = false;
  expect(view()).toEqual({ event: HERE, view: VIEW, owner: 'one', intents: [], problems: [] });
});

it('a strategy that fails gives the event no quotes, and a fault', () => {
  const { view } = running([stream('one', () => throwError(() => new Error('no')))]);
  expect(view().problems).toMatchObject([{ kind: 'threw', strategy: 'one', ...HERE }]);
  expect(running([stream('one', () => of([]))]).view().problems).toMatchObject([{ kind: 'completed' }]);
});
