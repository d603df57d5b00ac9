/**
 * How prices become quotes, on one page.
 *
 * The exchange's stream reports offers and private quotes, price sources report prices of others, and the account reports
 * changes of our orders and bets. The join folds all into the state of each selection and emits which events changed. A turn
 * decides each changed event once (`core.ts`): it views the event, asks its strategy for quotes and applies the risk limits. The
 * order manager then places and cancels orders until they match the targets, and reports to the account:
 *
 *     signal$, sourcePrices$, account$ → change$ → turn → view → strategy → admission → targets → orders → account$
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
import type { AccountChange } from '../account/changes.ts';
import type { BudgetLevels } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { StreamFrame, StreamSignal } from '../domain/stream.ts';
import { type Moment, momentOf } from '../lib/time.ts';
import type { Market, MarketChange } from '../market/index.ts';
import type { Input } from './input.ts';
import { arrived, conflate, decideEach, due, inSlices } from './operators.ts';
import type { TurnClock } from './turn-clock.ts';
import type { Decision, Look, Turn, TurnInput } from './turn.ts';

/** Everything that enters the engine from outside. Time does not advance while the pipeline handles an emission. */
export interface Sources {
  /** The exchange's stream: frames, and changes of the connection. */
  readonly signal$: Observable<StreamSignal>;
  /** Each input of the core, before it is applied. */
  readonly input$: Observable<Input>;
  /** What those change in the account, orders and fills among it. */
  readonly account$: Observable<AccountChange>;
  /** Prices of price sources. */
  readonly sourcePrices$: Observable<SourceBatch>;
  /** About once a second. */
  readonly tick$: Observable<void>;
  /** An event, or every event (null), has to be decided again even if its market did not change. */
  readonly wake$: Observable<EventName | null>;
  /** Quoting ends for good. */
  readonly stop$: Observable<void>;
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
  /** The requests that the exchange's limits leave now. */
  readonly budgets: () => BudgetLevels;
  /** View, strategy, admission, targets and plan: see `core.ts`. */
  readonly decide: (event: EventName, turn: Turn) => Decision;
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

/** Events that a tick decides before others have their turn. */
const MOST_IN_A_SLICE = 10;

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

  const offer$ = merge(side.quietOffers(look$), side.registrations(look$), side.listedEvents(look$, signal$));
  const price$ = merge(signal$, offer$).pipe(share());
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
      inSlices(scheduler, MOST_IN_A_SLICE),
    ),
  );

  const dueTurn$ = due$.pipe(
    conflate(scheduler, () => ({ wallMs: clock.wallMs(), budgets: stages.budgets() })),
    share(),
  );
  const decision$ = dueTurn$.pipe(
    decideEach((event, turn) => clock.within(turn, () => stages.decide(event, turn))),
    // The rest of the turn is lost. The next turn is decided again.
    catchError((error: unknown, again$) => (stages.onFatal(error), again$)),
    share(),
  );
  return { turn$: dueTurn$.pipe(map(({ turn }) => turn)), decision$, look$, change$ };
}

/** Every input of a decision, in order of arrival. */
function inputs(
  { signal$, input$, sourcePrices$, stop$ }: Omit<Sources, 'tick$' | 'wake$' | 'account$'>,
  now: () => Moment,
): Observable<TurnInput> {
  return merge(
    signal$.pipe(map((signal) => ({ kind: 'signal' as const, signal, ...now() }))),
    input$.pipe(map((input) => ({ ...input, ...now() }))),
    sourcePrices$.pipe(map((batch) => ({ kind: 'source_prices' as const, ...batch, ...now() }))),
    stop$.pipe(map(() => ({ kind: 'stop' as const, ...now() }))),
  );
}
