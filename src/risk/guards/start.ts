import type { EventId } from '../../domain/ids.ts';
import type { RiskLimits } from '../limits.ts';
import type { Alarm } from './alarm.ts';
import { pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/**
 * The start of an event, by the status or by the clock, whichever is first. Where in play is not allowed, quotes stay
 * away from as long before it on as orders do; where it is, they pause for the cool-down at the change itself.
 */
export function start(
  coolDownS: number,
  { allowed, stopBeforeStartS }: RiskLimits['inPlay'],
): { see(sighting: EventSighting, wallMs: number): Alarm | null; forget(eventId: EventId): void } {
  const earlyMs = allowed ? 0 : stopBeforeStartS * 1_000;
  const why = earlyMs > 0 ? 'it starts soon or has started' : 'it has started';
  const started = new Map<EventId, boolean>();
  return {
    see({ eventId, inRunning, startTimeMs }, wallMs) {
      const before = started.get(eventId);
      const now = inRunning || (startTimeMs !== null && wallMs >= startTimeMs - earlyMs);
      started.set(eventId, now);
      if (!now || (allowed && before !== false)) return null;
      return pull('start', { kind: 'event', eventId }, coolDownS, why);
    },
    forget: (eventId) => void started.delete(eventId),
  };
}
