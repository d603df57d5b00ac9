import { eventKey, type EventName, type Score } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { GuardName } from '../limits/guard-settings.ts';
import { eventScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/** Before the start nothing has been counted, whether or not that is told. */
const NONE: Score = [0, 0];

/**
 * Pulls an event when a pair of counts changes. The first sighting sets the mark, and a count that is not known (the feed
 * may lose it for a while) leaves it where it is; but what is told of only once it changes changes from nothing.
 */
export function changedGuard(
  guard: GuardName,
  coolDownS: number,
  read: (sighting: EventSighting) => Score | null,
): { see(sighting: EventSighting, wallMs: number): Alarm | null; forget(event: EventName): void } {
  const marks = new Map<EventKey, Score>();
  return {
    see(sighting, wallMs) {
      const { inRunning, startTimeMs } = sighting;
      const key = eventKey(sighting);
      const before = marks.get(key);
      // The status can lag the start, and what is met in play may have counts that are told only now.
      const isBefore = !inRunning && startTimeMs !== null && wallMs < startTimeMs;
      const now = read(sighting) ?? before ?? (isBefore ? NONE : null);
      if (now === null) return null;
      marks.set(key, now);
      if (before === undefined || isSame(before, now)) return null;
      const [actual, limit] = [now.join('-'), before.join('-')];
      return pull(guard, eventScope(sighting), coolDownS, 'it changed', { actual, limit });
    },
    forget: (event) => void marks.delete(eventKey(event)),
  };
}

const isSame = (a: Score, b: Score): boolean => a[0] === b[0] && a[1] === b[1];
