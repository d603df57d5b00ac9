/** The stream entries of an event for registered connections. */
import { DIRECTIONS } from '../../domain/selection.ts';
import type { EventRecord } from './model.ts';
import { entry, rawEntry } from './outbox.ts';

/** A part of an event's live state. */
export type LiveState = 'time' | 'score' | 'redCards';

const LIVE_STATES = [
  { part: 'time', tag: 'event_time', field: 'time' },
  { part: 'score', tag: 'event_score', field: 'score' },
  { part: 'redCards', tag: 'event_red_cards', field: 'score' },
] as const;

/** Every offer entry of the event, and the bet types on offer. */
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
