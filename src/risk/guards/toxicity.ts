import type { EventName } from '../../domain/events.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { selectionScope } from '../states/trading-states.ts';
import type { Alarm } from './alarm.ts';
import { FillWindow } from './fill-window.ts';

/** From this multiple of the limit on, quotes are pulled, not only widened. */
const PULL_FROM = 2;

/**
 * Fills in one direction alone: the takers may know more than we do. Quotes widen, and are pulled when the fills go on. A
 * single fill in the other direction within the window clears the suspicion.
 */
export function toxicity(settings: RiskLimits['guards']['toxicity']): {
  see(fill: Fill, nowMs: number): Alarm | null;
  forget(event: EventName): void;
} {
  const { fills: limit, windowS, widenLogOdds, coolDownS } = settings;
  const recent = new FillWindow(windowS * 1_000);
  return {
    see(fill, nowMs) {
      const fills = recent.add(fill, nowMs);
      const oneSided = fills.every(({ direction }) => direction === fill.direction);
      if (!oneSided || fills.length < limit) return null;
      const pulled = fills.length >= PULL_FROM * limit;
      return {
        guard: 'toxicity',
        scope: selectionScope(fill),
        effect: pulled ? 'pull' : 'widen',
        widenLogOdds: pulled ? 0 : widenLogOdds,
        holdMs: coolDownS * 1_000,
        why: `only orders ${fill.direction} are filled`,
        actual: fills.length,
        limit,
      };
    },
    forget: (event) => recent.forget(event),
  };
}
