import {
  BehaviorSubject,
  catchError,
  concatWith,
  connect,
  defer,
  exhaustMap,
  filter,
  groupBy,
  isObservable,
  map,
  mergeMap,
  NEVER,
  type Observable,
  of,
  startWith,
  Subject,
  tap,
  withLatestFrom,
} from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName, eventNameOf, isFootball, type Score } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { HedgeIntent } from '../domain/hedge-intent.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import { reasonOf } from '../lib/reason.ts';
import { thrownAt } from '../lib/thrown-at.ts';
import { isStream, type PureStrategy, type Strategy, type StreamStrategy } from './contract.ts';
import { ignoreRejection, type RefusedIntent } from './intents.ts';
import { validWishes } from './wishes.ts';
import { type SavedSession, Session, type Surroundings } from './session.ts';

/**
 * Every kind of fault.
 *
 * @example
 * const isMistake = (kind: StrategyProblemKind): boolean => kind === 'threw' || kind === 'invalid-intent';
 */
export type StrategyProblemKind =
  /** The strategy threw, or its answer is not an array. The event gets no quotes. */
  | 'threw'
  /** An intent was invalid and was dropped. */
  | 'invalid-intent'
  /** The two sides of a selection would have matched each other. All its intents were dropped. */
  | 'self-cross'
  /** The event belongs to a strategy that does not run. It gets no quotes. */
  | 'owner-absent'
  /** The stream of quotes completed before the event was over. The event gets no quotes. */
  | 'completed'
  /** The answer had more intents than a sound strategy wants. The others were dropped. */
  | 'too-many-intents'
  /** The stream emitted too often. Sets beyond the limit wait for the next view. */
  | 'too-many-emissions'
  /** The strategy wrote too many lines. The others of that minute are dropped. */
  | 'too-many-lines'
  /** A hedge that it wants cannot be made now. Nothing of it was sent. */
  | 'hedge-refused'
  /** A call took long. Every quote waits for it. */
  | 'slow';

/**
 * A fault of a strategy's answer. `message` says what was wrong; `error` is what the strategy threw.
 *
 * @example
 * const lineOf = ({ kind, message }: StrategyProblem): string => `${kind}: ${message}`;
 */
export interface StrategyProblem extends EventName {
  readonly kind: StrategyProblemKind;
  readonly strategy: string;
  readonly selectionId: SelectionId | null;
  readonly message: string;
  readonly error?: unknown;
  /** The intent that was refused; absent for a fault that concerns no intent. */
  readonly refused?: RefusedIntent;
}

/**
 * A fault in words: the intent with the rule that it breaks, if there is one.
 *
 * @example
 * const lines = ({ problems }: StrategyAnswer): readonly string[] => problems.map(problemInWords);
 */
export const problemInWords = ({ message, refused }: Pick<StrategyProblem, 'message' | 'refused'>): string =>
  refused === undefined ? message : `${refused.intent}: ${message} (rule ${refused.rule})`;

/**
 * The valid quotes that a strategy wants on an event, and the faults of its answer.
 *
 * @example
 * const isFine = ({ problems }: StrategyAnswer): boolean => problems.length === 0;
 */
export interface StrategyAnswer {
  readonly intents: readonly QuoteIntent[];
  readonly problems: readonly StrategyProblem[];
  /** The hedges that it wants, in the order of their wishes. Absent without one. */
  readonly hedges?: readonly HedgeIntent[];
  /** The score of the view that decided the intents, which their orders assert. Absent unless football is in play and it is known. */
  readonly score?: Score;
}

/** A view of an event that the strategy has to answer. */
export interface Asked {
  readonly event: EventName;
  readonly view: EventView;
}

/** The last thing that a strategy did on an event. */
type Outcome =
  /** `score`: that of the view that they were decided by; null unless it was football in play with a known score. */
  | { readonly kind: 'quotes'; readonly quotes: unknown; readonly score: Score | null }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'completed' };

const NO_QUOTES: Outcome = { kind: 'quotes', quotes: [], score: null };

export interface HostNames {
  /** Stands in logs, in the journal and in limits. Default: the strategy's own name. */
  readonly name?: string;
  /** The folder of the strategy's code, as a URL or a path that ends in `/`; null if it is not known. */
  readonly folder?: string | null;
}

/** Runs one strategy on all its events, and drops every intent that no strategy may ask for. */
export class StrategyHost<P = unknown> {
  readonly name: string;
  readonly #folder: string | null;
  readonly #strategy: StreamStrategy<P>;
  readonly #surroundings: Surroundings;
  readonly #parameters$: BehaviorSubject<P>;
  readonly #sessions = new Map<EventKey, Session<P>>();
  readonly #ended$ = new Subject<EventKey>();
  /** Whether a view is being answered: then a new set of quotes needs no further view. */
  #answering = false;

  constructor(
    strategy: Strategy<P>,
    parameters: P,
    surroundings: Surroundings,
    { name = strategy.name, folder = null }: HostNames = {},
  ) {
    this.#folder = folder;
    this.#strategy = isStream(strategy) ? strategy : streamOf(strategy);
    this.name = name;
    this.#surroundings = surroundings;
    this.#parameters$ = new BehaviorSubject(parameters);
  }

  /** The parameters apply from the next view on. */
  setParameters(parameters: P): void {
    const change = (): void => this.#parameters$.next(parameters);
    const [session] = this.#sessions.values();
    if (session === undefined) change();
    else session.call(change);
  }

  onOrder(order: LiveOrder): void {
    this.#sessions.get(eventKey(order))?.onOrder(order);
  }

  onFill(fill: Fill): void {
    this.#sessionOf(eventNameOf(fill)).onFill(fill);
  }

  /** The event is over: its stream of views completes, and what the strategy kept of it is dropped. */
  end(event: EventName): void {
    this.#ended$.next(eventKey(event));
    this.#sessions.delete(eventKey(event));
  }

  /** Returns the states that the strategy keeps of each event, as plain data. */
  save(): readonly SavedSession[] {
    return [...this.#sessions.values()].flatMap((session) => session.save() ?? []);
  }

  /** Takes over what an earlier run saved. Call it before the first view. */
  restore(saved: SavedSession): void {
    this.#sessionOf(saved.event).restore(saved);
  }

  /** Answers each view at once and in order. Never fails: faults are in the answer. */
  answers<V extends Asked>(asked$: Observable<V>): Observable<V & StrategyAnswer> {
    return asked$.pipe(
      groupBy(({ event }) => eventKey(event), {
        duration: ({ key }) => this.#ended$.pipe(filter((ended) => ended === key)),
      }),
      mergeMap((event$) => event$.pipe(connect((shared$) => this.#answersOnOne(shared$, event$.key)))),
    );
  }

  /** `withLatestFrom` subscribes to the strategy first, so the strategy sees each view before its answer is taken. */
  #answersOnOne<V extends Asked>(asked$: Observable<V>, key: EventKey): Observable<V & StrategyAnswer> {
    const view$ = asked$.pipe(
      tap(({ event }) => this.#begin(event)),
      map(({ view }) => view),
    );
    return asked$.pipe(
      withLatestFrom(this.#outcomes(view$, key)),
      map(([asked, outcome]) => ({ ...asked, ...this.#answer(asked.view, outcome) })),
      // Reading an answer may run code of the strategy, so it is part of the call.
      tap(() => this.#finish()),
    );
  }

  #begin(event: EventName): void {
    this.#answering = true;
    this.#surroundings.observer.onCall(this.name, event);
  }

  #finish(): void {
    this.#answering = false;
    this.#surroundings.observer.onReturn();
  }

  /** A strategy that fails is called again at the next view. */
  #outcomes(view$: Observable<EventView>, key: EventKey): Observable<Outcome> {
    return view$.pipe(
      connect((each$) =>
        each$.pipe(exhaustMap((first) => this.#attempt(each$.pipe(startWith(first)), eventNameOf(first)))),
      ),
      tap(() => {
        const session = this.#sessions.get(key);
        if (!this.#answering && session !== undefined) this.#surroundings.wake(session.event);
      }),
    );
  }

  #attempt(view$: Observable<EventView>, event: EventName): Observable<Outcome> {
    const context = this.#sessionOf(event).contextOf(this.#parameters$, view$);
    // A set that is emitted between two views was decided by the last one.
    let score: Score | null = null;
    const seen$ = view$.pipe(tap((view) => (score = assertedScore(view))));
    return defer(() => mustBeObservable(this.#strategy.quotes(seen$, context))).pipe(
      map((quotes): Outcome => ({ kind: 'quotes', quotes, score })),
      concatWith(of<Outcome>({ kind: 'completed' }), NEVER),
      catchError((error: unknown) => of<Outcome>({ kind: 'threw', error })),
      startWith(NO_QUOTES),
    );
  }

  #answer(view: EventView, outcome: Outcome): StrategyAnswer {
    const problems: StrategyProblem[] = [];
    const report = (found: Omit<StrategyProblem, 'strategy' | keyof EventName>): void => {
      problems.push({ strategy: this.name, ...eventNameOf(view), ...found });
    };
    try {
      if (outcome.kind === 'threw') throw outcome.error;
      if (outcome.kind === 'completed') {
        report({ kind: 'completed', selectionId: null, message: COMPLETED });
        return { intents: [], problems };
      }
      if (!Array.isArray(outcome.quotes)) throw notIntents(outcome.quotes);
      const wanted = validWishes(view, this.#bounded(view, outcome.quotes, report), report);
      const { score } = outcome;
      return { ...wanted, problems, ...(score !== null && { score }) };
    } catch (error) {
      report({ kind: 'threw', selectionId: null, message: this.#thrown(error), error });
      return { intents: [], problems };
    }
  }

  /** The message of an error, and the line of the strategy's own code that threw it. */
  #thrown(error: unknown): string {
    const at = thrownAt(error, this.#folder);
    return at === null ? reasonOf(error) : `${reasonOf(error)} (${at})`;
  }

  /** Reading thousands of intents for each view would take the time of the other strategies. */
  #bounded(
    { selections }: EventView,
    intents: readonly unknown[],
    report: (found: Omit<StrategyProblem, 'strategy' | keyof EventName>) => void,
  ): readonly unknown[] {
    const most = MOST_INTENTS_A_SELECTION * Math.max(1, selections.length);
    if (intents.length <= most) return intents;
    const message = `its answer has ${intents.length} intents; only the first ${most} are read`;
    report({ kind: 'too-many-intents', selectionId: null, message });
    return intents.slice(0, most);
  }

  #sessionOf(event: EventName): Session<P> {
    const key = eventKey(event);
    const session = this.#sessions.get(key) ?? new Session<P>(this.name, event, this.#surroundings);
    this.#sessions.set(key, session);
    return session;
  }
}

/** The score that orders of a view assert: football in play has one. */
const assertedScore = ({ sport, inRunning, score }: EventView): Score | null =>
  inRunning && isFootball(sport) ? score : null;

/** Far more levels than risk lets rest. */
const MOST_INTENTS_A_SELECTION = 40;

const COMPLETED = 'its stream of quotes completed before the event was over';

/** The pure form is the stream form with `map`. */
const streamOf = <P>(strategy: PureStrategy<P>): StreamStrategy<P> =>
  ({
    ...strategy,
    quotes(view$, { parameters$ }) {
      return view$.pipe(
        withLatestFrom(parameters$),
        map(([view, parameters]) => strategy.quote(view, parameters)),
      );
    },
  }) satisfies StreamStrategy<P>;

function mustBeObservable(quotes: unknown): Observable<unknown> {
  if (isObservable(quotes)) return quotes;
  ignoreRejection(quotes);
  throw new TypeError('quotes must return an observable of arrays of intents');
}

function notIntents(answer: unknown): TypeError {
  ignoreRejection(answer);
  return new TypeError('an answer must be an array of intents, not a promise or anything else');
}
