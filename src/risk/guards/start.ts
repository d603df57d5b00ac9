import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { eventScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/**
 * The start of an event, by the status or by the clock, whichever is first. If in play is not allowed, quotes are pulled
 * from `stopBeforeStartS` before the start on, as orders are refused. If it is allowed, quotes pause at the start for the
 * cool-down.
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
