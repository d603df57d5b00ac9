import { eventKey } from './catalogue.ts';
import type { Account, EventRecord } from './model.ts';
import type { Connection } from './outbox.ts';

/** Whether an account's market data includes the event. */
export const sees = (account: Account, event: EventRecord): boolean =>
  account.knownToFeed && account.isEnabledFor(event.info.sport);

/** Registrations of connections for events. The events need not exist. */
export class Subscriptions {
  readonly #cap: number;
  readonly #byEvent = new Map<string, Set<Connection>>();
  readonly #counts = new Map<Account, number>();

  /** `cap` limits an account's registrations over all its connections. */
  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Registers a connection and returns null, or returns the error code of a refusal. */
  add(connection: Connection, sport: string, eventId: string): string | null {
    const key = eventKey({ sport, eventId });
    if (connection.registrations.has(key)) return 'already_registered';
    if (this.#count(connection.account) >= this.#cap) return 'customer_event_limit_exceeded';
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
    for (const key of [...connection.registrations.keys()]) this.remove(connection, key);
  }

  /** Ends all registrations of an event that is over. */
  endEvent(event: EventRecord): void {
    for (const connection of [...(this.#byEvent.get(event.key) ?? [])]) this.remove(connection, event.key);
  }

  /** The connections that registered for the event and may see it. */
  audience(event: EventRecord): Connection[] {
    return [...(this.#byEvent.get(event.key) ?? [])].filter(({ account }) => sees(account, event));
  }

  #count(account: Account): number {
    return this.#counts.get(account) ?? 0;
  }
}
