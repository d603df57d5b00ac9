import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import { invariant } from '../../lib/assert.ts';
import type { OwnedEvent } from '../journal/fold.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';

/** Records which strategy owns each event. Other parts decide the owner. */
export class Owners {
  readonly #journalWriter: Pick<JournalWriter, 'note'>;
  readonly #owners = new Map<EventKey, string>();

  constructor(journalWriter: Pick<JournalWriter, 'note'>) {
    this.#journalWriter = journalWriter;
  }

  /** Takes over the owners that earlier runs recorded. */
  restore(owned: Iterable<OwnedEvent>): void {
    for (const { event, owner } of owned) this.#owners.set(eventKey(event), owner);
  }

  /** Returns the owner of an event. Throws InvariantError for an event without one. */
  of(event: EventName): string {
    const owner = this.#owners.get(eventKey(event));
    invariant(owner !== undefined, 'an event has orders and no owner', { event: eventKey(event) });
    return owner;
  }

  /**
   * Records the owner. The record is durable before the event's first order is sent, because that commits every
   * earlier note.
   */
  own({ sport, eventId }: EventName, owner: string): void {
    const key = eventKey({ sport, eventId });
    if (this.#owners.get(key) === owner) return;
    this.#owners.set(key, owner);
    this.#journalWriter.note({ kind: 'event_owned', event: { sport, eventId }, owner });
  }
}
