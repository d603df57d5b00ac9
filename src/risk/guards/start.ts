import type { EventId } from '../../domain/ids.ts';
import type { Alarm } from './alarm.ts';
import { pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/**
 * The start of an event, by the status or by the clock, whichever is first. Where in play is not allowed, quotes stay
 * away from then on; where it is, they pause for the cool-down at the change itself.
 */
export function start(
  coolDownS: number,
  inPlayAllowed: boolean,
): { see(sighting: EventSighting, wallMs: number): Alarm | null; forget(eventId: EventId): void } {
  const started = new Map<EventId, boolean>();
  return {
    see({ eventId, inRunning, startTimeMs }, wallMs) {
      const before = started.get(eventId);
      const now = inRunning || (startTimeMs !== null && wallMs >= startTimeMs);
      started.set(eventId, now);
      if (!now || (inPlayAllowed && before !== false)) return null;
      return pull('start', { kind: 'event', eventId }, coolDownS, 'it has started');
    },
    forget: (eventId) => void started.delete(eventId),
  };
}
