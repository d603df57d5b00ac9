import { Subject, type Subscription } from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName, eventNameOf } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { clockScheduler } from '../engine/clock-scheduler.ts';
import { invariant } from '../lib/assert.ts';
import { VirtualTime } from '../lib/virtual-time.ts';
import type { Strategy } from '../strategy/contract.ts';
import { type Asked, type StrategyAnswer, StrategyHost, type StrategyProblem } from '../strategy/host.ts';
import { parseParameters } from '../strategy/loader.ts';
import {
  type CallObserver,
  type SavedSession,
  SharedViews,
  type Surroundings,
  UNOBSERVED,
} from '../strategy/session.ts';

/**
 * Options of `runStrategy`.
 *
 * @example
 * const options: RunOptions = { parameters: { stake: 5 }, startMs: 1_700_000_000_000 };
 */
export interface RunOptions {
  /** As a configuration would name them; the strategy's schema fills in the defaults. */
  readonly parameters?: object;
  /** Wall-clock milliseconds at the beginning. */
  readonly startMs?: number;
  /** Learns of each call of the strategy. */
  readonly observer?: CallObserver;
  /**
   * Called when the strategy emits quotes although no view, order, fill, parameter or timer of the daemon is being delivered: a
   * promise or a timer of another kind has run.
   */
  readonly onStray?: (event: EventName) => void;
}

/**
 * A line that the strategy wrote.
 *
 * @example
 * const textOf = ({ message, fields }: LogLine): string => `${message} ${JSON.stringify(fields)}`;
 */
export interface LogLine {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A view that was delivered, and the monotonic instant of its delivery. */
interface Delivered {
  readonly view: EventView;
  readonly atMs: number;
}

/**
 * Runs one strategy on virtual time, as the daemon would: views, fills and orders go in, intents and problems come out. Throws
 * ConfigError for parameters that the strategy refuses.
 *
 * @example
 * const idle = defineStrategy({ name: 'idle', description: '', parameters: z.object({}), quote: () => [] });
 * runStrategy(idle).view(aView()); // { intents: [], problems: [] }
 */
export const runStrategy = <P>(strategy: Strategy<P>, options: RunOptions = {}): StrategyRun<P> =>
  new StrategyRun(strategy, options);

/**
 * A strategy that runs. Everything happens at once; only `advance` moves time.
 *
 * @example
 * const intentsAt = (run: StrategyRun, each: EventView) => run.view(each).intents;
 */
export class StrategyRun<P = unknown> {
  readonly #strategy: Strategy<P>;
  readonly #options: RunOptions;
  readonly #time: VirtualTime;
  readonly #views = new SharedViews();
  readonly #last = new Map<EventKey, Delivered>();
  readonly #woken = new Map<EventKey, EventName>();
  readonly #fills: Fill[] = [];
  readonly #lines: LogLine[] = [];
  #parameters: P;
  #host: StrategyHost<P>;
  #asked$ = new Subject<Asked>();
  #subscription: Subscription;
  /** Answers that `view` has not taken yet. */
  readonly #answers: StrategyAnswer[] = [];
  /** Faults since the last answer: timers that ran too often. */
  readonly #haste: StrategyProblem[] = [];
  #isDelivering = false;

  constructor(strategy: Strategy<P>, options: RunOptions) {
    this.#strategy = strategy;
    this.#options = options;
    this.#time = new VirtualTime(options.startMs);
    this.#parameters = parseParameters(strategy, options.parameters);
    this.#host = this.#newHost();
    this.#subscription = this.#subscribe();
  }

  /** Wall-clock milliseconds. */
  get nowMs(): number {
    return this.#time.wallMs();
  }

  /** Lines that the strategy has written, oldest first. */
  get log(): readonly LogLine[] {
    return this.#lines;
  }

  /** Delivers a view. Returns the valid intents of the answer, and its faults. */
  view(view: EventView): StrategyAnswer {
    this.#last.set(eventKey(view), { view, atMs: this.#time.monotonicMs() });
    return this.#deliver(() => {
      this.#views.next(view);
      this.#asked$.next({ event: eventNameOf(view), view });
      this.#woken.delete(eventKey(view));
      const answer = this.#answers.pop();
      invariant(answer !== undefined, 'a host answers each view at once');
      const { intents, hedges, problems } = answer;
      return { intents, ...(hedges && { hedges }), problems: [...problems, ...this.#haste.splice(0)] };
    });
  }

  /** Delivers a fill of an order of ours. */
  fill(fill: Fill): void {
    this.#fills.push(fill);
    this.#deliver(() => this.#host.onFill(fill));
  }

  /** Delivers a change of an order of ours. */
  order(order: LiveOrder): void {
    this.#deliver(() => this.#host.onOrder(order));
  }

  /** Changes parameters, as a reload of the configuration does. Throws ConfigError if the strategy refuses them. */
  setParameters(parameters: object): void {
    this.#parameters = parseParameters(this.#strategy, parameters);
    this.#deliver(() => this.#host.setParameters(this.#parameters));
  }

  /** The event is over: its stream of views completes. */
  end(event: EventName): void {
    this.#last.delete(eventKey(event));
    this.#views.forget(event);
    this.#deliver(() => this.#host.end(event));
  }

  /**
   * Moves time. Timers of the strategy run at their instants. An event for which one of them, or a fill or an order before, caused
   * new quotes is viewed again at that instant, by default with its last view at the present time. Returns the answers. A
   * strategy whose timers run too often is slowed down as in the daemon, and the next answer names it.
   */
  advance(ms: number, viewOf: (event: EventName) => EventView | null = this.#laterView): StrategyAnswer[] {
    const untilMs = this.#time.monotonicMs() + ms;
    const answers = this.#answerWoken(viewOf);
    while (this.#deliver(() => this.#time.runTimer(untilMs))) answers.push(...this.#answerWoken(viewOf));
    this.#time.moveTo(untilMs);
    return answers;
  }

  /** Milliseconds until the next timer of the strategy; null if it has set none. */
  get nextTimerInMs(): number | null {
    const nextMs = this.#time.nextTimerMs();
    return nextMs === null ? null : nextMs - this.#time.monotonicMs();
  }

  /** The states that the strategy keeps, as a clean stop saves them. */
  save(): readonly SavedSession[] {
    return this.#host.save();
  }

  /** A clean stop and a start: kept states are restored from JSON, then all fills are delivered again. Timers are lost. */
  restart(): void {
    const saved = JSON.parse(JSON.stringify(this.save())) as readonly SavedSession[];
    this.stop();
    this.#asked$ = new Subject();
    this.#host = this.#newHost();
    this.#subscription = this.#subscribe();
    for (const session of saved) this.#host.restore(session);
    for (const fill of this.#fills) this.#deliver(() => this.#host.onFill(fill));
  }

  /** Unsubscribes from the strategy, which ends its timers. */
  stop(): void {
    this.#subscription.unsubscribe();
    this.#woken.clear();
  }

  #newHost(): StrategyHost<P> {
    const { observer = UNOBSERVED } = this.#options;
    const surroundings: Surroundings = {
      scheduler: clockScheduler(this.#time),
      log: (message, fields) => void this.#lines.push({ message, fields }),
      otherEvent: (event) => this.#views.of(event),
      wake: (event) => this.#onWake(event),
      onHaste: (event) => void this.#haste.push(hasteOf(this.#strategy.name, event)),
      observer,
    };
    return new StrategyHost(this.#strategy, this.#parameters, surroundings);
  }

  #subscribe(): Subscription {
    return this.#host.answers(this.#asked$).subscribe({
      next: (answer) => this.#answers.push(answer),
      error: (error: unknown) => invariant(false, 'a host never fails', { error }),
    });
  }

  #onWake(event: EventName): void {
    if (!this.#isDelivering) this.#options.onStray?.(event);
    this.#woken.set(eventKey(event), event);
  }

  #deliver<T>(work: () => T): T {
    this.#isDelivering = true;
    try {
      return work();
    } finally {
      this.#isDelivering = false;
    }
  }

  #answerWoken(viewOf: (event: EventName) => EventView | null): StrategyAnswer[] {
    const woken = [...this.#woken.values()];
    this.#woken.clear();
    return woken.flatMap((event) => {
      const view = viewOf(event);
      return view === null ? [] : [this.view(view)];
    });
  }

  /** The last view of an event, as it would look now. */
  readonly #laterView = (event: EventName): EventView | null => {
    const last = this.#last.get(eventKey(event));
    if (last === undefined) return null;
    const { view, atMs } = last;
    const passedMs = this.#time.monotonicMs() - atMs;
    const startsInMs = view.startsInMs === null ? null : view.startsInMs - passedMs;
    return Object.freeze({ ...view, nowMs: view.nowMs + passedMs, startsInMs });
  };
}

const hasteOf = (strategy: string, { sport, eventId }: EventName): StrategyProblem => ({
  kind: 'too-many-emissions',
  strategy,
  sport,
  eventId,
  selectionId: null,
  message: 'its timers run too often; they are delayed',
});
