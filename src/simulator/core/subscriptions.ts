import { DIRECTIONS } from '../../domain/selection.ts';
import { eventKey } from './catalogue.ts';
import type { Account, EventRecord, LiveState } from './model.ts';
import { type Connection, entry, type Outbox, rawEntry } from './outbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { ExchangeSettings } from './settings.ts';

const LIVE_STATES = [
  { part: 'time', tag: 'event_time', field: 'time' },
  { part: 'score', tag: 'event_score', field: 'score' },
  { part: 'redCards', tag: 'event_red_cards', field: 'score' },
] as const;

/** Every offer entry of the event for registered connections, and the bet types on offer. */
function offerEntries(event: EventRecord): { texts: string[]; betTypes: Set<string> } {
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
const liveStateEntries = (event: EventRecord): string[] =>
  LIVE_STATES.map(({ part }) => liveStateEntry(event, part)).filter((text) => text !== null);

/** The entry of one part of the live state, null while the exchange does not know it. */
export function liveStateEntry(event: EventRecord, part: LiveState): string | null {
  const state = LIVE_STATES.find((candidate) => candidate.part === part);
  if (state === undefined || event[part] === null) return null;
  const { sport, eventId } = event.info;
  return entry(state.tag, { sport, event_id: eventId, [state.field]: event[part] });
}

/** Whether an account's market data includes the event. */
export const sees = (account: Account, event: EventRecord): boolean =>
  account.knownToFeed && account.isEnabledFor(event.info.sport);

/**
 * Registrations of connections for events, and the offers that these get: first a snapshot, then the full set at the event's next
 * slot after a change. The events need not exist.
 */
export class Subscriptions {
  readonly #scheduler: Scheduler;
  readonly #outbox: Outbox;
  readonly #settings: Pick<ExchangeSettings, 'registeredEventCap' | 'broadcastIntervalMs'>;
  readonly #byEvent = new Map<string, Set<Connection>>();
  readonly #counts = new Map<Account, number>();

  constructor(
    scheduler: Scheduler,
    outbox: Outbox,
    settings: Pick<ExchangeSettings, 'registeredEventCap' | 'broadcastIntervalMs'>,
  ) {
    [this.#scheduler, this.#outbox, this.#settings] = [scheduler, outbox, settings];
  }

  /** Registers a connection and returns null, or returns the error code of a refusal. The cap counts all connections of an account. */
  add(connection: Connection, sport: string, eventId: string): string | null {
    const key = eventKey({ sport, eventId });
    if (connection.registrations.has(key)) return 'already_registered';
    if (this.#count(connection.account) >= this.#settings.registeredEventCap)
      return 'customer_event_limit_exceeded';
    connection.registrations.set(key, [sport, eventId]);
    this.#byEvent.set(key, (this.#byEvent.get(key) ?? new Set()).add(connection));
    this.#counts.set(connection.account, this.#count(connection.account) + 1);
    return null;
  }

  /** Ends a registration, if it exists. */
  remove(connection: Connection, key: string): void {
    if (!connection.registrations.delete(key)) return;
    this.#counts.set(connection.account, this.#count(connection.account) - 1);
    const others = this.#byEvent.get(key);
    others?.delete(connection);
    if (others?.size === 0) this.#byEvent.delete(key);
  }

  /** Ends all registrations of a connection that ended. */
  removeAll(connection: Connection): void {
    for (const key of Array.from(connection.registrations.keys())) this.remove(connection, key);
  }

  /** Ends all registrations of an event that is over. */
  endEvent(event: EventRecord): void {
    for (const connection of Array.from(this.#byEvent.get(event.key) ?? []))
      this.remove(connection, event.key);
  }

  /** The connections that registered for the event and may see it. */
  audience(event: EventRecord): Connection[] {
    return [...(this.#byEvent.get(event.key) ?? [])].filter(({ account }) => sees(account, event));
  }

  /** Plans a broadcast of the event's changed offers at its next slot. */
  planBroadcast(event: EventRecord, send: () => void): void {
    event.broadcast ??= this.#scheduler.at(this.#nextSlotMs(event), send);
  }

  cancelBroadcast(event: EventRecord): void {
    event.broadcast?.cancel();
    event.broadcast = null;
  }

  /** Sends the event's full offer set to every registered connection, and the removal of offers that are gone. */
  broadcast(event: EventRecord): void {
    const audience = this.audience(event);
    if (audience.length === 0) return event.advertised.clear();
    const { texts, betTypes } = offerEntries(event);
    const gone = [...event.advertised].filter((betType) => !betTypes.has(betType));
    event.advertised = betTypes;
    const entries = [...texts, ...gone.map((betType) => removal(event, betType))];
    if (entries.length > 0) this.#outbox.broadcast(audience, entries);
  }

  /** Sends a new registration the offers and the known live state. */
  snapshot(connection: Connection, event: EventRecord): void {
    const { texts, betTypes } = offerEntries(event);
    for (const betType of betTypes) event.advertised.add(betType);
    for (const text of [...texts, ...liveStateEntries(event)]) this.#outbox.add(connection, text);
  }

  #count(account: Account): number {
    return this.#counts.get(account) ?? 0;
  }

  /** The event's next slot in the broadcast intervals, after now. */
  #nextSlotMs(event: EventRecord): number {
    const { broadcastIntervalMs: intervalMs } = this.#settings;
    const offsetMs = Math.floor(event.slot * intervalMs);
    return Math.floor((this.#scheduler.nowMs - offsetMs) / intervalMs) * intervalMs + offsetMs + intervalMs;
  }
}

function removal(event: EventRecord, betType: string): string {
  const { sport, eventId } = event.info;
  return entry('remove_offer', { sport, event_id: eventId, bet_type: betType });
}
