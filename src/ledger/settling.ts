import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { EventResult, EventTotal } from '../domain/settlement.ts';

/** An event with open bets as it is now. */
export interface OpenEvent extends EventName {
  /** Its results and its open bets. */
  readonly totalMicros: Micros;
  readonly results: EventResult;
}

/** Milliseconds. By then every result of an event is known, updates windows included, unless the exchange or its connection fails. */
const SETTLED_WITHIN_MS = 300_000;

/**
 * Events whose bets are settled one by one. A hedge with only one leg settled may show a loss that is not real. The event
 * therefore keeps its earlier total until all its bets are settled, at most `SETTLED_WITHIN_MS`. A result after that starts
 * a new wait. Corrections of a fully settled event start a wait, too; the exchange does not mark the last correction.
 */
export class SettlingEvents {
  /** The last total of each event with open bets. */
  #totals = new Map<EventKey, EventTotal>();
  /** Without open bets, of which a result was corrected. */
  readonly #corrected = new Map<EventKey, EventName>();
  /** Monotonic instant of the last look; null until the first. */
  #lookedMs: number | null = null;

  /** Restores an earlier run's last totals. Call before the first bet. */
  recall(totals: Iterable<EventTotal>): void {
    this.#totals = byKey(totals);
  }

  /** The last totals, for a later run. */
  totals(): readonly EventTotal[] {
    return [...this.#totals.values()];
  }

  /** Bets come to an event that had come to these results: until it is looked at it counts with them. */
  onBets({ sport, eventId }: EventName, results: EventResult): void {
    const key = eventKey({ sport, eventId });
    if (!this.#totals.has(key))
      this.#totals.set(key, { sport, eventId, micros: results.micros, results, heldMs: null });
  }

  /** A result of an event without open bets is corrected, which had come to these; one alone is corrected whole. */
  onCorrected({ sport, eventId }: EventName, before: EventResult): void {
    if (before.orders < 2) return;
    this.#corrected.set(eventKey({ sport, eventId }), { sport, eventId });
    this.onBets({ sport, eventId }, before);
  }

  /** Events to be looked at besides those that have open bets. */
  corrected(): readonly EventName[] {
    return [...this.#corrected.values()];
  }

  /** Returns the total that counts for each event. `events` must be complete; `nowMs` is monotonic. */
  look(events: readonly OpenEvent[], nowMs: number): readonly EventTotal[] {
    const counted = events.map((event) => this.#held(event, nowMs) ?? this.#summed(event));
    this.#totals = byKey(counted);
    this.#lookedMs = nowMs;
    return counted;
  }

  /** The earlier total of a partly settled event; null for any other event. */
  #held(event: OpenEvent, nowMs: number): EventTotal | null {
    // Bets without an event are parlays, which do not cancel each other.
    if (event.eventId === '') return null;
    const before = this.#totals.get(eventKey(event));
    const isPartly = event.results.orders > 0;
    if (before === undefined || !isPartly || isSame(before.results, event.results)) return null;
    // Time between two runs, or between a look and the next result, does not count as waiting.
    const heldMs = before.heldMs === null ? 0 : before.heldMs + nowMs - (this.#lookedMs ?? nowMs);
    return heldMs < SETTLED_WITHIN_MS ? { ...before, heldMs } : null;
  }

  #summed({ sport, eventId, totalMicros, results }: OpenEvent): EventTotal {
    this.#corrected.delete(eventKey({ sport, eventId }));
    return { sport, eventId, micros: totalMicros, results, heldMs: null };
  }
}

const isSame = (a: EventResult, b: EventResult): boolean => a.orders === b.orders && a.micros === b.micros;

const byKey = (totals: Iterable<EventTotal>): Map<EventKey, EventTotal> =>
  new Map(Array.from(totals, (total) => [eventKey(total), total]));
