import { isFootball } from '../../domain/events.ts';
import { eventScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { ScoreSighting } from './sightings.ts';

/** Pulls while football is in play and its score is not known, or was not confirmed for too long: a goal may have been missed. */
export function scoreAge(maxAgeS: number, coolDownS: number): (sighting: ScoreSighting) => Alarm | null {
  return (sighting) => {
    const { inRunning, scoreAgeMs } = sighting;
    if (!inRunning || !isFootball(sighting.sport)) return null;
    if (scoreAgeMs !== null && scoreAgeMs <= maxAgeS * 1_000) return null;
    const actual = scoreAgeMs === null ? 'unknown' : scoreAgeMs / 1_000;
    return pull('score_age', eventScope(sighting), coolDownS, 'its score was not confirmed lately', {
      actual,
      limit: maxAgeS,
    });
  };
}
