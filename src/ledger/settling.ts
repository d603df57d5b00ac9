import type { EventId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';

/** An event, and what its results and its open bets come to. */
export type EventTotal = readonly [EventId, Micros];

/** An event with open bets as it is now. */
export interface OpenEvent {
  readonly eventId: EventId;
  /** Its results and its open bets. */
  readonly totalMicros: Micros;
  /** Whether any of its orders is settled. */
  readonly hasResults: boolean;
}

/** After this time every result of an event is known, unless the exchange or the way to it fails; updates windows included. */
const SETTLED_WITHIN_MS = 300_000;

/**
 * Events whose bets are settled one by one. Bets that cancel each other lose nothing while the result of one is known and
 * that of the other is not: meanwhile their event counts with the total that it had just before, until all of them are
 * settled, or for as long as that may take. A result that comes later than that begins anew.
 */
export class SettlingEvents {
  /** What each event with open bets counted with when it was looked at last. */
  #totals = new Map<EventId, Micros>();
  /** Of which results have come: the monotonic instant of the first look since; null until it. */
  readonly #sinceMs = new Map<EventId, number | null>();
  /** What an earlier run counted with is not known: until the first look an event's sum is all that can be gone by. */
  #isUntold = false;

  /**
   * Takes over what an earlier run has seen last; null where it did not write that down. Before that run's results: they make
   * each of these events count so for once more that time, where bets of it are open still.
   */
  recall(totals: Iterable<EventTotal> | null): void {
    this.#isUntold = totals === null;
    this.#totals = new Map(totals ?? []);
  }

  /** To be remembered. */
  totals(): readonly EventTotal[] {
    return [...this.#totals];
  }

  /** Bets come to an event that had come to `totalMicros`: until it is looked at it counts with that. */
  onBets(eventId: EventId, totalMicros: Micros): void {
    if (!this.#isUntold && !this.#totals.has(eventId)) this.#totals.set(eventId, totalMicros);
  }

  /** The results of an event have changed. */
  onResult(eventId: EventId): void {
    if (this.#totals.has(eventId) && !this.#sinceMs.has(eventId)) this.#sinceMs.set(eventId, null);
  }

  /** Answers what each event counts with; `events` are all that have open bets, `nowMs` is monotonic. */
  look(events: readonly OpenEvent[], nowMs: number): readonly EventTotal[] {
    const counted = events.map((event) => [event.eventId, this.#countedWith(event, nowMs)] as const);
    this.#totals = new Map(counted);
    this.#isUntold = false;
    for (const eventId of this.#sinceMs.keys()) if (!this.#totals.has(eventId)) this.#sinceMs.delete(eventId);
    return counted;
  }

  #countedWith({ eventId, totalMicros, hasResults }: OpenEvent, nowMs: number): Micros {
    const sinceMs = this.#sinceMs.get(eventId);
    if (sinceMs === undefined) return totalMicros;
    this.#sinceMs.set(eventId, sinceMs ?? nowMs);
    if (hasResults && nowMs - (sinceMs ?? nowMs) < SETTLED_WITHIN_MS)
      return this.#totals.get(eventId) ?? totalMicros;
    this.#sinceMs.delete(eventId);
    return totalMicros;
  }
}
