import { connect, filter, map, merge, type Observable, Subject, tap } from 'rxjs';
import type { AccountChange } from '../account/changes.ts';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName, eventNameOf } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import { InvariantError } from '../lib/assert.ts';
import { PerSecond } from '../lib/per-second.ts';
import type { Strategy } from '../strategy/contract.ts';
import { type StrategyAnswer, StrategyHost, type StrategyProblem } from '../strategy/host.ts';
import {
  type CallObserver,
  type SavedSession,
  SharedViews,
  type Surroundings,
  UNOBSERVED,
} from '../strategy/session.ts';
import { clockScheduler } from './clock-scheduler.ts';
import { isForAll, type Match, match, MATCHES_ALL, type MatchRules } from './strategy-match.ts';
import type { StrategyTimers } from './strategy-timers.ts';

/** An event with the view of its owner; null if nothing is quoted. */
export interface Viewed {
  readonly event: EventName;
  readonly view: EventView | null;
}

/** The strategy that quotes an event. */
export interface Owned {
  /** The owner, or the strategy that is asked for the first quote; null if the rules of no strategy match. */
  readonly owner: string | null;
}

const NOTHING: StrategyAnswer = { intents: [], problems: [] };

/** A strategy with its settings. */
export interface RunningStrategy {
  readonly strategy: Strategy;
  /** Default: the strategy's own name. */
  readonly name?: string;
  /** As the strategy's schema returned them. */
  readonly parameters: unknown;
  /** Default: every event. */
  readonly rules?: MatchRules;
  /** The folder of its code, as a URL that ends in `/`; null if it is not known. */
  readonly folder?: string | null;
}

export interface StrategiesDeps {
  readonly timers: StrategyTimers;
  /** Lines that strategies write. */
  readonly log: Surroundings['log'];
  /** Whether a strategy must not be called, because it hung. Default: none. */
  readonly isOff?: (name: string) => boolean;
  /** Default: nobody watches. */
  readonly observer?: CallObserver;
  /** Learns of faults outside of answers. Default: nobody does. */
  readonly onFault?: (problem: StrategyProblem) => void;
}

/** A strategy at work. */
interface Hosted {
  readonly host: StrategyHost;
  /** The views of other events that it watches. */
  readonly views: SharedViews;
  rules: MatchRules;
}

interface Shown {
  readonly to: string;
  readonly selections: ReadonlySet<SelectionId>;
}

/** Far more than a strategy can use: an event changes a few times a second. */
const MOST_WAKES_A_SECOND = 20;

const NONE_SHOWN: ReadonlySet<SelectionId> = new Set();

/** What strategies tell. Nothing here changes a later answer. */
export type StrategiesRead = Pick<
  Strategies,
  'ownerOf' | 'quoterOf' | 'omissionOf' | 'absentOwners' | 'names' | 'wake$' | 'due$' | 'runs' | 'save'
>;

/** A view, with the answer of the strategy whose event it is. */
export type Answered = Viewed & Owned & StrategyAnswer;

/** What the match rules left out of an event's last view. */
interface Omission {
  /** Why the event as a whole gets no quotes; null if some selections do. */
  readonly event: string | null;
  readonly selections: ReadonlyMap<SelectionId, string>;
}

/**
 * The running strategies, and the owner of each event. The first strategy whose rules match an event is asked for quotes. It owns
 * the event from its first admitted quote until settlement, also across restarts. While the owner's rules do not match, or the
 * owner does not run, the event gets no quotes: another strategy would trade on a position whose reasons it does not know.
 */
export class Strategies {
  readonly #hosted: readonly Hosted[];
  readonly #timers: StrategyTimers;
  readonly #observer: CallObserver;
  readonly #isOff: (name: string) => boolean;
  readonly #onFault: (problem: StrategyProblem) => void;
  readonly #owners = new Map<EventKey, string>();
  /** The strategy that was asked last for the first quote of an event. */
  readonly #asked = new Map<EventKey, string>();
  readonly #omissions = new Map<EventKey, Omission>();
  /** The selections that a strategy with a rule on liquidity saw last. */
  readonly #shown = new Map<EventKey, Shown>();
  readonly #wake$ = new Subject<EventName>();
  readonly #viewed$ = new Subject<Viewed>();
  /** What came of the view that is answered now. */
  readonly #answers: (Answered | { readonly failure: unknown })[] = [];

  /** In the order in which they may claim an event. There is at least one, and their names differ. */
  constructor(
    running: readonly RunningStrategy[],
    { timers, log, isOff = () => false, observer = UNOBSERVED, onFault = () => undefined }: StrategiesDeps,
  ) {
    [this.#timers, this.#observer] = [timers, observer];
    [this.#isOff, this.#onFault] = [isOff, onFault];
    const scheduler = clockScheduler(timers);
    this.#hosted = running.map(
      ({ strategy, parameters, name = strategy.name, rules = MATCHES_ALL, folder = null }) => {
        const views = new SharedViews();
        const surroundings: Surroundings = {
          scheduler,
          log,
          observer,
          otherEvent: (event) => views.of(event),
          wake: this.#limitedWake(name),
          onHaste: (event) => this.#tooMany(name, event, 'runs its timers too often; they are delayed'),
        };
        return { host: new StrategyHost(strategy, parameters, surroundings, { name, folder }), views, rules };
      },
    );
    this.#listen();
  }

  /** The owner of an event; null before its first admitted quote. */
  ownerOf(event: EventName): string | null {
    return this.#owners.get(eventKey(event)) ?? null;
  }

  /** The owner of an event, or the strategy that is asked for its first quote; null if that is none, or not known yet. */
  quoterOf(event: EventName): string | null {
    return this.ownerOf(event) ?? this.#asked.get(eventKey(event)) ?? this.#firstForAll();
  }

  /** Why the match rules leave out a selection, or its whole event; null if they do not. As of the event's last view. */
  omissionOf(event: EventName, selection: SelectionId): string | null {
    const omission = this.#omissions.get(eventKey(event));
    return omission?.event ?? omission?.selections.get(selection) ?? null;
  }

  /** Owners of events that are not among the running strategies. */
  absentOwners(): ReadonlySet<string> {
    return new Set([...this.#owners.values()].filter((name) => !this.runs(name)));
  }

  /** Names of the strategies that run. */
  get names(): readonly string[] {
    return this.#hosted.map(({ host }) => host.name);
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
    return this.#named(name) !== undefined;
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
    this.#named(name)?.host.setParameters(parameters);
  }

  /** Applies from the next view on; ignored for any name that does not run. The owners of events stay. */
  setRules(name: string, rules: MatchRules): void {
    const hosted = this.#named(name);
    if (hosted !== undefined) hosted.rules = rules;
  }

  /** Shows orders and fills to the owner of their event. */
  onChange(change: AccountChange): void {
    if (change.kind === 'order') this.#named(this.quoterOf(change.order))?.host.onOrder(change.order);
    else if (change.kind === 'booked') this.#named(this.quoterOf(change.fill))?.host.onFill(change.fill);
    else if (change.kind === 'owned') this.recall(change.event, change.owner);
  }

  /** The event is over. Its owner stays known, since its profit stays the owner's. */
  end(event: EventName): void {
    for (const { host, views } of this.#hosted) {
      host.end(event);
      views.forget(event);
    }
    for (const known of [this.#asked, this.#omissions, this.#shown]) known.delete(eventKey(event));
  }

  /** Runs a strategy's timer. */
  fire(timer: number): void {
    this.#timers.fire(timer);
  }

  /** Returns the states that strategies keep, as plain data. */
  save(): readonly SavedSession[] {
    return this.#hosted.flatMap(({ host }) => host.save());
  }

  /** Restores what an earlier run saved, before the first view. States of strategies that do not run are dropped. */
  restore(sessions: readonly SavedSession[]): void {
    for (const saved of sessions) this.#named(saved.strategy)?.host.restore(saved);
  }

  /**
   * Answers a view at once with the quotes of the strategy whose event it is. The answer has the part that it saw. Throws what a
   * broken invariant of a strategy's host throws.
   */
  answer(viewed: Viewed): Answered {
    this.#viewed$.next(viewed);
    const [answer] = this.#answers.splice(0);
    if (answer === undefined)
      throw new InvariantError('a strategy does not answer at once', { event: eventKey(viewed.event) });
    if ('failure' in answer) throw answer.failure;
    return answer;
  }

  /** Answers each view with the quotes of the strategy whose event it is, in order. The answer has the part that it saw. */
  quotes<V extends Viewed>(viewed$: Observable<V>): Observable<V & Owned & StrategyAnswer> {
    return viewed$.pipe(
      tap(({ view }) => {
        if (view !== null) this.#share(view);
      }),
      map((viewed) => ({ ...viewed, ...this.#ask(viewed) })),
      connect((asked$) =>
        merge(
          ...this.#hosted.map(({ host }) => host.answers(asked$.pipe(filter(isViewedBy(host.name))))),
          asked$.pipe(
            filter(({ view, owner }) => view === null || owner === null || !this.runs(owner)),
            map((asked) => ({ ...asked, ...answerWithoutCall(asked) })),
          ),
        ),
      ),
    );
  }

  /** A failure ends the answers, so they begin anew. */
  #listen(): void {
    this.quotes(this.#viewed$).subscribe({
      next: (answer) => this.#answers.push(answer),
      error: (failure: unknown) => {
        this.#answers.push({ failure });
        this.#listen();
      },
    });
  }

  /** Chooses the strategy that answers a view, and its part of the view. Null: no strategy is called. */
  #ask({ event, view }: Viewed): Viewed & Owned {
    const owner = this.ownerOf(event);
    if (view === null) return { event, view, owner: this.quoterOf(event) };
    if (owner !== null) return { event, view: this.#viewFor(owner, view), owner };
    const reasons: string[] = [];
    for (const hosted of this.#hosted) {
      const { name } = hosted.host;
      const found = this.#match(hosted, view);
      if (found.view === null) reasons.push(`${name}: ${found.reason}`);
      else {
        this.#asked.set(eventKey(event), name);
        return { event, view: this.#show(hosted, found.view, found.leftOut), owner: name };
      }
    }
    this.#asked.delete(eventKey(event));
    const reason = `no strategy matches it: ${reasons.join('; ')}`;
    this.#omissions.set(eventKey(event), { event: reason, selections: new Map() });
    return { event, view: null, owner: null };
  }

  /** The owner's part of a view of its event. An owner that does not run has no rules. */
  #viewFor(owner: string, view: EventView): EventView | null {
    const hosted = this.#named(owner);
    if (hosted === undefined) return view;
    const found = this.#match(hosted, view);
    if (found.view !== null) return this.#show(hosted, found.view, found.leftOut);
    const reason = `it belongs to ${owner} until it is settled, whose match rules leave it out: ${found.reason}`;
    this.#omissions.set(eventKey(view), { event: reason, selections: new Map() });
    return null;
  }

  #match({ host, rules }: Hosted, view: EventView): Match {
    const shown = this.#shown.get(eventKey(view));
    return match(rules, view, shown?.to === host.name ? shown.selections : NONE_SHOWN);
  }

  #show(
    { host, rules }: Hosted,
    view: EventView,
    leftOut: ReadonlyMap<SelectionId, string>,
  ): EventView | null {
    const reasons = Array.from(
      leftOut,
      ([id, reason]) => [id, `the match rules of ${host.name} leave it out: ${reason}`] as const,
    );
    if (reasons.length === 0) this.#omissions.delete(eventKey(view));
    else this.#omissions.set(eventKey(view), { event: null, selections: new Map(reasons) });
    if (rules.minLiquidityMicros > 0) {
      const selections = new Set(view.selections.map(({ selectionId }) => selectionId));
      this.#shown.set(eventKey(view), { to: host.name, selections });
    }
    return this.#isOff(host.name) ? null : view;
  }

  /** Strategies that watch the event from another one run in here. Each call is booked on the strategy that watches. */
  #share(view: EventView): void {
    for (const { host, views } of this.#hosted) {
      if (!views.isWatched) {
        views.next(view);
        continue;
      }
      this.#observer.onCall(host.name, view);
      views.next(view);
      this.#observer.onReturn();
    }
  }

  /** The first strategy, if it is asked about every event. */
  #firstForAll(): string | null {
    const [first] = this.#hosted;
    return first !== undefined && isForAll(first.rules) ? first.host.name : null;
  }

  #named(name: string | null): Hosted | undefined {
    return this.#hosted.find(({ host }) => host.name === name);
  }

  /** A strategy that emits without end must not take the time of the others. Housekeeping asks it once a second in any case. */
  #limitedWake(strategy: string): Surroundings['wake'] {
    const wakes = new PerSecond(MOST_WAKES_A_SECOND);
    return (event) => {
      const outcome = wakes.at(this.#timers.monotonicMs());
      if (outcome === 'passes') this.#wake$.next(event);
      else if (outcome === 'first over')
        this.#tooMany(strategy, event, 'emits sets of quotes too often; those beyond the limit wait');
    };
  }

  #tooMany(strategy: string, event: EventName, message: string): void {
    const where = { strategy, ...eventNameOf(event), selectionId: null };
    this.#onFault({ kind: 'too-many-emissions', ...where, message: `it ${message}` });
  }
}

/** Names the owner, and how the event can be quoted again. */
export const absentOwnerMessage = (owner: string): string =>
  `the event belongs to the strategy ${owner} until it is settled, and ${owner} does not run: start it again, or wait`;

/** Nothing, for a strategy that is not called. Only an absent owner is a fault. */
const answerWithoutCall = ({ event, view, owner }: Viewed & Owned): StrategyAnswer =>
  view === null || owner === null ? NOTHING : ownerAbsent(event, owner);

const ownerAbsent = ({ sport, eventId }: EventName, owner: string): StrategyAnswer => ({
  intents: [],
  problems: [
    {
      kind: 'owner-absent',
      strategy: owner,
      sport,
      eventId,
      selectionId: null,
      message: absentOwnerMessage(owner),
    },
  ],
});

const isViewedBy =
  (name: string) =>
  <V extends Viewed & Owned>(viewed: V): viewed is V & { readonly view: EventView } =>
    viewed.owner === name && viewed.view !== null;
