import { type Connection, entry } from './connection.ts';
import { liveStateEntries, offerEntries } from './event-entries.ts';
import type { EventRecord } from './model.ts';
import type { Outbox } from './outbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface BroadcastParts {
  readonly scheduler: Scheduler;
  readonly outbox: Outbox;
  readonly subscriptions: Subscriptions;
  readonly intervalMs: number;
}

/** Sends offers to who registered: a snapshot first, then the event's full set at its turns after changes. */
export class OfferBroadcasts {
  readonly #parts: BroadcastParts;

  constructor(parts: BroadcastParts) {
    this.#parts = parts;
  }

  /** Something of the event's offers changed: they go out at its next turn. */
  plan(event: EventRecord, broadcast: () => void): void {
    event.broadcast ??= this.#parts.scheduler.at(this.#nextTurnMs(event), broadcast);
  }

  cancel(event: EventRecord): void {
    event.broadcast?.cancel();
    event.broadcast = null;
  }

  /** The event's full offer set to everyone registered, and the removal of what is no longer on offer. */
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

  /** What a new registration is told at once: the offers, and the live state as far as it is known. */
  snapshot(connection: Connection, event: EventRecord): void {
    const { texts, betTypes } = offerEntries(event);
    for (const betType of betTypes) event.advertised.add(betType);
    for (const text of [...texts, ...liveStateEntries(event)]) this.#parts.outbox.tell(connection, text);
  }

  /** The event's next turn in the broadcast interval, after now. */
  #nextTurnMs(event: EventRecord): number {
    const { scheduler, intervalMs } = this.#parts;
    const offsetMs = Math.floor(event.slot * intervalMs);
    return Math.floor((scheduler.nowMs - offsetMs) / intervalMs) * intervalMs + offsetMs + intervalMs;
  }
}

function removal(event: EventRecord, betType: string): string {
  const { sport, eventId } = event.info;
  return entry('remove_offer', { sport, event_id: eventId, bet_type: betType });
}
