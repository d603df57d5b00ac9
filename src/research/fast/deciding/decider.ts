/** Asks a strategy for the quotes of an event. */
import type { SelectionId } from '../../../domain/ids.ts';
import { Subject } from 'rxjs';
import type { EventView } from '../../../domain/event-view.ts';
import { eventNameOf } from '../../../domain/events.ts';
import type { Fill } from '../../../domain/live-order.ts';
import { LAST_TICK } from '../../../domain/ladder.ts';
import type { QuoteIntent } from '../../../domain/quote-intent.ts';
import { DIRECTIONS } from '../../../domain/selection.ts';
import { clockScheduler } from '../../../engine/clock-scheduler.ts';
import { VirtualTime } from '../../../lib/virtual-time.ts';
import { isStream, type PureStrategy, type Strategy } from '../../../strategy/contract.ts';
import { type Asked, StrategyHost } from '../../../strategy/host.ts';
import { type Wishes, validWishes } from '../../../strategy/wishes.ts';
import { SharedViews, type Surroundings, UNOBSERVED } from '../../../strategy/session.ts';

export interface Decider {
  /** The valid quotes and hedges that the strategy wants. A strategy that throws gets none. */
  decide(view: EventView): Wishes;
  onFill(fill: Fill): void;
  /** Runs what the strategy planned up to an instant, wall-clock milliseconds. Returns whether it wants to be asked again. */
  advance(nowMs: number): boolean;
  stop(): void;
}

/** A decider of one event from `startMs`, wall-clock milliseconds, on. */
export function deciderOf(strategy: Strategy, parameters: unknown, startMs: number): Decider {
  return isStream(strategy)
    ? new StreamDecider(strategy, parameters, startMs)
    : new PureDecider(strategy, parameters);
}

const NOTHING: Wishes = { intents: [] };

class PureDecider implements Decider {
  readonly #strategy: PureStrategy;
  readonly #parameters: unknown;

  constructor(strategy: PureStrategy, parameters: unknown) {
    this.#strategy = strategy;
    this.#parameters = parameters;
  }

  decide(view: EventView): Wishes {
    try {
      const wanted: readonly unknown[] = this.#strategy.quote(view, this.#parameters);
      return areSound(wanted, view) ? { intents: wanted } : validWishes(view, wanted, () => undefined);
    } catch {
      return NOTHING;
    }
  }

  onFill(): void {}

  advance(): boolean {
    return false;
  }

  stop(): void {}
}

/** The same host as in the daemon, on the time of the tape. */
class StreamDecider implements Decider {
  readonly #time: VirtualTime;
  readonly #views = new SharedViews();
  readonly #asked$ = new Subject<Asked>();
  readonly #host: StrategyHost;
  readonly #stop: () => void;
  #answer: Wishes = NOTHING;
  #woken = false;

  constructor(strategy: Strategy, parameters: unknown, startMs: number) {
    this.#time = new VirtualTime(startMs);
    const surroundings: Surroundings = {
      scheduler: clockScheduler(this.#time),
      log: () => undefined,
      otherEvent: (event) => this.#views.of(event),
      wake: () => void (this.#woken = true),
      onHaste: () => undefined,
      observer: UNOBSERVED,
    };
    this.#host = new StrategyHost(strategy, parameters, surroundings);
    const subscription = this.#host.answers(this.#asked$).subscribe({
      next: (answer) => void (this.#answer = answer),
      error: () => void (this.#answer = NOTHING),
    });
    this.#stop = () => subscription.unsubscribe();
  }

  decide(view: EventView): Wishes {
    this.#views.next(view);
    this.#asked$.next({ event: eventNameOf(view), view });
    this.#woken = false;
    return this.#answer;
  }

  onFill(fill: Fill): void {
    this.#host.onFill(fill);
  }

  advance(nowMs: number): boolean {
    const untilMs = this.#time.monotonicMs() + nowMs - this.#time.wallMs();
    while (this.#time.runTimer(untilMs));
    this.#time.moveTo(untilMs);
    return this.#woken;
  }

  stop(): void {
    this.#stop();
  }
}

/**
 * The usual answer, which needs no copy: selection by selection whole stakes on the ladder, one a key, and sides that do not cross. Any other
 * answer may be right, too, and is looked at in full.
 */
function areSound(wanted: readonly unknown[], { selections }: EventView): wanted is readonly QuoteIntent[] {
  const seen = new Set<SelectionId>();
  /** Where the quotes of the selection begin. */
  let first = 0;
  for (let at = 0; at < wanted.length; at++) {
    const intent = wanted[at] as QuoteIntent & { readonly size?: unknown };
    if (!isPlain(intent)) return false;
    const { selectionId: id } = intent;
    if (at === 0 || (wanted[first] as QuoteIntent).selectionId !== id) {
      if (seen.has(id) || !selections.some(({ selectionId }) => selectionId === id)) return false;
      seen.add(id);
      first = at;
    }
    for (let other = first; other < at; other++)
      if (collide(wanted[other] as QuoteIntent, intent)) return false;
  }
  return true;
}

function isPlain(intent: QuoteIntent & { readonly size?: unknown }): boolean {
  const { tick, stakeMicros, level, lifetimeS, size } = intent;
  if (!asksNothing(intent) || !Number.isInteger(tick) || tick < 0 || tick > LAST_TICK) return false;
  if (!Number.isSafeInteger(stakeMicros) || stakeMicros < 1 || size !== undefined) return false;
  if (!Number.isInteger(level) || level < 0 || lifetimeS !== undefined) return false;
  return (DIRECTIONS as readonly unknown[]).includes(intent.direction);
}

/** Whether the intent is a quote that asks for nothing beside price and stake. */
const asksNothing = (intent: QuoteIntent): boolean =>
  intent.mode === undefined &&
  intent.take === undefined &&
  intent.keepOpenInRunning === undefined &&
  intent.minTakerWantStakeMicros === undefined &&
  intent.excludeDanger === undefined &&
  intent.sourceMinStakesMicros === undefined;

/** Whether two intents on a selection have one key, or would match each other. */
function collide(a: QuoteIntent, b: QuoteIntent): boolean {
  if (a.direction === b.direction) return a.level === b.level;
  const [backing, laying] = a.direction === 'for' ? [a, b] : [b, a];
  return backing.tick <= laying.tick;
}
