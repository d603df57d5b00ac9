import { eventKey, type EventName, eventNameOf } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Market } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Risk } from '../../risk/index.ts';

export interface PastEventsDeps {
  readonly market: Pick<Market, 'event' | 'events'>;
  readonly risk: Pick<Risk, 'exposure' | 'states' | 'onSettled'>;
  readonly clock: Clock;
}

interface Seen {
  readonly event: EventName;
  /** Monotonic instant at which it was there last. */
  readonly atMs: number;
}

const LOOK_EVERY_MS = 60_000;
/** Who looks this late was not listening either: the machine was asleep. */
const ASLEEP_MS = 2 * LOOK_EVERY_MS;
/** An event may be away for hours and come back: postponed, or dropped by its feed. */
const ABSENT_MS = DAY_MS;

/**
 * Finds the events that are over: of which the exchange has not spoken for a day, and on which nothing is at stake any
 * more. Risk forgets what it keeps for each event: marks, alarms, states. While no event at all is known, the feed is
 * away, and while the machine sleeps nobody hears it: nothing is concluded from either.
 */
export class PastEvents {
  readonly #deps: PastEventsDeps;
  /** Events that risk may know of. */
  readonly #seen = new Map<EventKey, Seen>();
  #lookedMs = -Infinity;

  constructor(deps: PastEventsDeps) {
    this.#deps = deps;
  }

  /** Often; `chosen` are the events that are quoted. */
  look(chosen: Iterable<EventName>): void {
    const nowMs = this.#deps.clock.monotonicMs();
    for (const event of chosen) this.#see(event, nowMs);
    const passedMs = nowMs - this.#lookedMs;
    if (passedMs < LOOK_EVERY_MS) return;
    this.#lookedMs = nowMs;
    this.#noteStates(nowMs);
    const isFeedAway = [...this.#deps.market.events()].length === 0;
    if (isFeedAway || passedMs > ASLEEP_MS) return this.#postpone(passedMs, nowMs);
    this.#forgetPast(nowMs);
  }

  /** States of earlier runs may speak of events that this one has never seen. */
  #noteStates(nowMs: number): void {
    for (const { scope } of this.#deps.risk.states) {
      if ('eventId' in scope && !this.#seen.has(eventKey(scope))) this.#see(eventNameOf(scope), nowMs);
    }
  }

  #see(event: EventName, atMs: number): void {
    this.#seen.set(eventKey(event), { event, atMs });
  }

  /** To now at the latest: before the first look an endless time has passed. */
  #postpone(passedMs: number, nowMs: number): void {
    for (const { event, atMs } of this.#seen.values()) this.#see(event, Math.min(nowMs, atMs + passedMs));
  }

  #forgetPast(nowMs: number): void {
    const atStake = new Set(this.#deps.risk.exposure().events.map(eventKey));
    for (const [key, { event, atMs }] of this.#seen) {
      const isThere = this.#deps.market.event(event) !== undefined || atStake.has(key);
      if (isThere) this.#see(event, nowMs);
      else if (nowMs - atMs >= ABSENT_MS) this.#forget(event);
    }
  }

  #forget(event: EventName): void {
    this.#seen.delete(eventKey(event));
    this.#deps.risk.onSettled(event);
  }
}
