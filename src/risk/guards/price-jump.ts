import type { EventId } from '../../domain/ids.ts';
import { DriftWatch } from '../drift.ts';
import type { Alarm } from './alarm.ts';
import { pull } from './alarm.ts';
import type { SelectionSighting } from './sightings.ts';

/** A consensus that moves far within a short time: news. Distances in log-odds. */
export function priceJump(
  maxLogOdds: number,
  windowS: number,
  coolDownS: number,
): { see(sighting: SelectionSighting, nowMs: number): Alarm | null; forget(eventId: EventId): void } {
  const watch = new DriftWatch(windowS * 1_000);
  return {
    see({ eventId, selectionId, fair }, nowMs) {
      const probability = fair ?? 0;
      if (!(probability > 0 && probability < 1)) return null;
      watch.observe(eventId, selectionId, Math.log(probability / (1 - probability)), nowMs);
      const jump = watch.driftOf(selectionId, nowMs);
      if (jump <= maxLogOdds) return null;
      const scope = { kind: 'selection', eventId, selectionId } as const;
      return pull('price_jump', scope, coolDownS, 'its price jumped', { actual: jump, limit: maxLogOdds });
    },
    forget: (eventId) => watch.forgetEvent(eventId),
  };
}
