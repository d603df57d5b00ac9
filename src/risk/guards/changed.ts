import type { Score } from '../../domain/events.ts';
import type { EventId } from '../../domain/ids.ts';
import type { Alarm, GuardName } from './alarm.ts';
import { pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/**
 * Pulls an event when a pair of counts changes. The first sighting sets the mark; a count that is not known (the feed
 * may lose it for a while) leaves the mark where it is.
 */
export function changedGuard(
  guard: GuardName,
  coolDownS: number,
  read: (sighting: EventSighting) => Score | null,
): { see(sighting: EventSighting): Alarm | null; forget(eventId: EventId): void } {
  const marks = new Map<EventId, Score>();
  return {
    see(sighting) {
      const { eventId } = sighting;
      const now = read(sighting);
      const before = marks.get(eventId);
      if (now === null) return null;
      marks.set(eventId, now);
      if (before === undefined || isSame(before, now)) return null;
      const [actual, limit] = [now.join('-'), before.join('-')];
      return pull(guard, { kind: 'event', eventId }, coolDownS, 'it changed', { actual, limit });
    },
    forget: (eventId) => void marks.delete(eventId),
  };
}

const isSame = (a: Score, b: Score): boolean => a[0] === b[0] && a[1] === b[1];
