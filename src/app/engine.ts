import { map, merge, observeOn, queueScheduler, Subject, takeUntil, tap } from 'rxjs';
import type { Observable } from 'rxjs';
import { VenueRejection } from '../domain/errors.ts';
import { sport as sportOf } from '../domain/ids.ts';
import type { EventId, SelectionId } from '../domain/ids.ts';
import type { OrderState } from '../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { priceOf } from '../domain/odds.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Ledger } from '../ledger/index.ts';
import type { EventName } from '../domain/events.ts';
import { eventKey } from '../domain/events.ts';
import type { Candidate, Market, MarketChange, QuoteRules, Universe } from '../market/index.ts';
import { chooseUniverse, EMPTY_UNIVERSE } from '../market/index.ts';
import type { OrderManager } from '../orders/api.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Venue } from '../ports/venue.ts';
import type { StrategyHost } from '../strategy/host.ts';
import { EventList } from './event-list.ts';
import type { LimitsMemory } from './limits-memory.ts';
import type { FollowedEvents } from './quiet-events.ts';
import { QuietEvents } from './quiet-events.ts';
import { QuoteUptime } from './quote-uptime.ts';
import type { RiskDesk } from './risk-desk/risk-desk.ts';
import { isTold, UntoldEvents } from './untold-events.ts';

/** What the engine is made of. `orders` reports to the listener that `compose.ts` gives it. */
export interface EngineParts {
  readonly venue: Venue;
  readonly market: Market;
  readonly strategy: StrategyHost;
  readonly orders: OrderManager;
  readonly riskDesk: RiskDesk;
  readonly limitsMemory: LimitsMemory;
  readonly ledger: Ledger;
  /** To begin with. */
  readonly rules: QuoteRules;
  /** Prices older than this are not quoted on. */
  readonly staleAfterMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

interface OrderChange {
  readonly order: LiveOrder;
  /** The state that it was in; null for one that this run did not know. */
  readonly before: OrderState | null;
}

/** Where the order manager reports; made before it, read by the engine. */
export interface OwnActivity {
  readonly orders$: Subject<OrderChange>;
  readonly fills$: Subject<Fill>;
}

export const createOwnActivity = (): OwnActivity => ({ orders$: new Subject(), fills$: new Subject() });

/** Views age and rules depend on time, so every quoted event is looked at this often even when nothing arrived. */
const HOUSEKEEPING_MS = 1000;

/**
 * Turns what the stream says into what the order manager is asked to have: changes mark events dirty, one turn of the
 * loop later each dirty event is viewed and quoted once, so a burst of frames costs one computation.
 */
export class Engine {
  readonly uptime: QuoteUptime;
  readonly #parts: EngineParts;
  readonly #own: OwnActivity;
  readonly #onFatal: (error: unknown) => void;
  readonly #shutdown$ = new Subject<void>();
  readonly #signals$ = new Subject<StreamSignal>();
  readonly #dirty = new Set<EventId>();
  readonly #turnsTotal;
  #rules: QuoteRules;
  #universe: Universe = EMPTY_UNIVERSE;
  /** The events of the universe: of the sports that use an id, the one that is meant. */
  #names = new Map<EventId, EventName>();
  #chosen = new Map<EventId, SelectionId[]>();
  #connections = 0;
  #streamState = 'connecting';
  #ordersRefused = 0;
  readonly #eventsQuoted = new Set<EventId>();
  /** Events of the universe of which anything was chosen since they came into it. */
  readonly #begun = new Set<EventId>();
  /** Others whose offers were told when it was chosen what of them is quoted. */
  #told: ReadonlySet<EventId> = new Set();
  readonly #quiet: QuietEvents;
  readonly #untold: UntoldEvents;
  readonly #list: EventList;
  #epoch = 0;
  #turn: Timer | null = null;
  #housekeeping: Timer | null = null;
  #lastTurnMonotonicMs: number;
  #quoting = true;

  constructor(parts: EngineParts, own: OwnActivity, onFatal: (error: unknown) => void) {
    this.#onFatal = onFatal;
    this.#parts = parts;
    this.#rules = parts.rules;
    this.#own = own;
    this.#quiet = new QuietEvents(parts);
    this.#untold = new UntoldEvents(parts);
    this.#list = new EventList(parts);
    this.uptime = new QuoteUptime(parts.clock.monotonicMs());
    this.#lastTurnMonotonicMs = parts.clock.monotonicMs();
    this.#turnsTotal = parts.metrics.counter('touchline_engine_turns_total', 'Turns of the quoting engine');
    this.#listen();
  }

  /**
   * Takes over what earlier runs left of risk, then of orders. First of all: whoever commands anything commands on top
   * of it.
   */
  recall(): void {
    this.#parts.riskDesk.restore((eventId) => this.#wakeQuotes(eventId));
    this.#parts.orders.adopt();
    this.#watchKills();
  }

  /** Connects the stream, recovers, then quotes. Rejects when recovery cannot reach the exchange. */
  async start(): Promise<void> {
    this.#connect();
    await this.#parts.orders.start();
    this.#keepHouse();
  }

  get universe(): Universe {
    return this.#universe;
  }

  /** Selections that are quoted now, per event. */
  get chosen(): ReadonlyMap<EventId, readonly SelectionId[]> {
    return this.#chosen;
  }

  /** Events for which the strategy ever wanted a quote. */
  get eventsQuoted(): number {
    return this.#eventsQuoted.size;
  }

  /** Orders that the exchange refused to create. */
  get ordersRefused(): number {
    return this.#ordersRefused;
  }

  get streamState(): string {
    return this.#streamState;
  }

  /** Times that the stream came back after the first connection. */
  get reconnects(): number {
    return Math.max(0, this.#connections - 1);
  }

  /** Milliseconds since the engine last did its housekeeping: the sign of a wedged loop. */
  idleMs(): number {
    return this.#parts.clock.monotonicMs() - this.#lastTurnMonotonicMs;
  }

  /** What to quote from the next housekeeping on; every quote is asked for anew. */
  setRules(rules: QuoteRules): void {
    this.#rules = rules;
    this.#wakeQuotes(null);
  }

  /** No new quotes from here on; the order manager still closes. */
  stopQuoting(reason: string): void {
    this.#quoting = false;
    this.#parts.orders.stopQuoting(reason);
  }

  stop(): void {
    this.#quoting = false;
    this.#turn?.cancel();
    this.#housekeeping?.cancel();
    this.#shutdown$.next();
    this.#shutdown$.complete();
  }

  #connect(): void {
    const { stream$ } = this.#parts.venue;
    stream$.pipe(observeOn(queueScheduler), takeUntil(this.#shutdown$)).subscribe(this.#signals$);
  }

  #listen(): void {
    const { market, orders } = this.#parts;
    this.#follow$(this.#own.orders$, (change) => this.#onOrder(change));
    this.#follow$(this.#own.fills$, (fill) => this.#parts.riskDesk.onFill(fill));
    const said$ = merge(this.#signals$, this.#quiet.frames$, this.#list.frames$);
    const orders$ = this.#own.orders$.pipe(map(({ order }) => order));
    const inputs = { signals$: said$, orders$, fills$: this.#own.fills$ };
    this.#follow$(market.changes$(inputs), (change) => this.#onMarketChange(change));
    // The market above has already seen the frame when the manager learns of the orders in it.
    this.#follow$(this.#signals$, (signal) => {
      this.#noteConnection(signal);
      this.#list.onSignal(signal);
      this.#parts.riskDesk.onSignal(signal);
      orders.onSignal(signal);
    });
  }

  /** A failure of the stream or of what follows it is a bug of ours, and must not vanish inside a subscriber. */
  #follow$<T>(source$: Observable<T>, next: (value: T) => void): void {
    source$
      .pipe(tap(next), takeUntil(this.#shutdown$))
      .subscribe({ error: (error: unknown) => this.#onFatal(error) });
  }

  #noteConnection(signal: StreamSignal): void {
    if (signal.kind !== 'frame') this.#streamState = signal.kind;
    this.#epoch = signal.epoch;
    if (signal.kind === 'synced') {
      this.#connections++;
      this.#parts.logger.info('stream synced', { epoch: signal.epoch });
    } else if (signal.kind === 'closed') {
      const { epoch, reason, retryInMs } = signal;
      this.#parts.logger.warn('stream closed', { epoch, reason, retryInMs });
      if (retryInMs === null) this.#onFatal(streamRefused(reason));
    }
  }

  #onOrder({ order, before }: OrderChange): void {
    this.#parts.riskDesk.onOrder(order, before);
    this.uptime.onOrder(order, this.#parts.clock.monotonicMs());
    if (order.state === before) return;
    if (order.state === 'refused') this.#ordersRefused++;
    this.#logState(order);
  }

  #logState(order: LiveOrder): void {
    const { requestUuid, orderId, selectionId, direction, tick, stakeMicros, filledMicros, closeReason } =
      order;
    const fields = {
      requestUuid,
      orderId,
      selectionId,
      direction,
      price: priceOf(tick),
      stakeMicros,
      filledMicros,
    };
    const level = order.state === 'prepared' || order.state === 'sending' ? 'debug' : 'info';
    this.#parts.logger[level](`order ${order.state}`, { ...fields, closeReason });
  }

  #onMarketChange(change: MarketChange): void {
    for (const eventId of change.events) {
      const name = this.#names.get(eventId);
      if (name === undefined) continue;
      this.#parts.riskDesk.watch.see(name, this.#chosen.get(eventId) ?? []);
      this.#dirty.add(eventId);
    }
    if (this.#dirty.size > 0) this.#scheduleTurn();
  }

  /** Quotes of an event, or of all, may no longer rest as they do. */
  #wakeQuotes(eventId: EventId | null): void {
    for (const id of eventId === null ? this.#chosen.keys() : [eventId]) this.#dirty.add(id);
    this.#scheduleTurn();
  }

  #scheduleTurn(): void {
    this.#turn ??= this.#parts.clock.after(0, () => this.#runTurn());
  }

  #runTurn(): void {
    this.#turn = null;
    this.#turnsTotal.inc();
    const events = [...this.#dirty];
    this.#dirty.clear();
    this.#guard(() => events.forEach((eventId) => this.#quoteEvent(eventId)));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onFatal(error);
    }
  }

  #quoteEvent(eventId: EventId): void {
    const { market, ledger, strategy, orders, riskDesk, clock } = this.#parts;
    const chosen = this.#chosen.get(eventId) ?? [];
    const view = this.#quoting
      ? market.view(eventId, chosen, (id: SelectionId) => ledger.position(id), ledger.selectionsOn(eventId))
      : null;
    const intents = view === null ? [] : strategy.quote(view);
    if (intents.length > 0) this.#eventsQuoted.add(eventId);
    this.uptime.want(eventId, intents, clock.monotonicMs());
    const quotes = riskDesk.admit(chosen, intents);
    // Before its offers are told a wish does not say all: what an earlier run left may be wanted as soon as they are.
    const isWhole = this.#begun.has(eventId) || (chosen.length > 0 && this.#told.has(eventId));
    if (!isWhole && !riskDesk.isHalted(eventId)) return;
    this.#begun.add(eventId);
    orders.desire(eventId, quotes);
  }

  /** Until there is housekeeping: recovery may take long, and a kill waits for nothing. */
  #watchKills(): void {
    this.#housekeeping = this.#parts.clock.after(HOUSEKEEPING_MS, () => {
      this.#guard(() => this.#parts.riskDesk.watchKills());
      this.#watchKills();
    });
  }

  #keepHouse(): void {
    this.#housekeeping?.cancel();
    this.#lastTurnMonotonicMs = this.#parts.clock.monotonicMs();
    this.#guard(() => this.#chooseUniverse());
    if (this.#streamState === 'synced') {
      this.#quiet.look(followed(this.#universe, this.#chosen, this.#parts.market), this.#epoch);
      this.#untold.look(this.#universe.events);
      this.#list.look(this.#epoch, this.#rules.sports.map(sportOf));
    }
    this.#guard(() => this.#parts.riskDesk.keepHouse(this.#universe.events, this.#chosen));
    this.#guard(() => this.#parts.limitsMemory.keepHouse());
    for (const eventId of this.#chosen.keys()) this.#dirty.add(eventId);
    this.#scheduleTurn();
    this.#housekeeping = this.#parts.clock.after(HOUSEKEEPING_MS, () => this.#keepHouse());
  }

  #chooseUniverse(): void {
    const { market, clock } = this.#parts;
    const before = this.#universe;
    const candidates = (event: EventName): readonly Candidate[] => market.candidates(event);
    this.#universe = chooseUniverse(this.#rules, market.events(), candidates, clock.wallMs(), before);
    this.#names = new Map(this.#universe.events.map((name) => [name.eventId, name]));
    this.#chosen = groupByEvent(this.#universe, market);
    const untold = this.#universe.events.filter(({ eventId }) => !this.#begun.has(eventId));
    const told = untold.filter((name) => isTold(market, name));
    this.#told = new Set(told.map(({ eventId }) => eventId));
    this.#follow(before, this.#universe);
  }

  /** Registers what came into the universe, and withdraws from what left it. */
  #follow(before: Universe, after: Universe): void {
    const { venue, orders, clock } = this.#parts;
    const [was, is] = [namesOf(before), namesOf(after)];
    // The soonest first, should the exchange take no more registrations.
    after.events.forEach((name, rank) => {
      if (!was.has(eventKey(name))) venue.registerEvent(name.sport, name.eventId, -rank);
    });
    for (const [key, { sport, eventId }] of was) {
      if (is.has(key)) continue;
      this.uptime.want(eventId, [], clock.monotonicMs());
      this.#begun.delete(eventId);
      orders.desire(eventId, []);
      venue.unregisterEvent(sport, eventId);
    }
  }
}

/** Without the stream nothing is ever quoted again: whoever looks after the process has to know. */
const streamRefused = (reason: string): VenueRejection =>
  new VenueRejection('auth_rejected', 401, `the exchange refused the stream for good: ${reason}`);

/** Several sports can use one event id: each is registered by itself. */
const namesOf = (universe: Universe): Map<string, EventName> =>
  new Map(universe.events.map((name) => [eventKey(name), name]));

/** Chosen selections per chosen event; an event without any is there too, so that its quotes are withdrawn. */
function groupByEvent(universe: Universe, market: Market): Map<EventId, SelectionId[]> {
  const groups = new Map<EventId, SelectionId[]>(universe.events.map(({ eventId }) => [eventId, []]));
  for (const id of universe.selections) {
    const eventId = market.selection(id)?.selection.eventId;
    if (eventId !== undefined) groups.get(eventId)?.push(id);
  }
  return groups;
}

/** Each registered event by what is quoted of it, those first; the others by all that could be. */
function followed(
  { events }: Universe,
  chosen: ReadonlyMap<EventId, readonly SelectionId[]>,
  market: Market,
): FollowedEvents {
  const quoted = [...chosen].filter(([, ids]) => ids.length > 0);
  const others = events.filter(({ eventId }) => !chosen.get(eventId)?.length);
  return new Map([...quoted, ...others.map((name) => [name.eventId, selectionsOf(name, market)] as const)]);
}

const selectionsOf = (event: EventName, market: Market): SelectionId[] =>
  market.candidates(event).map(({ selectionId }) => selectionId);
