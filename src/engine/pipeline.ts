/**
 * How prices become quotes, on one page.
 *
 * The exchange's stream tells offers and private quotes; the order manager tells what became of our own orders. The join folds all
 * of it into the state of each selection, and tells which events changed. A turn views each of them once, asks the strategy, and
 * lets through what risk admits; the order manager is told the targets, places and closes, and so the circle closes:
 *
 *     offer$, quote$, ownOrder$, fill$ → change$ → turn → view → strategy → admission → targets → orders → ownOrder$
 */
import {
  catchError,
  EMPTY,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  type SchedulerLike,
  share,
  tap,
} from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { StreamFrame, StreamSignal } from '../domain/stream.ts';
import { type Moment, momentOf } from '../lib/time.ts';
import type { Market, MarketChange } from '../market/index.ts';
import type { PlanBasis } from '../orders/targets/reconcile.ts';
import type { Admission } from '../risk/index.ts';
import type { DeciderCall } from './calls.ts';
import {
  admitBy,
  arrived,
  conflate,
  decideOnce,
  due,
  offers,
  ownFirst,
  planWith,
  privateQuotes,
  viewEach,
} from './operators.ts';
import type { Strategies } from './strategies.ts';
import type { TurnClock } from './turn-clock.ts';
import type { Decision, Look, OrderChange, Turn, TurnInput } from './turn.ts';

/** What comes to the engine from outside. Time stands still while an emission is worked on. */
export interface Sources {
  /** The exchange's stream: frames, and the life of the connection. */
  readonly signal$: Observable<StreamSignal>;
  /** What became of our own orders: the way back from the order manager. */
  readonly ownOrder$: Observable<OrderChange>;
  readonly fill$: Observable<Fill>;
  /** About once a second. */
  readonly tick$: Observable<void>;
  /** Quotes of an event, or of all (null), may no longer rest as they do, whatever the market says. */
  readonly wake$: Observable<EventName | null>;
  /** Quoting ends for good. */
  readonly stop$: Observable<void>;
  /** Calls from outside on what decides, where turns are recorded. */
  readonly call$: Observable<DeciderCall>;
}

/** What the exchange is asked for where its stream is silent; the answers join the stream. */
export interface SideSources {
  /** Offers of events whose prices stand still. */
  quietOffers(look$: Observable<Look>): Observable<StreamFrame>;
  /** Events that came or went without a word. */
  listedEvents(look$: Observable<Look>, signal$: Observable<StreamSignal>): Observable<StreamFrame>;
  /** Registers events again whose offers never arrived; emits nothing. */
  registrations(look$: Observable<Look>): Observable<never>;
}

/** What the values pass through. Each is called in the order of this page, and never from within another. */
export interface Stages {
  readonly market: Pick<Market, 'changes$'>;
  /** Accounts for a signal, an order or a fill, before the market shows it. */
  readonly onSignal: (signal: StreamSignal) => void;
  readonly onOrder: (change: OrderChange) => void;
  readonly onFill: (fill: Fill) => void;
  /** Chooses what is quoted. */
  readonly look: (at: Moment) => Look;
  /** The rest of what time alone changes. */
  readonly housekeeping: (look: Look) => void;
  /** The quoted ones among the events that changed; guards see them first. */
  readonly onChange: (change: MarketChange) => readonly EventName[];
  /** The events that a wake concerns. */
  readonly wanted: (event: EventName | null) => readonly EventName[];
  /** What is quoted of an event. */
  readonly selectionsOf: (event: EventName) => readonly SelectionId[];
  readonly view: (event: EventName, selections: readonly SelectionId[], at: Moment) => EventView | null;
  /** Views in, quotes of each event's owner out. */
  readonly strategies: Pick<Strategies, 'quotes' | 'claim'>;
  readonly admit: (selections: readonly SelectionId[], intents: readonly QuoteIntent[]) => Admission;
  /** Whether it can be said yet what an event is to have. */
  readonly isDecidable: (event: EventName) => boolean;
  /** The orders that are there. */
  readonly planBasis: (event: EventName) => PlanBasis;
  /** A bug of ours. What it broke off is skipped, and the rest goes on until the owner ends the process. */
  readonly onFatal: (error: unknown) => void;
}

/** Every operator that waits is given the scheduler; what decides goes by the clock, which stands still meanwhile. */
export interface PipelineTime {
  readonly scheduler: SchedulerLike;
  readonly clock: TurnClock;
}

export interface Pipeline {
  /** Every turn, also one that has nothing to decide. */
  readonly turn$: Observable<Turn>;
  /** Every decision, in order. */
  readonly decision$: Observable<Decision>;
  /** Every look at what time alone changes. */
  readonly look$: Observable<Look>;
  /** What changed in the state of selections: one emission for each frame, order and fill that changed any. */
  readonly change$: Observable<MarketChange>;
}

/** Subscribe before anything comes; all subscribers share one run of the pipeline. */
export function quotingPipeline(
  sources: Sources,
  side: SideSources,
  stages: Stages,
  { scheduler, clock }: PipelineTime,
): Pipeline {
  const now = (): Moment => momentOf(clock);
  function safely<T>(work$: Observable<T>): Observable<T> {
    return work$.pipe(catchError((error: unknown) => (stages.onFatal(error), EMPTY)));
  }

  const signal$ = sources.signal$.pipe(tap(stages.onSignal), share());
  const look$ = sources.tick$.pipe(
    map(now),
    mergeMap((at) => safely(of(at).pipe(map(() => clock.within(at, () => stages.look(at)))))),
    share(),
  );

  const offer$ = merge(
    signal$.pipe(offers()),
    side.quietOffers(look$),
    side.registrations(look$),
    side.listedEvents(look$, signal$),
  );
  const quote$ = signal$.pipe(privateQuotes());
  const price$ = merge(offer$, quote$).pipe(share());
  const ownOrder$ = sources.ownOrder$.pipe(tap(stages.onOrder), share());
  const fill$ = sources.fill$.pipe(tap(stages.onFill), share());

  const change$ = stages.market
    .changes$({ signals$: price$, orders$: ownOrder$.pipe(map(({ order }) => order)), fills$: fill$ })
    .pipe(share());

  const due$ = merge(
    inputs({ ...sources, signal$: price$, ownOrder$, fill$ }, now).pipe(map(arrived)),
    safely(change$.pipe(map((change) => due(stages.onChange(change))))),
    sources.wake$.pipe(map((event) => due(stages.wanted(event), { kind: 'wake', event, ...now() }))),
    look$.pipe(
      mergeMap((look) =>
        safely(of(look).pipe(tap(() => clock.within(look, () => stages.housekeeping(look))))),
      ),
      map(({ left }) => due([...left, ...stages.wanted(null)], { kind: 'tick', ...now() })),
    ),
  );

  const dueTurn$ = due$.pipe(
    conflate(scheduler, () => clock.wallMs()),
    share(),
  );
  const decision$ = dueTurn$.pipe(
    mergeMap((turn) =>
      safely(
        of(turn).pipe(
          viewEach(stages.selectionsOf, (event, selections, at) =>
            clock.within(at, () => stages.view(event, selections, at)),
          ),
          (viewed$) => stages.strategies.quotes(viewed$),
          admitBy((selections, intents, at) => clock.within(at, () => stages.admit(selections, intents))),
          decideOnce(stages.isDecidable),
          ownFirst((event, owner) => stages.strategies.claim(event, owner)),
          planWith(stages.planBasis),
        ),
      ),
    ),
    share(),
  );
  return { turn$: dueTurn$.pipe(map(({ turn }) => turn)), decision$, look$, change$ };
}

/** What changes what is decided, as it comes. */
function inputs(
  { signal$, ownOrder$, fill$, call$, stop$ }: Omit<Sources, 'tick$' | 'wake$'>,
  now: () => Moment,
): Observable<TurnInput> {
  return merge(
    signal$.pipe(map((signal) => ({ kind: 'signal' as const, signal, ...now() }))),
    ownOrder$.pipe(map((change) => ({ kind: 'own_order' as const, change, ...now() }))),
    fill$.pipe(map((fill) => ({ kind: 'fill' as const, fill, ...now() }))),
    call$.pipe(map((call) => ({ kind: 'call' as const, ...call, ...now() }))),
    stop$.pipe(map(() => ({ kind: 'stop' as const, ...now() }))),
  );
}
