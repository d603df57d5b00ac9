import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import { type HeartbeatOrigin, isAbandoned, type PresenceRules, type SeenHeartbeat } from './presence.ts';

/** An expiry that is later than before by more than this shows a refresh, not rounding. */
const REFRESHED_MS = 1_000;

interface Sighting extends SeenHeartbeat {
  readonly expiryMs: number | null;
}

export interface SightingsParts {
  /** Whether this process created a heartbeat. */
  isMine(id: HeartbeatId): boolean;
  monotonicMs(): number;
  rules(): PresenceRules;
}

/**
 * Tracks the heartbeats of the account that this process did not create, and whether their expiry moves from
 * listing to listing.
 */
export class HeartbeatSightings {
  readonly #parts: SightingsParts;
  readonly #seen = new Map<HeartbeatId, Sighting>();
  #originOf: (id: HeartbeatId) => HeartbeatOrigin = () => 'unknown';
  #listedMs = -Infinity;
  /** Heartbeats first listed before this monotonic instant may result from unanswered requests. */
  #unansweredUntilMs = -Infinity;

  constructor(parts: SightingsParts) {
    this.#parts = parts;
  }

  /** Sets the origins of heartbeats that the journal records. */
  recall(originOf: (id: HeartbeatId) => HeartbeatOrigin): void {
    this.#originOf = originOf;
  }

  /** Notes an unanswered create request: its heartbeat may first be listed within `forMs`. */
  expectUnanswered(forMs: number): void {
    this.#unansweredUntilMs = this.#parts.monotonicMs() + forMs;
  }

  /** Monotonic instant at which the last answered listing was requested. */
  get listedMs(): number {
    return this.#listedMs;
  }

  all(): Iterable<SeenHeartbeat> {
    return this.#seen.values();
  }

  /** Applies a listing. It shows the state at some instant between its request and its answer, which arrives now. */
  observe(listed: readonly Heartbeat[], askedMs: number): void {
    this.#listedMs = askedMs;
    const there = new Set(listed.map(({ heartbeatId }) => heartbeatId));
    for (const id of this.#seen.keys()) if (!there.has(id)) this.#seen.delete(id);
    for (const { heartbeatId, expiryMs } of listed) {
      if (!this.#parts.isMine(heartbeatId)) this.#seen.set(heartbeatId, this.#sight(heartbeatId, expiryMs));
    }
  }

  /** Heartbeats that earlier runs of this journal left, or may have created. */
  ofEarlierRuns(): readonly HeartbeatId[] {
    return [...this.#seen.values()]
      .filter(({ origin }) => origin !== 'unknown')
      .map(({ heartbeatId }) => heartbeatId);
  }

  /** Returns whether a heartbeat that this process did not create may be deleted. */
  isAbandoned(id: HeartbeatId): boolean {
    const seen = this.#seen.get(id);
    const rules = this.#parts.rules();
    if (seen === undefined) return rules.isSoleUser || rules.earlierOwner === 'dead';
    return isAbandoned(seen, rules, this.#listedMs);
  }

  /** Returns whether an unanswered request of ours may have created the heartbeat. */
  isUnanswered(id: HeartbeatId): boolean {
    return this.#seen.get(id)?.origin === 'unanswered';
  }

  /** Returns whether a listing shows a heartbeat of another process that is not tolerated. */
  isContested(listed: readonly Heartbeat[]): boolean {
    const rules = this.#parts.rules();
    return listed.some(({ heartbeatId }) => {
      if (this.#parts.isMine(heartbeatId)) return false;
      const seen = this.#seen.get(heartbeatId);
      if (seen === undefined) return true;
      if (seen.origin === 'unknown') return seen.movedMs === null || !rules.toleratesHeartbeats;
      return !isAbandoned(seen, rules, this.#listedMs);
    });
  }

  #sight(heartbeatId: HeartbeatId, expiryMs: number | null): Sighting {
    const before = this.#seen.get(heartbeatId);
    const nowMs = this.#parts.monotonicMs();
    if (before === undefined) {
      const origin = this.#firstOrigin(heartbeatId);
      return { heartbeatId, origin, expiryMs, stillSinceMs: nowMs, movedMs: null };
    }
    const isRefreshed =
      before.expiryMs !== null && expiryMs !== null && expiryMs > before.expiryMs + REFRESHED_MS;
    if (!isRefreshed) return { ...before, expiryMs: before.expiryMs ?? expiryMs };
    // No process refreshes the heartbeat of a lost request, so another process must have created this one.
    const origin = before.origin === 'unanswered' ? 'unknown' : before.origin;
    return { heartbeatId, origin, expiryMs, stillSinceMs: nowMs, movedMs: nowMs };
  }

  #firstOrigin(id: HeartbeatId): HeartbeatOrigin {
    const origin = this.#originOf(id);
    const mayBeOurs = this.#parts.monotonicMs() < this.#unansweredUntilMs;
    return origin === 'unknown' && mayBeOurs ? 'unanswered' : origin;
  }
}
