import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { eventScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/**
 * The start of an event, by the status or by the clock, whichever is first. Where in play is not allowed, quotes stay
 * away from as long before it on as orders do; where it is, they pause for the cool-down at the change itself.
 */
export function start(
  coolDownS: number,
  { allowed, stopBeforeStartS }: RiskLimits['inPlay'],
): { see(sighting: EventSighting, wallMs: number): Alarm | null; forget(event: EventName): void } {
  const earlyMs = allowed ? 0 : stopBeforeStartS * 1_000;
  const why = earlyMs > 0 ? 'it starts soon or has started' : 'it has started';
  const started = new Map<EventKey, boolean>();
  return {
    see(sighting, wallMs) {
      const { inRunning, startTimeMs } = sighting;
      const key = eventKey(sighting);
      const before = started.get(key);
      const now = inRunning || (startTimeMs !== null && wallMs >= startTimeMs - earlyMs);
      started.set(key, now);
      if (!now || (allowed && before !== false)) return null;
      return pull('start', eventScope(sighting), coolDownS, why);
    },
    forget: (event) => void started.delete(eventKey(event)),
  };
}
