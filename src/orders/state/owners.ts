import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import { invariant } from '../../lib/assert.ts';
import type { OwnedEvent } from '../journal/fold.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';

/** Writes down which strategy owns each event. Whose an event is, others decide. */
export class Owners {
  readonly #journalWriter: Pick<JournalWriter, 'note'>;
  readonly #owners = new Map<EventKey, string>();

  constructor(journalWriter: Pick<JournalWriter, 'note'>) {
    this.#journalWriter = journalWriter;
  }

  /** Takes over what earlier runs wrote down. */
  restore(owned: Iterable<OwnedEvent>): void {
    for (const { event, owner } of owned) this.#owners.set(eventKey(event), owner);
  }

  /** Throws InvariantError for an event of which no quote was wanted. */
  of(event: EventName): string {
    const owner = this.#owners.get(eventKey(event));
    invariant(owner !== undefined, 'an event has orders and no owner', { event: eventKey(event) });
    return owner;
  }

  /** Durable before the first order of the event is sent, since that commits everything noted before it. */
  own({ sport, eventId }: EventName, owner: string): void {
    const key = eventKey({ sport, eventId });
    if (this.#owners.get(key) === owner) return;
    this.#owners.set(key, owner);
    this.#journalWriter.note({ kind: 'event_owned', event: { sport, eventId }, owner });
  }
}
