/** Where the settled profit of fills comes from. */
import type { Micros } from '../../domain/money.ts';
import { MARK_HORIZONS_S, VERDICT_HORIZON_S } from '../../fair/marks.ts';
import type { EventOutcome, ResearchFill } from '../result.ts';
import type { ScenarioSummary } from '../summary.ts';

/** The move of fair until this mark is adverse selection, after it the price of holding. */
const ADVERSE_AT = MARK_HORIZONS_S.indexOf(VERDICT_HORIZON_S);

/**
 * Spread, adverse selection, inventory and settlement. Fills of events with a result count, or all if no event has one; then the
 * settlement is null. A fill without a fair value earned no spread: what its first mark shows is adverse selection.
 */
export function splitOf(
  fills: readonly ResearchFill[],
  events: readonly EventOutcome[],
): ScenarioSummary['split'] {
  const settled = new Set(
    events.filter(({ settledMicros }) => settledMicros !== null).map(({ event }) => nameOf(event)),
  );
  const hasResult = settled.size > 0;
  let [spreadMicros, adverseMicros, inventoryMicros, settlementMicros] = [0, 0, 0, 0];
  for (const fill of fills) {
    if (hasResult && !settled.has(nameOf(fill.event))) continue;
    const atOnce: Micros = fill.worthMicros ?? 0;
    const later = fill.markMicros[ADVERSE_AT] ?? atOnce;
    // A fill that was marked by its result was held no longer.
    const last = fill.markKinds[ADVERSE_AT] === 'result' ? later : (fill.lastMicros ?? later);
    spreadMicros += atOnce;
    adverseMicros += later - atOnce;
    inventoryMicros += last - later;
    settlementMicros += (fill.settledMicros ?? last) - last;
  }
  return {
    spreadMicros,
    adverseMicros,
    inventoryMicros,
    settlementMicros: hasResult ? settlementMicros : null,
  };
}

const nameOf = ({ sport, eventId }: ResearchFill['event']): string => `${sport}|${eventId}`;
