import type { TrackedOrder } from '../../account/orders.ts';
import { Pacer, pauseOf, type Repetition } from '../state/backoff.ts';
import type { OrderContext } from '../state/context.ts';
import type { LookupResult, Lookups } from './lookups.ts';

interface Case {
  tries: number;
  repeats: number;
  nextMs: number;
}

/** Repeats the create request if its quote is still wanted and may be sent now. Returns whether it has begun. */
export type RepeatCreate = (tracked: TrackedOrder) => boolean;

const ASKED: Repetition = { firstMs: 500, longestMs: 8_000 };
/**
 * Pause between two repeated look-ups, whatever the order. An outage may leave every quote's outcome unknown,
 * and other requests need the budget, too.
 */
const TURN_MS = 400;
const MOST_REPEATS = 2;

/**
 * Resolves orders of unknown outcome, only by what the exchange reports.
 *
 * The look-up by request_uuid is repeated. While the order is still wanted and could be sent as a new one, the
 * create request is repeated, too, under the same uuid.
 *
 * "Not found" is proof only after the last instant at which a request could still land and its order still be
 * open.
 */
export class UnknownOutcomes {
  readonly #context: OrderContext;
  readonly #lookups: Lookups;
  readonly #repeat: RepeatCreate;
  readonly #cases = new Map<TrackedOrder, Case>();
  readonly #pacer = new Pacer();

  constructor(context: OrderContext, lookups: Lookups, repeat: RepeatCreate) {
    this.#context = context;
    this.#lookups = lookups;
    this.#repeat = repeat;
  }

  sweep(): void {
    for (const tracked of this.#cases.keys()) {
      if (tracked.order.state !== 'unknown') this.#cases.delete(tracked);
    }
    const unknown = [...this.#context.book.active()].filter(({ order }) => order.state === 'unknown');
    const waiting = unknown.map((tracked) => [tracked, this.#caseOf(tracked)] as const);
    // Serve the order that has waited longest, or the first of many would take every turn.
    for (const [tracked, state] of waiting.sort(([, a], [, b]) => a.nextMs - b.nextMs))
      this.#drive(tracked, state);
  }

  /** Monotonic instant from which "not found" is proof. */
  absenceProvenFromMs(tracked: TrackedOrder): number {
    const { latestLandingMs } = this.#context.options;
    return (tracked.sentMonotonicMs ?? 0) + latestLandingMs + tracked.place.durationS * 1000;
  }

  /**
   * Looks an order up when due; every look-up but the first waits for a turn. The client does not repeat it,
   * because its repeats wait for no turn.
   */
  #drive(tracked: TrackedOrder, state: Case): void {
    const askedMs = this.#now();
    if (askedMs < state.nextMs || this.#lookups.isOut(tracked)) return;
    if (state.tries > 0 && !this.#pacer.take(askedMs, TURN_MS)) return;
    state.nextMs = askedMs + pauseOf(ASKED, state.tries++);
    this.#lookups.ask(tracked, (result) => this.#answered(tracked, state, result, askedMs), true);
  }

  #caseOf(tracked: TrackedOrder): Case {
    const known = this.#cases.get(tracked);
    if (known !== undefined) return known;
    const made: Case = { tries: 0, repeats: 0, nextMs: this.#now() };
    this.#cases.set(tracked, made);
    return made;
  }

  #answered(tracked: TrackedOrder, state: Case, result: LookupResult, askedMs: number): void {
    if (result !== 'not_found' || tracked.order.state !== 'unknown') return;
    if (askedMs >= this.absenceProvenFromMs(tracked)) {
      this.#context.book.apply(tracked, 'proven_absent', {}, 'look-up');
    } else if (state.repeats < MOST_REPEATS && this.#repeat(tracked)) {
      state.repeats++;
    }
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
