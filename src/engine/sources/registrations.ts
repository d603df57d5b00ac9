import { filter, ignoreElements, type Observable, tap } from 'rxjs';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Market } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import { isOffered } from '../quoted-events.ts';
import type { Look } from '../turn.ts';

/** The exchange answers a registration with the event's offers at once; an event without offers gets no answer. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [30_000, 600_000] as const;

interface Wait {
  /** Monotonic. */
  readonly untilMs: number;
  readonly waitMs: number;
}

/**
 * Registers an event again if its offers did not arrive. The exchange sends offers at registration and when they change. A lost
 * first message would therefore hide an event for as long as its prices do not move.
 */
export class UnreportedEvents {
  readonly #venue: Pick<Venue, 'registerEvent' | 'unregisterEvent'>;
  readonly #market: Pick<Market, 'candidates' | 'selection'>;
  readonly #clock: Clock;
  readonly #waits = new Map<EventKey, Wait>();

  constructor(
    venue: Pick<Venue, 'registerEvent' | 'unregisterEvent'>,
    market: Pick<Market, 'candidates' | 'selection'>,
    clock: Clock,
  ) {
    [this.#venue, this.#market, this.#clock] = [venue, market, clock];
  }

  /** Looks while the stream is synced. Emits nothing. */
  follow(look$: Observable<Look>): Observable<never> {
    return look$.pipe(
      filter(({ isSynced }) => isSynced),
      tap(({ events }) => this.look(events)),
      ignoreElements(),
    );
  }

  /** Call it about once a second while the stream is synced, with the registered events, the most valuable first. */
  look(events: readonly EventName[]): void {
    const unreported = new Map(
      events.flatMap((name, rank) => (isOffered(this.#market, name) ? [] : [[eventKey(name), rank]])),
    );
    for (const key of this.#waits.keys()) if (!unreported.has(key)) this.#waits.delete(key);
    for (const [key, rank] of unreported) this.#wait(key, events[rank] as EventName, rank);
  }

  #wait(key: EventKey, { sport, eventId }: EventName, rank: number): void {
    const nowMs = this.#clock.monotonicMs();
    const wait = this.#waits.get(key);
    if (wait !== undefined && nowMs < wait.untilMs) return;
    const waitMs = Math.min(LONGEST_WAIT_MS, 2 * (wait?.waitMs ?? FIRST_WAIT_MS / 2));
    this.#waits.set(key, { untilMs: nowMs + waitMs, waitMs });
    if (wait === undefined) return;
    this.#venue.unregisterEvent(sport, eventId);
    this.#venue.registerEvent(sport, eventId, -rank);
  }
}
