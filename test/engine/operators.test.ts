import { asyncScheduler, map, Subject } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { EventName } from '../../src/domain/events.ts';
import { clockScheduler } from '../../src/engine/clock-scheduler.ts';
import * as ids from '../../src/domain/ids.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { conflate, decideEach, type Due, inSlices, selectionStates } from '../../src/engine/operators.ts';
import type { Decision, Turn, TurnInput } from '../../src/engine/turn.ts';
import type { MarketChange } from '../../src/market/index.ts';
import { AGAINST, eventEntry, FOR, HOME, offerEntry, rig } from '../market/support.ts';

const marbles = (run: (helpers: RunHelpers) => void): void =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);

const OFFER = offerEntry('for,h', FOR);

const nameOf = (id: string): EventName => ({ sport: ids.sport('fb'), eventId: ids.eventId(id) });
const [A, B] = [nameOf('2026-11-21,1,2'), nameOf('2026-11-21,3,4')];
const tick: TurnInput = { kind: 'tick', monotonicMs: 0, wallMs: 0 };
const opened: TurnInput = { kind: 'signal', signal: { kind: 'open', epoch: 1 }, monotonicMs: 0, wallMs: 0 };

const WALL_MS = 1_700_000_000_000;
const BUDGETS = { ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: 70 };
const READ = { wallMs: WALL_MS, budgets: BUDGETS };

describe('what is due', () => {
  const [C, D, E] = ['5', '6', '7'].map((id) => nameOf(`2026-11-21,${id},0`)) as [
    EventName,
    EventName,
    EventName,
  ];
  const slicesOf = (
    source: string,
    given: Record<string, Due>,
    expected: string,
    slices: Record<string, Due>,
  ) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot<Due>(source, given).pipe(inSlices(asyncScheduler, 2))).toBe(expected, slices);
    });

  it('comes a few events at a time and in its order; the input goes with the first', () => {
    slicesOf('-a-', { a: { input: tick, events: [A, B, C, D, E] } }, '-(xyz)', {
      x: { input: tick, events: [A, B] },
      y: { input: null, events: [C, D] },
      z: { input: null, events: [E] },
    });
  });

  it('is emitted also where no event is due, and an exact number leaves no empty rest', () => {
    const given = { a: { input: tick, events: [] }, b: { input: tick, events: [A, B, C, D] } };
    slicesOf('a--b', given, 'w--(xy)', {
      w: { input: tick, events: [] },
      x: { input: tick, events: [A, B] },
      y: { input: null, events: [C, D] },
    });
  });

  it('leaves a turn of its own to each few events', async () => {
    const decided: string[] = [];
    const clock = new VirtualClock();
    const scheduler = clockScheduler(clock);
    const due$ = new Subject<Due>();
    due$
      .pipe(
        inSlices(scheduler, 2),
        conflate(scheduler, () => READ),
        map(({ turn, events }) => `${turn.seq}: ${events.length}`),
      )
      .subscribe((turn) => decided.push(turn));
    due$.next({ input: tick, events: [A, B, C, D, E] });
    await clock.advance(1);
    expect(decided).toEqual(['1: 2', '2: 2', '3: 1']);
  });
});

describe('conflate', () => {
  const due: Record<string, Due> = {
    a: { input: null, events: [A] },
    b: { input: null, events: [B, A] },
    h: { input: opened, events: [] },
    t: { input: tick, events: [] },
  };

  const turnsOf = (source: string, expected: string, turns: Record<string, unknown>): void => {
    const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted));
    scheduler.run(({ hot, expectObservable }) => {
      const turn$ = hot<Due>(source, due).pipe(
        conflate(scheduler, () => READ),
        map(({ turn, events }) => ({ ...turn, events })),
      );
      expectObservable(turn$).toBe(expected, turns);
    });
  };

  it('gathers everything due before the scheduler runs into one turn, each event once', () => {
    turnsOf('(abh)-a', 'x-----y', {
      x: { seq: 1, monotonicMs: 0, ...READ, inputs: [opened], events: [A, B] },
      y: { seq: 2, monotonicMs: 6, ...READ, inputs: [], events: [A] },
    });
  });

  it('lets inputs that concern no event wait for the next turn, and runs a turn for a tick without any event', () => {
    turnsOf('h-h-t-a', '----x-y', {
      x: { seq: 1, monotonicMs: 4, ...READ, inputs: [opened, opened, tick], events: [] },
      y: { seq: 2, monotonicMs: 6, ...READ, inputs: [], events: [A] },
    });
  });

  it('fails with its source, and decides nothing afterwards', () => turnsOf('(a#)', '#', {}));

  it('runs another turn for work that becomes due during a turn', () => {
    const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted));
    const due$ = new Subject<Due>();
    const decided: (readonly EventName[])[] = [];
    scheduler.run(() => {
      due$.pipe(conflate(scheduler, () => READ)).subscribe(({ turn: { seq }, events }) => {
        decided.push(events);
        if (seq === 1) due$.next({ input: null, events: [B] });
      });
      due$.next({ input: null, events: [A] });
    });
    expect(decided).toEqual([[A], [B]]);
  });

  it('decides nothing after its subscriber leaves', () => {
    const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted));
    scheduler.run(({ cold, expectObservable }) => {
      const turn$ = cold<Due>('-----a', due).pipe(conflate(scheduler, () => READ));
      expectObservable(turn$, '^---!').toBe('-----');
    });
  });
});

describe('a turn', () => {
  it('is decided event by event, and all of it before the next one', () => {
    const turns = [1, 2].map((seq): Turn => ({ seq, monotonicMs: 5, ...READ, inputs: [] }));
    marbles(({ hot, expectObservable }) => {
      const turn$ = hot('t-----u', {
        t: { turn: turns[0] as Turn, events: [A, B] },
        u: { turn: turns[1] as Turn, events: [A] },
      });
      const decision$ = turn$.pipe(
        decideEach((event, { seq }) => ({ event, seq }) as unknown as Decision),
        map((decision) => decision as unknown),
      );
      expectObservable(decision$).toBe('(ab)--c', {
        a: { event: A, seq: 1 },
        b: { event: B, seq: 1 },
        c: { event: A, seq: 2 },
      });
    });
  });
});

describe('the states of a selection', () => {
  it('are emitted at first, and at each change of their event, until the selection is gone', () => {
    const { market, frame: say } = rig();
    const change$ = new Subject<MarketChange>();
    const tell = (entries: readonly StreamEntry[]): void => change$.next(say(entries) as MarketChange);
    const seen: string[] = [];
    tell([eventEntry(), OFFER]);
    change$.pipe(selectionStates(market, HOME)).subscribe({
      next: ({ offers: { for: held } }) => seen.push(JSON.stringify(held?.priceList)),
      complete: () => seen.push('end'),
    });
    tell([eventEntry({ eventId: B.eventId })]);
    tell([offerEntry('for,h', AGAINST)]);
    tell([{ tag: 'clear_events' }]);
    tell([eventEntry(), OFFER]);
    expect(seen).toEqual([JSON.stringify(FOR), JSON.stringify(AGAINST), 'end']);
  });
});
