import type { EventName } from '../../domain/events.ts';
import { selectionScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import { DriftWatch } from './drift-watch.ts';
import type { SelectionSighting } from './sightings.ts';

/** A consensus that moves far within a short time: news. Distances in log-odds. */
export function priceJump(
  maxLogOdds: number,
  windowS: number,
  coolDownS: number,
): { see(sighting: SelectionSighting, nowMs: number): Alarm | null; forget(event: EventName): void } {
  const watch = new DriftWatch(windowS * 1_000);
  return {
    see(sighting, nowMs) {
      const { selectionId, fair } = sighting;
      const probability = fair ?? 0;
      if (!(probability > 0 && probability < 1)) return null;
      watch.observe(selectionId, Math.log(probability / (1 - probability)), nowMs);
      const jump = watch.driftOf(selectionId, nowMs);
      if (jump <= maxLogOdds) return null;
      const scope = selectionScope(sighting);
      return pull('price_jump', scope, coolDownS, 'its price jumped', { actual: jump, limit: maxLogOdds });
    },
    forget: (event) => watch.forgetEvent(event),
  };
}
