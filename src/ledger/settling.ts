import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { EventResult, EventTotal } from '../domain/settlement.ts';

/** The present state of an event with open bets. */
export interface OpenEvent extends EventName {
  /** The results plus the worth of the open bets. */
  readonly totalMicros: Micros;
  readonly results: EventResult;
}

/**
 * In milliseconds. By then every result of an event is known, even by updates windows, unless the exchange or the
 * connection fails.
 */
const SETTLED_WITHIN_MS = 300_000;

/**
 * Events whose bets are settled one by one. A hedge with only one leg settled may show a loss that is not real. The event
 * therefore keeps its earlier total until all its bets are settled, at most `SETTLED_WITHIN_MS`. A result after that starts
 * a new wait. Corrections of a fully settled event start a wait, too; the exchange does not mark the last correction.
 */
export class SettlingEvents {
  /** The last total of each event with open bets. */
  #totals = new Map<EventKey, EventTotal>();
  /** Events without open bets of which a result was corrected. */
  readonly #corrected = new Map<EventKey, EventName>();
  /** Monotonic instant of the last `update`; null until the first. */
  #updatedMs: number | null = null;

  /** Restores an earlier run's last totals. Call before the first bet. */
  recall(totals: Iterable<EventTotal>): void {
    this.#totals = byKey(totals);
  }

  /** The last totals, for a later run. */
  totals(): readonly EventTotal[] {
    return [...this.#totals.values()];
  }

  /** Bets arrive on an event with these results. Until the next `update`, the event counts with the results. */
  onBets({ sport, eventId }: EventName, results: EventResult): void {
    const key = eventKey({ sport, eventId });
    if (!this.#totals.has(key))
      this.#totals.set(key, { sport, eventId, micros: results.micros, results, heldMs: null });
  }

  /** A result of an event without open bets is corrected, which had the results `before`. A single order is corrected at once. */
  onCorrected({ sport, eventId }: EventName, before: EventResult): void {
    if (before.orders < 2) return;
    this.#corrected.set(eventKey({ sport, eventId }), { sport, eventId });
    this.onBets({ sport, eventId }, before);
  }

  /** Events that the next `update` needs besides those with open bets. */
  corrected(): readonly EventName[] {
    return [...this.#corrected.values()];
  }

  /** Returns the total that counts for each event. `events` must be complete; `nowMs` is monotonic. */
  update(events: readonly OpenEvent[], nowMs: number): readonly EventTotal[] {
    const counted = events.map((event) => this.#held(event, nowMs) ?? this.#summed(event));
    this.#totals = byKey(counted);
    this.#updatedMs = nowMs;
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
    const heldMs = before.heldMs === null ? 0 : before.heldMs + nowMs - (this.#updatedMs ?? nowMs);
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
