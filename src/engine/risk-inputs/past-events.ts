import { eventKey, type EventName, eventNameOf } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Core } from '../core.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Clock } from '../../ports/clock.ts';

interface Seen {
  readonly event: EventName;
  /** Monotonic instant at which the event was last present. */
  readonly atMs: number;
}

const LOOK_EVERY_MS = 60_000;
/** A look this late means that the machine slept and received nothing meanwhile. */
const ASLEEP_MS = 2 * LOOK_EVERY_MS;
/** An event may be absent for hours and return, if it was postponed or its feed dropped it. */
const ABSENT_MS = DAY_MS;

/**
 * Finds events that are over: the exchange has not mentioned them for a day, and they carry no exposure. Risk then drops its
 * marks, alarms and states of the event, and its strategy ends there. Two cases prove nothing and are skipped: the feed is lost (no event is known at all), or
 * the machine slept.
 */
export class PastEvents {
  readonly #core: Pick<Core, 'market' | 'risk' | 'apply'>;
  readonly #clock: Clock;
  /** Events that risk may hold state for. */
  readonly #seen = new Map<EventKey, Seen>();
  #lookedMs = -Infinity;

  constructor(core: Pick<Core, 'market' | 'risk' | 'apply'>, clock: Clock) {
    [this.#core, this.#clock] = [core, clock];
  }

  /** Call it often; `chosen` are the quoted events. */
  look(chosen: Iterable<EventName>): void {
    const nowMs = this.#clock.monotonicMs();
    for (const event of chosen) this.#see(event, nowMs);
    const passedMs = nowMs - this.#lookedMs;
    if (passedMs < LOOK_EVERY_MS) return;
    this.#lookedMs = nowMs;
    this.#noteStates(nowMs);
    const isFeedAway = [...this.#core.market.events()].length === 0;
    if (isFeedAway || passedMs > ASLEEP_MS) return this.#postpone(passedMs, nowMs);
    this.#forgetPast(nowMs);
  }

  /** Restored states may name events that this run has never seen. */
  #noteStates(nowMs: number): void {
    for (const { scope } of this.#core.risk.states) {
      if ('eventId' in scope && !this.#seen.has(eventKey(scope))) this.#see(eventNameOf(scope), nowMs);
    }
  }

  #see(event: EventName, atMs: number): void {
    this.#seen.set(eventKey(event), { event, atMs });
  }

  /** Moves each instant on, to now at the latest: before the first look the elapsed time is infinite. */
  #postpone(passedMs: number, nowMs: number): void {
    for (const { event, atMs } of this.#seen.values()) this.#see(event, Math.min(nowMs, atMs + passedMs));
  }

  #forgetPast(nowMs: number): void {
    const atStake = new Set(this.#core.risk.exposure().events.map(eventKey));
    for (const [key, { event, atMs }] of this.#seen) {
      const isThere = this.#core.market.event(event) !== undefined || atStake.has(key);
      if (isThere) this.#see(event, nowMs);
      else if (nowMs - atMs >= ABSENT_MS) this.#forget(event);
    }
  }

  #forget(event: EventName): void {
    this.#seen.delete(eventKey(event));
    this.#core.apply({ kind: 'event_over', event });
  }
}
