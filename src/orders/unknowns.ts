import type { TrackedOrder } from './book.ts';
import type { Desk } from './desk.ts';
import type { LookupResult, Lookups } from './lookups.ts';

interface Case {
  tries: number;
  repeats: number;
  nextMs: number;
}

export interface UnknownHooks {
  /** Sends the same request again; null when it has begun. */
  repeat(tracked: TrackedOrder): string | null;
  /** Whether the order is still wanted as it is. */
  wanted(tracked: TrackedOrder): boolean;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8_000;
const MOST_REPEATS = 2;

/**
 * Resolves orders of unknown outcome, on the exchange's evidence alone. The look-up by request_uuid is repeated; while
 * the order is still wanted, the request itself is repeated under the same uuid. "Not found" counts only when asked after
 * the last instant at which a request could still land, and the order it made could still live.
 */
export class Unknowns {
  readonly #desk: Desk;
  readonly #lookups: Lookups;
  readonly #hooks: UnknownHooks;
  readonly #cases = new Map<TrackedOrder, Case>();

  constructor(desk: Desk, lookups: Lookups, hooks: UnknownHooks) {
    this.#desk = desk;
    this.#lookups = lookups;
    this.#hooks = hooks;
  }

  sweep(): void {
    for (const tracked of this.#cases.keys()) {
      if (tracked.order.state !== 'unknown') this.#cases.delete(tracked);
    }
    for (const tracked of [...this.#desk.book.active()]) {
      if (tracked.order.state === 'unknown') this.#drive(tracked);
    }
  }

  /** Monotonic instant from which "not found" is proof. */
  absenceProvenFromMs(tracked: TrackedOrder): number {
    const { latestLandingMs } = this.#desk.options;
    return (tracked.sentMonotonicMs ?? 0) + latestLandingMs + tracked.place.durationS * 1000;
  }

  #drive(tracked: TrackedOrder): void {
    const state = this.#caseOf(tracked);
    if (this.#now() < state.nextMs) return;
    const askedMs = this.#now();
    state.nextMs = askedMs + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** state.tries++);
    this.#lookups.ask(tracked, (result) => this.#answered(tracked, state, result, askedMs));
  }

  #caseOf(tracked: TrackedOrder): Case {
    const known = this.#cases.get(tracked);
    if (known !== undefined) return known;
    const made: Case = { tries: 0, repeats: 0, nextMs: -Infinity };
    this.#cases.set(tracked, made);
    return made;
  }

  #answered(tracked: TrackedOrder, state: Case, result: LookupResult, askedMs: number): void {
    if (result !== 'not_found' || tracked.order.state !== 'unknown') return;
    if (askedMs >= this.absenceProvenFromMs(tracked)) {
      this.#desk.book.apply(tracked, 'proven_absent', {}, 'look-up');
    } else if (state.repeats < MOST_REPEATS && !tracked.closeWanted && this.#hooks.wanted(tracked)) {
      if (this.#hooks.repeat(tracked) === null) state.repeats++;
    }
  }

  #now(): number {
    return this.#desk.deps.clock.monotonicMs();
  }
}
