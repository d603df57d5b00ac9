import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import { type HeartbeatOrigin, isAbandoned, type PresenceRules, type SeenHeartbeat } from './presence.ts';

/** A later expiry than before by this much is a refresh, not a rounding. */
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

/** The heartbeats of the account that this process did not create, and whether their expiry moves from listing to listing. */
export class HeartbeatSightings {
  readonly #parts: SightingsParts;
  readonly #seen = new Map<HeartbeatId, Sighting>();
  #originOf: (id: HeartbeatId) => HeartbeatOrigin = () => 'unknown';
  #listedMs = -Infinity;
  /** Heartbeats first listed until then may come of requests that were not answered. */
  #unansweredUntilMs = -Infinity;

  constructor(parts: SightingsParts) {
    this.#parts = parts;
  }

  /** What the journal tells of heartbeats. */
  recall(originOf: (id: HeartbeatId) => HeartbeatOrigin): void {
    this.#originOf = originOf;
  }

  /** A request was not answered: what it made may be listed for so long. */
  expectUnanswered(forMs: number): void {
    this.#unansweredUntilMs = this.#parts.monotonicMs() + forMs;
  }

  /** Monotonic instant at which the last answered listing was asked for. */
  get listedMs(): number {
    return this.#listedMs;
  }

  all(): Iterable<SeenHeartbeat> {
    return this.#seen.values();
  }

  /** A listing shows what was so at some instant between its question and its answer, which has come now. */
  observe(listed: readonly Heartbeat[], askedMs: number): void {
    this.#listedMs = askedMs;
    const there = new Set(listed.map(({ heartbeatId }) => heartbeatId));
    for (const id of this.#seen.keys()) if (!there.has(id)) this.#seen.delete(id);
    for (const { heartbeatId, expiryMs } of listed) {
      if (!this.#parts.isMine(heartbeatId)) this.#seen.set(heartbeatId, this.#sight(heartbeatId, expiryMs));
    }
  }

  /** Those that earlier runs of this journal left, or may have made. */
  ofEarlierRuns(): readonly HeartbeatId[] {
    return [...this.#seen.values()]
      .filter(({ origin }) => origin !== 'unknown')
      .map(({ heartbeatId }) => heartbeatId);
  }

  /** Whether one that this process did not create may be deleted. */
  isAbandoned(id: HeartbeatId): boolean {
    const seen = this.#seen.get(id);
    const rules = this.#parts.rules();
    if (seen === undefined) return rules.isSoleUser || rules.earlierOwner === 'dead';
    return isAbandoned(seen, rules, this.#listedMs);
  }

  /** Whether a request of ours that was not answered may have made it. */
  isUnanswered(id: HeartbeatId): boolean {
    return this.#seen.get(id)?.origin === 'unanswered';
  }

  /** Whether a listing shows one that another process has made and that is not tolerated. */
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
    // No process refreshes what a lost request made.
    const origin = before.origin === 'unanswered' ? 'unknown' : before.origin;
    return { heartbeatId, origin, expiryMs, stillSinceMs: nowMs, movedMs: nowMs };
  }

  #firstOrigin(id: HeartbeatId): HeartbeatOrigin {
    const origin = this.#originOf(id);
    const mayBeOurs = this.#parts.monotonicMs() < this.#unansweredUntilMs;
    return origin === 'unknown' && mayBeOurs ? 'unanswered' : origin;
  }
}
