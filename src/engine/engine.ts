import {
  interval,
  map,
  merge,
  NEVER,
  type Observable,
  type SchedulerLike,
  startWith,
  Subject,
  takeUntil,
} from 'rxjs';
import type { AccountChange } from '../account/changes.ts';
import type { EventName } from '../domain/events.ts';
import {
  type BetslipId,
  type EventKey,
  type SelectionId,
  type Sport,
  sport as sportOf,
} from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { StreamSignal } from '../domain/stream.ts';
import { clockScheduler } from './clock-scheduler.ts';
import { selectionStates } from './operators.ts';
import { type Pipeline, quotingPipeline, type SideSources, type Stages } from './pipeline.ts';
import type { ConventionWatch } from './convention/convention-watch.ts';
import type { FirstFills } from './convention/first-fills.ts';
import { logChange } from './change-log.ts';
import { QuotedEvents } from './quoted-events.ts';
import { StreamConnection } from './stream-connection.ts';
import type { RiskInputs } from './risk-inputs/risk-inputs.ts';
import { EventList } from './sources/event-list.ts';
import { PriceSourceWatch } from './sources/price-source-watch.ts';
import { QuietEvents } from './sources/quiet-offers.ts';
import { UnreportedEvents } from './sources/registrations.ts';
import type { TurnClock } from './turn-clock.ts';
import type { Decision, Look, Turn } from './turn.ts';
import { type Moment, momentOf } from '../lib/time.ts';
import type { MarketChange, QuoteRules, SelectionState, Universe } from '../market/index.ts';
import type { OrderManager } from '../orders/api.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Venue } from '../ports/venue.ts';
import type { StrategyProblem } from '../strategy/host.ts';
import { HedgeWatch } from './hedging/hedge-watch.ts';
import type { HedgeRules } from '../hedge/rules.ts';
import type { Circumstances, Core } from './core.ts';
import { TurnMetrics } from './turn-metrics.ts';

/** State of other parts that survives a restart. */
export interface EngineMemory {
  /** Restores it. Called once, after risk and before orders. */
  restore(): void;
  /** Keeps it. Called about once a second. */
  housekeeping(): void;
  /** Keeps it for the last time in a run that sends nothing more. */
  end(): void;
}

/** The parts of the engine. `orders` tells `core` what happens to orders and bets. */
export interface EngineParts {
  readonly venue: Venue;
  readonly core: Core;
  /** Counts and logs a fault of a strategy. */
  readonly onProblem: (problem: StrategyProblem) => void;
  readonly orders: OrderManager;
  readonly riskInputs: RiskInputs;
  /** What must survive a restart, beside risk and orders. They end in reverse order. */
  readonly memories: readonly EngineMemory[];
  readonly convention: ConventionWatch;
  readonly firstFills: FirstFills;
  /** The rules at the start; `setRules` replaces them. */
  readonly rules: QuoteRules;
  /** Whether an event is over for the account, whatever the exchange shows: it is not chosen. Default: none is. */
  readonly isOver?: (event: EventName) => boolean;
  /** When hedges are made without a person, at the start; `setHedgeRules` replaces them. Default: never. */
  readonly hedgeRules?: HedgeRules;
  /** The least stake of an order, at the start. Default: any. */
  readonly leastStakeMicros?: Micros;
  /** Prices older than this are stale and get no quotes. */
  readonly staleAfterMs: number;
  readonly clock: TurnClock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Prices of the configured price sources. Never fails. Subscribed once, when the engine starts. Default: none. */
  readonly sourcePrices$?: Observable<SourceBatch>;
}

/** Prices grow stale and rules depend on time, so every quoted event is checked this often even if nothing arrives. */
const HOUSEKEEPING_MS = 1000;

/** Runs the decision pipeline: feeds it, hands targets to the order manager, and answers queries. */
export class Engine {
  readonly turn$: Observable<Turn>;
  /** Every decision while the engine runs. */
  readonly decision$: Observable<Decision>;
  /** Every look, with the selections that are quoted now. */
  readonly look$: Observable<Look>;
  readonly #parts: EngineParts;
  readonly #pipeline: Pipeline;
  readonly #onFatal: (error: unknown) => void;
  readonly #scheduler: SchedulerLike;
  readonly #shutdown$ = new Subject<void>();
  readonly #signals$ = new Subject<StreamSignal>();
  readonly #sourcePrices$ = new Subject<SourceBatch>();
  readonly #tick$ = new Subject<void>();
  readonly #wake$ = new Subject<EventName | null>();
  readonly #stop$ = new Subject<void>();
  readonly #started$ = new Subject<void>();
  readonly #quoted: QuotedEvents;
  readonly #measured: TurnMetrics;
  readonly #sourceWatch: PriceSourceWatch;
  readonly #hedgeWatch: HedgeWatch;
  readonly #connection: StreamConnection;
  #lastLookMs: number;
  #quoting = true;

  constructor(parts: EngineParts, onFatal: (error: unknown) => void) {
    [this.#parts, this.#onFatal] = [parts, onFatal];
    const { venue, core, clock, logger, metrics } = parts;
    this.#scheduler = clockScheduler(clock);
    this.#connection = new StreamConnection(logger, onFatal);
    this.#quoted = new QuotedEvents(venue, core, parts.rules, parts.isOver);
    this.#measured = new TurnMetrics(metrics, clock);
    this.#sourceWatch = new PriceSourceWatch(core.market, clock, logger, metrics);
    this.#hedgeWatch = new HedgeWatch(core, parts.orders, parts.hedgeRules);
    this.#lastLookMs = clock.monotonicMs();
    const sources = {
      signal$: this.#signals$,
      tick$: this.#tick$,
      wake$: merge(
        this.#wake$,
        core.strategies.wake$,
        core.adjustments.wake$,
        core.handQuotes.wake$,
        core.hedges.wake$,
      ),
      input$: core.input$,
      account$: core.change$,
      sourcePrices$: this.#sourcePrices$,
      stop$: this.#stop$,
    };
    const time = { scheduler: this.#scheduler, clock };
    this.#pipeline = quotingPipeline(sources, this.#sideSources(), this.#stages(), time);
    this.turn$ = this.#pipeline.turn$.pipe(takeUntil(this.#shutdown$));
    this.decision$ = this.#pipeline.decision$.pipe(takeUntil(this.#shutdown$));
    this.look$ = this.#pipeline.look$.pipe(takeUntil(this.#shutdown$));
    this.#follow();
  }

  /**
   * Restores risk, then orders, from earlier runs. Call it before any command is accepted, since commands build on that state.
   */
  recall(): void {
    const { core, leastStakeMicros: stakeMicros } = this.#parts;
    if (stakeMicros !== undefined) core.apply({ kind: 'least_stake', stakeMicros });
    this.#parts.riskInputs.restore((event) => this.#wake(event));
    for (const memory of this.#parts.memories) memory.restore();
    this.#parts.convention.begin();
    this.#parts.orders.adopt();
    this.#watchKills();
  }

  /** Connects the stream, recovers, then quotes. Rejects if recovery cannot reach the exchange. */
  async start(): Promise<void> {
    const { venue, clock } = this.#parts;
    venue.stream$.pipe(takeUntil(this.#shutdown$)).subscribe({
      next: (signal) => {
        this.#measured.begin(signal);
        clock.atOnce(() => this.#signals$.next(signal));
        this.#measured.end();
      },
      error: this.#onFatal,
    });
    await this.#parts.orders.start();
    this.#started$.next();
    this.#followSources();
    interval(HOUSEKEEPING_MS, this.#scheduler)
      .pipe(
        startWith(0),
        map(() => undefined),
        takeUntil(this.#shutdown$),
      )
      .subscribe(this.#tick$);
  }

  /** The state of one selection at each change, until the exchange removes the selection. */
  selection$(id: SelectionId): Observable<SelectionState> {
    const { change$ } = this.#pipeline;
    return change$.pipe(selectionStates(this.#parts.core.market, id), takeUntil(this.#shutdown$));
  }

  get universe(): Universe {
    return this.#quoted.universe;
  }

  /** The quoted selections of each event. */
  get chosen(): ReadonlyMap<EventKey, readonly SelectionId[]> {
    return this.#quoted.chosen;
  }

  /** Emits once, when the engine stops. */
  get end$(): Observable<void> {
    return this.#shutdown$;
  }

  /** The exchange's stream as the engine receives it. */
  get signal$(): Observable<StreamSignal> {
    return this.#signals$;
  }

  /** Milliseconds since the last housekeeping. A high value means a wedged loop. */
  idleMs(): number {
    return this.#parts.clock.monotonicMs() - this.#lastLookMs;
  }

  /** Applies from the next housekeeping on, and decides every event again. */
  setRules(rules: QuoteRules): void {
    this.#quoted.setRules(rules);
    this.#wake(null);
  }

  readonly setHedgeRules = (rules: HedgeRules): void => void (this.#hedgeWatch.rules = rules);

  /** An event is over for the account from now on: decides it at once, so that no quote of it is tried again. */
  leave(event: EventName): void {
    this.#quoted.leave(event);
    this.#wake(event);
  }

  /** Ends quoting. The order manager still closes orders. */
  stopQuoting(reason: string): void {
    this.#quoting = false;
    this.#stop$.next();
    this.#parts.orders.stopQuoting(reason);
  }

  stop(): void {
    this.#quoting = false;
    this.#shutdown$.next();
    this.#shutdown$.complete();
  }

  #followSources(): void {
    const { sourcePrices$ = NEVER, clock } = this.#parts;
    sourcePrices$.pipe(takeUntil(this.#shutdown$)).subscribe({
      next: (batch) => clock.atOnce(() => this.#sourcePrices$.next(batch)),
      error: this.#onFatal,
    });
  }

  /** The order manager applies the targets; metrics and fault logs only observe. */
  #follow(): void {
    const { orders, core, firstFills } = this.#parts;
    core.strategies.due$.pipe(takeUntil(this.#shutdown$)).subscribe({
      next: (timer) => this.#guard(() => core.apply({ kind: 'timer', timer })),
      error: this.#onFatal,
    });
    this.decision$.subscribe({
      next: ({ event, owner, problems, isLeft, targets, score }) => {
        problems.forEach((problem) => this.#parts.onProblem(problem));
        if (isLeft) orders.leave(event);
        else if (targets !== null) orders.setTargets(event, owner, firstFills.capped(event, targets), score);
      },
      error: this.#onFatal,
    });
    // Subscribed after the decisions, so the turn is decided when it arrives here.
    this.turn$.subscribe({ next: (turn) => this.#measured.onTurn(turn), error: this.#onFatal });
  }

  #sideSources(): SideSources {
    const { venue, core, clock, logger, staleAfterMs } = this.#parts;
    const quiet = new QuietEvents(venue, core.market, clock, logger, staleAfterMs);
    const list = new EventList(venue, core.market, clock, logger);
    const unreported = new UnreportedEvents(venue, core.market, clock);
    const sports = (): readonly Sport[] => this.#quoted.rules.sports.map(sportOf);
    return {
      quietOffers(look$) {
        return quiet.frames(look$);
      },
      registrations(look$) {
        return unreported.follow(look$);
      },
      listedEvents(look$, signal$) {
        return list.frames(look$, signal$, sports);
      },
    } satisfies SideSources;
  }

  #stages(): Stages {
    const { core, venue } = this.#parts;
    return {
      market: core.market,
      onSignal: this.#guarded((signal) => this.#onSignal(signal)),
      onAccount: this.#guarded(this.#onAccount),
      look: (at) => this.#look(at),
      housekeeping: (look) => this.#housekeeping(look),
      onChange: this.#onChange,
      wanted: (event) => this.#toBeDecided(event),
      budgets: () => venue.budgets(),
      decide: (event, turn) => core.decide(this.#circumstances(), event, turn),
      onFatal: this.#onFatal,
    };
  }

  #onSignal(signal: StreamSignal): void {
    this.#connection.onSignal(signal);
    this.#noteLayBetslips(signal);
    this.#parts.convention.onSignal(signal);
    this.#parts.riskInputs.onSignal(signal);
    this.#parts.orders.onSignal(signal);
  }

  /** Before the market reads the quotes of this frame. */
  #noteLayBetslips(signal: StreamSignal): void {
    if (signal.kind !== 'frame') return;
    const { core } = this.#parts;
    for (const entry of signal.entries) {
      if (entry.tag === 'pmm') this.#noteLay(entry.quote.betslipId);
      else if (entry.tag === 'betslip_closed' && core.prices.isLay(entry.betslipId))
        core.apply({ kind: 'lay_betslip', betslip: entry.betslipId, isOpen: false });
    }
  }

  #noteLay(id: BetslipId): void {
    const { orders, core } = this.#parts;
    if (orders.isLayBetslip(id) && !core.prices.isLay(id))
      core.apply({ kind: 'lay_betslip', betslip: id, isOpen: true });
  }

  readonly #onAccount = (change: AccountChange): void => {
    const { riskInputs, core, firstFills } = this.#parts;
    if (change.kind === 'order' && change.before === null) this.#measured.onOrder(change.order);
    riskInputs.onChange(change);
    core.show(change);
    firstFills.onChange(change);
    const offsets = this.#quoting && this.#hedgeWatch.rules.offsetTicks !== null;
    if (change.kind === 'booked' && !change.isRecorded && offsets)
      this.#hedgeWatch.onFill(change.fill, momentOf(this.#parts.clock));
    logChange(this.#parts.logger, change, (fill) => core.strategies.ownerOf(fill));
  };

  readonly #onChange = ({ events }: MarketChange): readonly EventName[] => {
    const quoted = this.#quoted.changed(events);
    if (quoted.length > 0) this.#measured.onQuotedChange();
    for (const event of quoted) this.#parts.core.apply({ kind: 'seen', event });
    return quoted;
  };

  /** A named event is decided even if it is not quoted: orders that an earlier run left there may have to be closed. */
  #toBeDecided(event: EventName | null): readonly EventName[] {
    return event === null ? this.universe.events : [event];
  }

  #circumstances(): Circumstances {
    return {
      isQuoting: this.#quoting,
      isDecidable: (event) => this.#isDecidable(event),
      planBasis: (event) => this.#parts.orders.planBasis(event),
    };
  }

  /** Until its offers arrive, an event is decided only if it is halted. */
  #isDecidable(event: EventName): boolean {
    if (!this.#quoted.isComplete(event) && !this.#parts.riskInputs.isHalted(event)) return false;
    this.#quoted.begin(event);
    return true;
  }

  #look(at: Moment): Look {
    this.#lastLookMs = at.monotonicMs;
    let left: readonly EventName[] = [];
    this.#guard(() => void (left = this.#quoted.choose(at.wallMs)));
    const { events } = this.universe;
    return { ...at, ...this.#connection.now, events, chosen: this.chosen, left };
  }

  #housekeeping(look: Look): void {
    this.#guard(() => this.#parts.riskInputs.housekeeping(look.events, look.chosen));
    if (this.#quoting) this.#guard(() => this.#hedgeWatch.look(look));
    this.#guard(() => this.#parts.convention.tick());
    this.#guard(() => this.#parts.firstFills.tick());
    for (const memory of this.#parts.memories) this.#guard(() => memory.housekeeping());
    this.#guard(() => this.#sourceWatch.look());
  }

  /** Watches for kills until housekeeping starts: recovery may take long, and a kill must not wait for it. */
  #watchKills(): void {
    interval(HOUSEKEEPING_MS, this.#scheduler)
      .pipe(takeUntil(merge(this.#started$, this.#shutdown$)))
      .subscribe({
        next: () => this.#guard(() => this.#parts.riskInputs.kept.watchKills()),
        error: this.#onFatal,
      });
  }

  #wake(event: EventName | null): void {
    this.#parts.clock.atOnce(() => this.#wake$.next(event));
  }

  #guarded<T>(work: (value: T) => void): (value: T) => void {
    return (value) => {
      try {
        work(value);
      } catch (error) {
        this.#onFatal(error);
      }
    };
  }

  #guard(work: () => void): void {
    this.#guarded(work)(undefined);
  }
}
