import { selectionScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { AgeSighting } from './sightings.ts';

/** A selection that we quote has had no new price for too long. */
export function staleData(maxAgeS: number, coolDownS: number): (sighting: AgeSighting) => Alarm | null {
  return (sighting) => {
    const { ageMs } = sighting;
    if (ageMs !== null && ageMs <= maxAgeS * 1_000) return null;
    const actual = ageMs === null ? 'never' : ageMs / 1_000;
    return pull('stale_data', selectionScope(sighting), coolDownS, 'its prices are stale', {
      actual,
      limit: maxAgeS,
    });
  };
}
