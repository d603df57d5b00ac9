import { liveStateEntries, offerEntries } from './event-entries.ts';
import type { EventRecord } from './model.ts';
import { type Connection, entry, type Outbox } from './outbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface BroadcastParts {
  readonly scheduler: Scheduler;
  readonly outbox: Outbox;
  readonly subscriptions: Subscriptions;
  readonly intervalMs: number;
}

/** Sends offers to registered connections: first a snapshot, then the full set at the event's next slot after a change. */
export class OfferBroadcasts {
  readonly #parts: BroadcastParts;

  constructor(parts: BroadcastParts) {
    this.#parts = parts;
  }

  /** Plans a broadcast of the event's changed offers at its next slot. */
  plan(event: EventRecord, broadcast: () => void): void {
    event.broadcast ??= this.#parts.scheduler.at(this.#nextSlotMs(event), broadcast);
  }

  cancel(event: EventRecord): void {
    event.broadcast?.cancel();
    event.broadcast = null;
  }

  /** Sends the event's full offer set to every registered connection, and the removal of offers that are gone. */
  send(event: EventRecord): void {
    const { outbox, subscriptions } = this.#parts;
    const audience = subscriptions.audience(event);
    if (audience.length === 0) return event.advertised.clear();
    const { texts, betTypes } = offerEntries(event);
    const gone = [...event.advertised].filter((betType) => !betTypes.has(betType));
    event.advertised = betTypes;
    const entries = [...texts, ...gone.map((betType) => removal(event, betType))];
    if (entries.length > 0) outbox.broadcast(audience, entries);
  }

  /** Sends a new registration the offers and the known live state. */
  snapshot(connection: Connection, event: EventRecord): void {
    const { texts, betTypes } = offerEntries(event);
    for (const betType of betTypes) event.advertised.add(betType);
    for (const text of [...texts, ...liveStateEntries(event)]) this.#parts.outbox.add(connection, text);
  }

  /** The event's next slot in the broadcast intervals, after now. */
  #nextSlotMs(event: EventRecord): number {
    const { scheduler, intervalMs } = this.#parts;
    const offsetMs = Math.floor(event.slot * intervalMs);
    return Math.floor((scheduler.nowMs - offsetMs) / intervalMs) * intervalMs + offsetMs + intervalMs;
  }
}

function removal(event: EventRecord, betType: string): string {
  const { sport, eventId } = event.info;
  return entry('remove_offer', { sport, event_id: eventId, bet_type: betType });
}
