import { DIRECTIONS } from '../../domain/selection.ts';
import type { EventRecord, LiveState } from './model.ts';
import { type Connection, entry, type Outbox, rawEntry } from './outbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { Subscriptions } from './subscriptions.ts';

const LIVE_STATES = [
  { part: 'time', tag: 'event_time', field: 'time' },
  { part: 'score', tag: 'event_score', field: 'score' },
  { part: 'redCards', tag: 'event_red_cards', field: 'score' },
] as const;

/** Every offer entry of the event for registered connections, and the bet types on offer. */
export function offerEntries(event: EventRecord): { texts: string[]; betTypes: Set<string> } {
  const texts: string[] = [];
  const betTypes = new Set<string>();
  for (const market of event.books.values()) {
    for (const direction of DIRECTIONS) {
      const offer = market.offer(direction);
      if (offer === null) continue;
      texts.push(rawEntry('offer', offer.text));
      betTypes.add(market.betType(direction));
    }
  }
  return { texts, betTypes };
}

/** An entry for each known part of the live state. */
export const liveStateEntries = (event: EventRecord): string[] =>
  LIVE_STATES.map(({ part }) => liveStateEntry(event, part)).filter((text) => text !== null);

/** The entry of one part of the live state, null while the exchange does not know it. */
export function liveStateEntry(event: EventRecord, part: LiveState): string | null {
  const state = LIVE_STATES.find((candidate) => candidate.part === part);
  if (state === undefined || event[part] === null) return null;
  const { sport, eventId } = event.info;
  return entry(state.tag, { sport, event_id: eventId, [state.field]: event[part] });
}

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
