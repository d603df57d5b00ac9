import { map, Subject } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import type { EventView } from '../../src/domain/event-view.ts';
import type { EventName } from '../../src/domain/events.ts';
import type { RequestUuid } from '../../src/domain/ids.ts';
import * as ids from '../../src/domain/ids.ts';
import { intentKey, type QuoteIntent } from '../../src/domain/quote-intent.ts';
import type { StreamEntry, StreamFrame, StreamSignal } from '../../src/domain/stream.ts';
import {
  admitBy,
  conflate,
  toTargets,
  type Due,
  offers,
  ownFirst,
  planWith,
  privateQuotes,
  selectionStates,
  viewEach,
  type ViewedEvent,
} from '../../src/engine/operators.ts';
import type { TurnInput } from '../../src/engine/turn.ts';
import type { MarketChange } from '../../src/market/index.ts';
import { orderOptions } from '../../src/orders/options.ts';
import type { PlanBasis } from '../../src/orders/targets/reconcile.ts';
import { AGAINST, eventEntry, FOR, HOME, offerEntry, quoteEntry, rig } from '../market/support.ts';

const marbles = (run: (helpers: RunHelpers) => void): void =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);

const frame = (entries: readonly StreamEntry[]): StreamFrame => ({
  ...{ kind: 'frame', epoch: 1, sentMs: null, receivedMonotonicMs: 0, entries },
});

const [OFFER, QUOTE] = [offerEntry('for,h', FOR), quoteEntry('against,h', AGAINST)];
const BETSLIP: StreamEntry = { tag: 'betslip', betslipId: ids.betslipId('s1'), expiryMs: null };

describe('offers and privateQuotes', () => {
  const signals: Record<string, StreamSignal> = {
    c: { kind: 'synced', epoch: 1 },
    o: frame([eventEntry(), OFFER]),
    q: frame([QUOTE, BETSLIP]),
    b: frame([QUOTE, OFFER, BETSLIP]),
    p: { ...frame([OFFER]), isPart: true },
    r: { ...frame([QUOTE, BETSLIP]), isPart: true },
  };

  it('divide the stream: a frame of one kind goes one way, a frame of both kinds is split in two', () => {
    marbles(({ hot, expectObservable }) => {
      const stream$ = hot<StreamSignal>('c-o-q-b', signals);
      expectObservable(stream$.pipe(offers())).toBe('c-o---p', signals);
      expectObservable(stream$.pipe(privateQuotes())).toBe('----q-r', signals);
    });
  });

  it('pass on a frame of one kind as the same object', () => {
    marbles(({ hot, expectObservable }) => {
      const same = (name: string) => map((signal: StreamSignal) => signal === signals[name]);
      expectObservable(hot<StreamSignal>('o', signals).pipe(offers(), same('o'))).toBe('t', { t: true });
      expectObservable(hot<StreamSignal>('q', signals).pipe(privateQuotes(), same('q'))).toBe('t', {
        t: true,
      });
    });
  });

  it('end and fail with the stream', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot<StreamSignal>('o-|', signals).pipe(offers())).toBe('o-|', signals);
      expectObservable(hot<StreamSignal>('q-#', signals).pipe(privateQuotes())).toBe('q-#', signals);
    });
  });
});

const nameOf = (id: string): EventName => ({ sport: ids.sport('fb'), eventId: ids.eventId(id) });
const [A, B] = [nameOf('2026-11-21,1,2'), nameOf('2026-11-21,3,4')];
const tick: TurnInput = { kind: 'tick', monotonicMs: 0, wallMs: 0 };
const opened: TurnInput = { kind: 'signal', signal: { kind: 'open', epoch: 1 }, monotonicMs: 0, wallMs: 0 };

const WALL_MS = 1_700_000_000_000;
const BUDGETS = { ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: 70 };
const READ = { wallMs: WALL_MS, budgets: BUDGETS };

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

const viewOf = ({ sport, eventId }: EventName, nowMs: number): EventView => ({
  ...{
    sport,
    eventId,
    eventName: null,
    competitionName: null,
    competitionId: null,
    home: null,
    away: null,
    nowMs,
  },
  ...{ startsInMs: null, inRunning: false, score: null, redCards: null, matchClock: null, selections: [] },
  ...{ profit: { realisedMicros: 0, openMicros: 0 }, budgets: null },
});
const SELECTIONS = [HOME];
const selectionsOf = (event: EventName) => (event === A ? SELECTIONS : []);
const turn = { seq: 1, monotonicMs: 5, ...READ, inputs: [] };
const INTENT: QuoteIntent = {
  ...{ selectionId: 'fb|2026-11-21,1,2|h' as QuoteIntent['selectionId'], direction: 'for', tick: 90 },
  ...{ stakeMicros: 1e6, level: 0 },
};

/** The order manager has one order, which serves no quote. */
const BASIS: PlanBasis = {
  held: [
    {
      ...{ uuid: 'another' as RequestUuid, key: null, state: 'live', priceKind: 'odds-for' },
      ...{ tick: 90, mode: 'make_and_take' },
      ...{ unfilledMicros: 1e6, lapsesInMs: 10_000, closeWanted: false },
    },
  ],
  policy: orderOptions({}),
};

type Step = <T>(what: string, event: EventName | EventView, answer: T) => T;

/** The quotes of a strategy that owns every event. */
function quoted(viewed: ViewedEvent, step: Step) {
  const intents = viewed.view === null ? [] : step('quote', viewed.view, [INTENT]);
  return { ...viewed, owner: 'o', intents, problems: [] };
}

describe('a turn', () => {
  it('is decided event by event: each is decided before the next is viewed', () => {
    const steps: string[] = [];
    const step = <T>(what: string, event: EventName | EventView, answer: T): T => {
      steps.push(`${what} ${event.eventId}`);
      return answer;
    };
    marbles(({ hot, expectObservable }) => {
      const decision$ = hot('t', { t: { turn, events: [A, B] } }).pipe(
        viewEach(selectionsOf, (event, _, at) =>
          step('view', event, event === B ? null : viewOf(event, at.wallMs)),
        ),
        map((viewed) => quoted(viewed, step)),
        admitBy((selections, intents) =>
          step('admit', selections === SELECTIONS ? A : B, { quotes: intents, blocked: [] }),
        ),
        toTargets((event) => step('decide', event, event === A)),
        ownFirst((event, owner) => step(`own by ${owner}:`, event, undefined)),
        planWith((event) => step('plan', event, BASIS)),
      );
      const [view, nothing] = [viewOf(A, WALL_MS), { intents: [], problems: [] }];
      expectObservable(decision$).toBe('(ab)', {
        a: {
          ...{
            turn,
            event: A,
            owner: 'o',
            selections: SELECTIONS,
            view,
            intents: [INTENT],
            problems: [],
            targets: [INTENT],
          },
          admission: { quotes: [INTENT], blocked: [] },
          basis: BASIS,
          plan: { close: ['another'], place: [{ key: intentKey(INTENT), intent: INTENT }], waiting: [] },
        },
        b: {
          turn,
          event: B,
          owner: 'o',
          selections: [],
          view: null,
          ...nothing,
          admission: { quotes: [], blocked: [] },
          targets: null,
          ...{ basis: BASIS, plan: null },
        },
      });
    });
    const [a, b] = [A.eventId, B.eventId];
    expect(steps).toEqual([
      ...[`view ${a}`, `quote ${a}`, `admit ${a}`, `decide ${a}`, `own by o: ${a}`, `plan ${a}`],
      ...[`view ${b}`, `admit ${b}`, `decide ${b}`, `plan ${b}`],
    ]);
  });

  it('is viewed at its own instant', () => {
    marbles(({ hot, expectObservable }) => {
      const seen$ = hot('t', { t: { turn, events: [A] } }).pipe(
        viewEach(selectionsOf, (event, _, at) => viewOf(event, at.monotonicMs)),
        map(({ view }) => view?.nowMs),
      );
      expectObservable(seen$).toBe('n', { n: turn.monotonicMs });
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
