import { connect, filter, map, merge, type Observable, Subject, tap } from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Strategy } from '../strategy/contract.ts';
import { type StrategyAnswer, StrategyHost } from '../strategy/host.ts';
import {
  type CallObserver,
  type SavedSession,
  SharedViews,
  type Surroundings,
  UNOBSERVED,
} from '../strategy/session.ts';
import { clockScheduler } from './clock-scheduler.ts';
import type { StrategyTimers } from './strategy-timers.ts';

/** An event with the view of its owner; null if nothing is quoted. */
export interface Viewed {
  readonly event: EventName;
  readonly view: EventView | null;
}

/** The strategy that owns an event. */
export interface Owned {
  readonly owner: string;
}

const NOTHING: StrategyAnswer = { intents: [], problems: [] };

/** A strategy with its parameters. */
export interface RunningStrategy {
  readonly strategy: Strategy;
  /** As the strategy's schema returned them. */
  readonly parameters: unknown;
}

export interface StrategiesDeps {
  readonly timers: StrategyTimers;
  /** Lines that strategies write. */
  readonly log: Surroundings['log'];
  /** Default: nobody watches. */
  readonly observer?: CallObserver;
}

/**
 * The running strategies, and the owner of each event. A strategy owns an event from its first admitted quote until settlement,
 * also across restarts. An event whose owner does not run gets no quotes: another strategy would trade on a position whose
 * reasons it does not know.
 */
export class Strategies {
  readonly #hosts: readonly StrategyHost[];
  readonly #timers: StrategyTimers;
  readonly #observer: CallObserver;
  readonly #owners = new Map<EventKey, string>();
  readonly #views = new SharedViews();
  readonly #wake$ = new Subject<EventName>();

  /** In the order in which they may claim an event. There is at least one, and their names differ. */
  constructor(
    running: readonly RunningStrategy[],
    { timers, log, observer = UNOBSERVED }: StrategiesDeps,
  ) {
    this.#timers = timers;
    this.#observer = observer;
    const surroundings: Surroundings = {
      scheduler: clockScheduler(timers),
      ...{ log, observer },
      otherEvent: (event) => this.#views.of(event),
      wake: (event) => this.#wake$.next(event),
    };
    this.#hosts = running.map(
      ({ strategy, parameters }) => new StrategyHost(strategy, parameters, surroundings),
    );
  }

  /** The owner of an event, or the strategy that is asked for its first quote. */
  ownerOf(event: EventName): string {
    return this.#owners.get(eventKey(event)) ?? this.names[0] ?? '';
  }

  /** Owners of events that are not among the running strategies. */
  absentOwners(): ReadonlySet<string> {
    return new Set([...this.#owners.values()].filter((name) => !this.runs(name)));
  }

  /** Names of the strategies that run. */
  get names(): readonly string[] {
    return this.#hosts.map(({ name }) => name);
  }

  /** Events for which a strategy has new quotes. */
  get wake$(): Observable<EventName> {
    return this.#wake$;
  }

  /** Timers of strategies that are due. Each must be given to `fire`. */
  get due$(): Observable<number> {
    return this.#timers.due$;
  }

  runs(name: string): boolean {
    return this.#hostNamed(name) !== undefined;
  }

  /** Makes a strategy the owner of an event when its first quote is admitted. */
  claim(event: EventName, owner: string): void {
    this.#owners.set(eventKey(event), owner);
  }

  /** Restores the owner that an earlier run recorded. */
  recall(event: EventName, owner: string): void {
    this.#owners.set(eventKey(event), owner);
  }

  /** Applies to a running strategy from its next view on; ignored for any other name. */
  setParameters(name: string, parameters: unknown): void {
    this.#hostNamed(name)?.setParameters(parameters);
  }

  /** Shows an order's change to the owner of its event. */
  onOrder(order: LiveOrder): void {
    this.#hostNamed(this.ownerOf(order))?.onOrder(order);
  }

  /** Shows a fill to the owner of its event. */
  onFill(fill: Fill): void {
    this.#hostNamed(this.ownerOf(fill))?.onFill(fill);
  }

  /** The event is over. Its owner stays known, since its profit stays the owner's. */
  end(event: EventName): void {
    for (const host of this.#hosts) host.end(event);
    this.#views.forget(event);
  }

  /** Runs a strategy's timer. */
  fire(timer: number): void {
    this.#timers.fire(timer);
  }

  /** Returns the states that strategies keep, as plain data. */
  save(): readonly SavedSession[] {
    return this.#hosts.flatMap((host) => host.save());
  }

  /** Restores what an earlier run saved, before the first view. States of strategies that do not run are dropped. */
  restore(sessions: readonly SavedSession[]): void {
    for (const saved of sessions) this.#hostNamed(saved.strategy)?.restore(saved);
  }

  /** Answers each view with the quotes of the event's owner, in order. */
  quotes<V extends Viewed>(viewed$: Observable<V>): Observable<V & Owned & StrategyAnswer> {
    return viewed$.pipe(
      map((viewed) => ({ ...viewed, owner: this.ownerOf(viewed.event) })),
      tap(({ view }) => {
        if (view !== null) this.#share(view);
      }),
      connect((owned$) =>
        merge(
          ...this.#hosts.map((host) => host.answers(owned$.pipe(filter(isViewedBy(host.name))))),
          owned$.pipe(
            filter(({ view, owner }) => view === null || !this.runs(owner)),
            map((owned) => ({ ...owned, ...(owned.view === null ? NOTHING : ownerAbsent(owned)) })),
          ),
        ),
      ),
    );
  }

  /** Strategies that watch the event from another one run in here. The call is booked on the owner of the viewed event. */
  #share(view: EventView): void {
    this.#observer.onCall(this.ownerOf(view), view);
    this.#views.next(view);
    this.#observer.onReturn();
  }

  #hostNamed(name: string): StrategyHost | undefined {
    return this.#hosts.find((host) => host.name === name);
  }
}

/** Names the owner, and how the event can be quoted again. */
export const absentOwnerMessage = (owner: string): string =>
  `the event belongs to the strategy ${owner} until it is settled, and ${owner} does not run: start it again, or wait`;

const ownerAbsent = ({ event: { sport, eventId }, owner }: Viewed & Owned): StrategyAnswer => ({
  intents: [],
  problems: [
    {
      ...{ kind: 'owner-absent', strategy: owner, sport, eventId, selectionId: null },
      message: absentOwnerMessage(owner),
    },
  ],
});

const isViewedBy =
  (name: string) =>
  <V extends Viewed & Owned>(viewed: V): viewed is V & { readonly view: EventView } =>
    viewed.owner === name && viewed.view !== null;

/**
 * Splits the account's total by the strategies that own its events. The first strategy gets the rest: parlays, which belong to no
 * event, and events without an owner.
 */
export function profitLossByOwner(
  totalMicros: Micros,
  ledger: Pick<Ledger, 'judgedOn'>,
  strategies: Pick<Strategies, 'names' | 'absentOwners' | 'ownerOf'>,
): ReadonlyMap<string, Micros> {
  const [first = '', ...others] = [...strategies.names, ...strategies.absentOwners()];
  const byOwner = new Map<string, Micros>([[first, totalMicros]]);
  let restMicros = totalMicros;
  for (const name of others) {
    const micros = ledger.judgedOn((event) => strategies.ownerOf(event) === name);
    byOwner.set(name, micros);
    restMicros -= micros;
  }
  return byOwner.set(first, restMicros);
}
