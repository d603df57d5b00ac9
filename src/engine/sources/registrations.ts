import { filter, ignoreElements, type Observable, tap } from 'rxjs';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Market } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import { isOffered } from '../quoted-events.ts';
import type { Look } from '../turn.ts';

export interface UnreportedEventsDeps {
  readonly venue: Pick<Venue, 'registerEvent' | 'unregisterEvent'>;
  readonly market: Pick<Market, 'candidates' | 'selection'>;
  readonly clock: Clock;
}

/** A registration is answered with the event's offers at once; of an event without any nothing can be told. */
const [FIRST_PATIENCE_MS, LONGEST_PATIENCE_MS] = [30_000, 600_000] as const;

interface Wait {
  /** Monotonic. */
  readonly untilMs: number;
  readonly patienceMs: number;
}

/**
 * The offers of an event are told when it is registered, and again when they change. Where they did not arrive, an event
 * whose prices stand still would not be known for as long as they do: so it is registered anew.
 */
export class UnreportedEvents {
  readonly #deps: UnreportedEventsDeps;
  readonly #waits = new Map<EventKey, Wait>();

  constructor(deps: UnreportedEventsDeps) {
    this.#deps = deps;
  }

  /** Call it about once a second while the stream is synced, with the registered events, the most valuable first. */
  look(events: readonly EventName[]): void {
    const untold = new Map(
      events.flatMap((name, rank) => (isOffered(this.#deps.market, name) ? [] : [[eventKey(name), rank]])),
    );
    for (const key of this.#waits.keys()) if (!untold.has(key)) this.#waits.delete(key);
    for (const [key, rank] of untold) this.#wait(key, events[rank] as EventName, rank);
  }

  #wait(key: EventKey, { sport, eventId }: EventName, rank: number): void {
    const { venue, clock } = this.#deps;
    const nowMs = clock.monotonicMs();
    const wait = this.#waits.get(key);
    if (wait !== undefined && nowMs < wait.untilMs) return;
    const patienceMs = Math.min(LONGEST_PATIENCE_MS, 2 * (wait?.patienceMs ?? FIRST_PATIENCE_MS / 2));
    this.#waits.set(key, { untilMs: nowMs + patienceMs, patienceMs });
    if (wait === undefined) return;
    venue.unregisterEvent(sport, eventId);
    venue.registerEvent(sport, eventId, -rank);
  }
}

/** Registers events anew whose offers did not arrive, at looks while the stream is synced. Emits nothing. */
export function registrations(deps: UnreportedEventsDeps, look$: Observable<Look>): Observable<never> {
  const untold = new UnreportedEvents(deps);
  return look$.pipe(
    filter(({ isSynced }) => isSynced),
    tap(({ events }) => untold.look(events)),
    ignoreElements(),
  );
}
