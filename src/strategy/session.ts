import {
  type BehaviorSubject,
  concat,
  defer,
  filter,
  finalize,
  from,
  map,
  type Observable,
  of,
  type SchedulerAction,
  type SchedulerLike,
  Subject,
} from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { priceOf } from '../domain/ladder.ts';
import { selectionPrice, selectionStakeMicros, selectionTick } from '../domain/odds.ts';
import { PerSecond } from '../lib/per-second.ts';
import { type Random, seededRandom } from '../lib/random.ts';
import type { OwnFill, OwnOrder, StrategyContext } from './contract.ts';
import { sourcePricesIn } from './price-source.ts';
import { timeOperators } from './time.ts';

/** Learns of each call of a strategy as it begins and ends. Must not throw. */
export interface CallObserver {
  onCall(strategy: string, event: EventName): void;
  /** The strategy answered or threw. */
  onReturn(): void;
}

export const UNOBSERVED: CallObserver = { onCall: () => undefined, onReturn: () => undefined };

/** Who writes a line, and on which event. */
export interface LineOrigin extends EventName {
  readonly strategy: string;
}

/** The services that a host gets from its owner. */
export interface Surroundings {
  /** For the strategy's own timers. */
  readonly scheduler: SchedulerLike;
  /** Writes a line for people. */
  readonly log: (message: string, fields: LineOrigin & Readonly<Record<string, unknown>>) => void;
  /** The views of another event. */
  otherEvent(event: EventName): Observable<EventView>;
  /** Called when a strategy has new quotes for an event that is not being viewed. */
  readonly wake: (event: EventName) => void;
  /** Called, at most once a second for each event, when a strategy's timers run too often. They are delayed. */
  readonly onHaste: (event: EventName) => void;
  readonly observer: CallObserver;
}

/** The state of one `keep`, and the fills that it has counted. */
export interface KeptState {
  readonly state: unknown;
  /** Number of the event's fills that it has counted, in the journal's order. */
  readonly fills: number;
  /** The last of these fills; null if there were none. */
  readonly lastBetId: string | null;
}

/** The states that a strategy keeps of an event, as plain data. */
export interface SavedSession {
  readonly strategy: string;
  readonly event: EventName;
  readonly keeps: Readonly<Record<string, KeptState>>;
  /** Random numbers drawn so far. */
  readonly draws: number;
}

/** Timers of one event that may run within a second; the others are delayed. Far more than a strategy can use. */
const MOST_TIMERS_A_SECOND = 20;

interface Kept {
  state: unknown;
  fills: number;
  active: boolean;
}

/** A strategy on an event: its fills, its orders, its random numbers and the states that it keeps. */
export class Session<P> {
  readonly event: EventName;
  readonly #strategy: string;
  readonly #surroundings: Surroundings;
  readonly #fills: OwnFill[] = [];
  readonly #fill$ = new Subject<OwnFill>();
  readonly #ownOrder$ = new Subject<OwnOrder>();
  readonly #kept = new Map<string, Kept>();
  readonly #random: CountedRandom;
  /** The states of an earlier run that no `keep` has asked for yet. */
  #saved: SavedSession | null = null;
  /** Index of the fill that is being delivered; null between fills. */
  #delivering: number | null = null;

  constructor(strategy: string, event: EventName, surroundings: Surroundings) {
    this.event = event;
    this.#strategy = strategy;
    this.#surroundings = surroundings;
    this.#random = new CountedRandom(`${strategy} ${event.sport} ${event.eventId}`);
  }

  /** Takes over what an earlier run saved. Call it before the strategy is subscribed. */
  restore(saved: SavedSession): void {
    this.#saved = saved;
    this.#random.skip(saved.draws);
  }

  /** Null if the strategy keeps nothing and has drawn no number. */
  save(): SavedSession | null {
    const kept = Array.from(this.#kept, ([name, { state, fills }]) => [
      name,
      { state, fills, lastBetId: this.#fills[fills - 1]?.betId ?? null },
    ]);
    const keeps = { ...this.#saved?.keeps, ...(Object.fromEntries(kept) as SavedSession['keeps']) };
    const { drawn } = this.#random;
    if (drawn === 0 && Object.keys(keeps).length === 0) return null;
    return { strategy: this.#strategy, event: this.event, keeps, draws: drawn };
  }

  onOrder(live: LiveOrder): void {
    const order = ownOrderOf(live);
    this.call(() => this.#ownOrder$.next(order));
  }

  /** Ignores fills of orders that are not ours. */
  onFill(fill: Fill): void {
    const own = ownFillOf(fill);
    if (own === null) return;
    this.#fills.push(own);
    this.#deliver(this.#fills.length - 1, () => this.call(() => this.#fill$.next(own)));
  }

  /** Runs code of the strategy, watched by the observer. */
  call(work: () => void): void {
    const { observer } = this.#surroundings;
    observer.onCall(this.#strategy, this.event);
    try {
      work();
    } finally {
      observer.onReturn();
    }
  }

  contextOf(parameters$: BehaviorSubject<P>, view$: Observable<EventView>): StrategyContext<P> {
    const { log } = this.#surroundings;
    const scheduler = this.#scheduler();
    return {
      event: this.event,
      parameters$: parameters$.asObservable(),
      ownOrder$: this.#ownOrder$.asObservable(),
      fill$: defer(() => concat(from(this.#replayed()), this.#fill$)),
      otherEvent: this.#surroundings.otherEvent.bind(this.#surroundings),
      sourcePrice$(source) {
        return sourcePricesIn(view$, source);
      },
      random: this.#random,
      log: (message, fields = {}) => log(message, { ...fields, strategy: this.#strategy, ...this.event }),
      scheduler,
      time: timeOperators(scheduler),
      keep: (name, reduce, seed) => (source$) => this.#keep(source$, { name, reduce, seed }),
    } satisfies StrategyContext<P>;
  }

  /** The daemon's scheduler. Work on it is a call of the strategy. Too much of it would take the time of the others. */
  #scheduler(): SchedulerLike {
    const { scheduler, onHaste } = this.#surroundings;
    const { event } = this;
    const call = (work: () => void): void => this.call(work);
    const pace = new PerSecond(MOST_TIMERS_A_SECOND);
    return {
      now: () => scheduler.now(),
      schedule: <T>(work: (this: SchedulerAction<T>, state: T) => void, delayMs = 0, state?: T) =>
        scheduler.schedule<T>(
          function watched(given) {
            const outcome = pace.at(scheduler.now());
            if (outcome === 'first over') onHaste(event);
            if (outcome === 'passes') call(() => work.call(this, given as T));
            else this.schedule(given, pace.restMs(scheduler.now()));
          },
          delayMs,
          state,
        ),
    };
  }

  /** Every fill so far. The consumer handles each one before the next is made. */
  *#replayed(): Generator<OwnFill> {
    const count = this.#fills.length;
    for (let index = 0; index < count; index++) {
      this.#delivering = index;
      try {
        yield { ...(this.#fills[index] as OwnFill), replayed: true };
      } finally {
        this.#delivering = null;
      }
      this.#count(index);
    }
  }

  #deliver(index: number, work: () => void): void {
    this.#delivering = index;
    try {
      work();
    } finally {
      this.#delivering = null;
      this.#count(index);
    }
  }

  #count(index: number): void {
    for (const kept of this.#kept.values()) if (kept.active) kept.fills = Math.max(kept.fills, index + 1);
  }

  #keep<A, S>(
    source$: Observable<A>,
    { name, reduce, seed }: { name: string; reduce: (state: S, value: A) => S; seed: S },
  ): Observable<S> {
    return defer(() => {
      const kept = this.#claim(name, seed);
      const isCounted = (): boolean => this.#delivering !== null && this.#delivering < kept.fills;
      return concat(
        of(kept.state as S),
        source$.pipe(
          filter(() => !isCounted()),
          map((value) => (kept.state = reduce(kept.state as S, value))),
        ),
      ).pipe(finalize(() => (kept.active = false)));
    });
  }

  /** Throws if the name is in use: two states under one name would overwrite each other. */
  #claim(name: string, seed: unknown): Kept {
    const kept = this.#kept.get(name) ?? this.#restored(name) ?? { state: seed, fills: 0, active: false };
    if (kept.active) throw new Error(`keep('${name}') is used twice: give each state a name of its own`);
    kept.active = true;
    this.#kept.set(name, kept);
    return kept;
  }

  /** The state of an earlier run; null if there is none, or if it has counted a fill that the journal does not know. */
  #restored(name: string): Kept | null {
    const saved = this.#saved?.keeps[name];
    if (saved === undefined) return null;
    const fills = saved.lastBetId === null ? 0 : this.#indexOf(saved.lastBetId) + 1;
    if (fills === 0 && saved.lastBetId !== null) {
      const { lastBetId } = saved;
      const fields = { strategy: this.#strategy, ...this.event, name, lastBetId };
      this.#surroundings.log('a kept state has counted a fill that the journal lost; it starts anew', fields);
      return null;
    }
    return { state: saved.state, fills, active: false };
  }

  #indexOf(betId: string): number {
    return this.#fills.findIndex((fill) => fill.betId === betId);
  }
}

/** An order in prices of the selection. */
function ownOrderOf(order: LiveOrder): OwnOrder {
  const { requestUuid, selectionId, direction, priceKind, tick, state } = order;
  const price = priceOf(tick);
  return {
    requestUuid,
    selectionId,
    direction,
    tick: selectionTick(priceKind, tick),
    stakeMicros: selectionStakeMicros(priceKind, price, order.stakeMicros),
    filledMicros: selectionStakeMicros(priceKind, price, order.filledMicros),
    state,
    ...(order.take !== undefined && { take: order.take.id }),
  };
}

/** A fill in prices of the selection. Null if the order is not ours. */
function ownFillOf(fill: Fill): OwnFill | null {
  const { betId, requestUuid, selectionId, direction, priceKind, role, atMs } = fill;
  if (requestUuid === null) return null;
  return {
    betId: String(betId),
    requestUuid,
    selectionId,
    direction,
    price: selectionPrice(priceKind, fill.price),
    stakeMicros: selectionStakeMicros(priceKind, fill.price, fill.stakeMicros),
    role,
    ...(fill.take !== undefined && { take: fill.take.id }),
    atMs,
    replayed: false,
  };
}

/** Counts its draws, so that a restart can continue the sequence. */
class CountedRandom implements Random {
  readonly #random: Random;
  drawn = 0;

  constructor(label: string) {
    this.#random = seededRandom(0, label);
  }

  next(): number {
    this.drawn++;
    return this.#random.next();
  }

  skip(draws: number): void {
    while (this.drawn < draws) this.next();
  }
}

/** Views of every event that is decided, and the last one of each. */
export class SharedViews {
  readonly #last = new Map<string, EventView>();
  readonly #view$ = new Subject<EventView>();

  /** Whether anybody watches a view. */
  get isWatched(): boolean {
    return this.#view$.observed;
  }

  next(view: EventView): void {
    this.#last.set(keyOf(view), view);
    this.#view$.next(view);
  }

  forget(event: EventName): void {
    this.#last.delete(keyOf(event));
  }

  of(event: EventName): Observable<EventView> {
    return defer(() => {
      const last = this.#last.get(keyOf(event));
      const new$ = this.#view$.pipe(filter((view) => keyOf(view) === keyOf(event)));
      return last === undefined ? new$ : concat(of(last), new$);
    });
  }
}

const keyOf = ({ sport, eventId }: EventName): string => `${sport}/${eventId}`;
