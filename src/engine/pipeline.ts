/**
 * How prices become quotes, on one page.
 *
 * The exchange's stream reports offers and private quotes, price sources report prices of others, and the account reports
 * changes of our orders and bets. The join folds all into the state of each selection and emits which events changed. A turn views each changed event once, asks its strategy
 * for quotes and applies the risk limits. The order manager then places and cancels orders until they match the targets, and
 * reports back:
 *
 *     offer$, quote$, sourcePrices$, account$ → change$ → turn → view → strategy → admission → targets → orders → account$
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
import type { AccountChange, AccountEvent } from '../account/changes.ts';
import type { BudgetLevels, EventView } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { SourceBatch } from '../domain/source-price.ts';
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
  toTargets,
  due,
  offers,
  ownFirst,
  planWith,
  privateQuotes,
  viewEach,
} from './operators.ts';
import type { Strategies } from './strategies.ts';
import type { TurnClock } from './turn-clock.ts';
import type { Decision, Look, Turn, TurnInput } from './turn.ts';

/** Everything that enters the engine from outside. Time does not advance while the pipeline handles an emission. */
export interface Sources {
  /** The exchange's stream: frames, and changes of the connection. */
  readonly signal$: Observable<StreamSignal>;
  /** What the order manager and others tell of the account. */
  readonly accountEvent$: Observable<AccountEvent>;
  /** What that changes, orders and fills among it. */
  readonly account$: Observable<AccountChange>;
  /** Prices of price sources. */
  readonly sourcePrices$: Observable<SourceBatch>;
  /** About once a second. */
  readonly tick$: Observable<void>;
  /** An event, or every event (null), has to be decided again even if its market did not change. */
  readonly wake$: Observable<EventName | null>;
  /** Quoting ends for good. */
  readonly stop$: Observable<void>;
  /** Calls on the deciders from outside the pipeline. Emits only while turns are recorded. */
  readonly call$: Observable<DeciderCall>;
}

/** Requests that fill gaps of the stream. Their answers join the stream as frames. */
export interface SideSources {
  /** Offers of events whose prices do not move. */
  quietOffers(look$: Observable<Look>): Observable<StreamFrame>;
  /** Events that appeared or ended without a message on the stream. */
  listedEvents(look$: Observable<Look>, signal$: Observable<StreamSignal>): Observable<StreamFrame>;
  /** Registers an event again if its offers never arrived. Emits nothing. */
  registrations(look$: Observable<Look>): Observable<never>;
}

/**
 * The functions that values pass through. The pipeline calls them in the order of this page and never calls one inside another.
 */
export interface Stages {
  readonly market: Pick<Market, 'changes$'>;
  /** Records a signal or a change of the account before the market shows it. */
  readonly onSignal: (signal: StreamSignal) => void;
  readonly onAccount: (change: AccountChange) => void;
  /** Chooses which selections to quote. */
  readonly look: (at: Moment) => Look;
  /** The other work that depends on time alone. */
  readonly housekeeping: (look: Look) => void;
  /** Shows the change to the guards first, then returns the changed events that are quoted. */
  readonly onChange: (change: MarketChange) => readonly EventName[];
  /** The events to decide after a wake. */
  readonly wanted: (event: EventName | null) => readonly EventName[];
  /** The quoted selections of an event. */
  readonly selectionsOf: (event: EventName) => readonly SelectionId[];
  /** The requests that the exchange's limits leave now. */
  readonly budgets: () => BudgetLevels;
  readonly view: (event: EventName, selections: readonly SelectionId[], turn: Turn) => EventView | null;
  /** Turns views into quotes; each event is quoted by the strategy that owns it. */
  readonly strategies: Pick<Strategies, 'quotes' | 'claim'>;
  readonly admit: (selections: readonly SelectionId[], intents: readonly QuoteIntent[]) => Admission;
  /** Whether enough is known about an event to set its targets. */
  readonly isDecidable: (event: EventName) => boolean;
  /** The orders that exist now. */
  readonly planBasis: (event: EventName) => PlanBasis;
  /** Reports a bug of ours. The failed step is skipped; everything else continues until the owner ends the process. */
  readonly onFatal: (error: unknown) => void;
}

/** Operators that wait use the scheduler. Deciders read the clock, which does not advance during a turn. */
export interface PipelineTime {
  readonly scheduler: SchedulerLike;
  readonly clock: TurnClock;
}

export interface Pipeline {
  /** Every turn, even if it has nothing to decide. */
  readonly turn$: Observable<Turn>;
  /** Every decision, in order. */
  readonly decision$: Observable<Decision>;
  /** Every look: the work that depends on time alone, about once a second. */
  readonly look$: Observable<Look>;
  /** Changed selections: one emission for each frame, order or fill that changed any. */
  readonly change$: Observable<MarketChange>;
}

/** Builds the pipeline. Subscribe before the first input arrives; all subscribers share one run. */
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
  const account$ = sources.account$.pipe(tap(stages.onAccount), share());

  const sourcePrices$ = sources.sourcePrices$.pipe(share());

  const change$ = stages.market.changes$({ signals$: price$, account$, sourcePrices$ }).pipe(share());

  const due$ = merge(
    inputs({ ...sources, signal$: price$, sourcePrices$ }, now).pipe(map(arrived)),
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
    conflate(scheduler, () => ({ wallMs: clock.wallMs(), budgets: stages.budgets() })),
    share(),
  );
  const decision$ = dueTurn$.pipe(
    viewEach(stages.selectionsOf, (event, selections, at) =>
      clock.within(at, () => stages.view(event, selections, at)),
    ),
    (viewed$) => stages.strategies.quotes(viewed$),
    admitBy((selections, intents, at) => clock.within(at, () => stages.admit(selections, intents))),
    toTargets(stages.isDecidable),
    ownFirst((event, owner) => stages.strategies.claim(event, owner)),
    planWith(stages.planBasis),
    // The rest of the turn is lost. The next turn is decided again.
    catchError((error: unknown, again$) => (stages.onFatal(error), again$)),
    share(),
  );
  return { turn$: dueTurn$.pipe(map(({ turn }) => turn)), decision$, look$, change$ };
}

/** Every input of a decision, in order of arrival. */
function inputs(
  { signal$, accountEvent$, sourcePrices$, call$, stop$ }: Omit<Sources, 'tick$' | 'wake$' | 'account$'>,
  now: () => Moment,
): Observable<TurnInput> {
  return merge(
    signal$.pipe(map((signal) => ({ kind: 'signal' as const, signal, ...now() }))),
    accountEvent$.pipe(map((event) => ({ kind: 'account' as const, event, ...now() }))),
    sourcePrices$.pipe(map((batch) => ({ kind: 'source_prices' as const, ...batch, ...now() }))),
    call$.pipe(map((call) => ({ kind: 'call' as const, ...call, ...now() }))),
    stop$.pipe(map(() => ({ kind: 'stop' as const, ...now() }))),
  );
}
