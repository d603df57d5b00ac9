import type { EventName } from '../../domain/events.ts';
import { type Fill, isUnintendedTake } from '../../domain/live-order.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { selectionScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import { FillWindow } from './fill-window.ts';

/** Quotes meant to rest that take instead: we are behind the market (there is no post-only mode). */
export function unintendedTaking(settings: RiskLimits['guards']['unintendedTaking']): {
  see(fill: Fill, nowMs: number): Alarm | null;
  forget(event: EventName): void;
} {
  const { fills: limit, windowS, coolDownS } = settings;
  const recent = new FillWindow(windowS * 1_000);
  return {
    see(fill, nowMs) {
      if (!isUnintendedTake(fill)) return null;
      const actual = recent.add(fill, nowMs).length;
      if (actual < limit) return null;
      const scope = selectionScope(fill);
      return pull('unintended_taking', scope, coolDownS, 'quotes take instead of resting', { actual, limit });
    },
    forget: (event) => recent.forget(event),
  };
}
