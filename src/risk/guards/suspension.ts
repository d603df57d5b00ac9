import { eventScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/** Pulls while every market of an event is gone, and for the cool-down after their return: others may know more than we do. */
export function suspension(coolDownS: number): (sighting: EventSighting) => Alarm | null {
  return (sighting) =>
    sighting.suspended === true
      ? pull('suspension', eventScope(sighting), coolDownS, 'none of its markets has offers')
      : null;
}
