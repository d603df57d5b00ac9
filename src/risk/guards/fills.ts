/** Guards that look at our fills. */
import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { type Fill, isUnintendedTake } from '../../domain/live-order.ts';
import { isSelectionOf } from '../../domain/selection.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { selectionScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';

interface TimedFill {
  readonly atMs: number;
  readonly fill: Fill;
}

/** The fills of each selection within a window of time. */
export class FillWindow {
  readonly #windowMs: number;
  readonly #fills = new Map<SelectionId, TimedFill[]>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds a fill and returns its selection's fills within the window. */
  add(fill: Fill, nowMs: number): readonly Fill[] {
    const earlier = this.#fills.get(fill.selectionId) ?? [];
    const recent = [...earlier.filter(({ atMs }) => nowMs - atMs < this.#windowMs), { atMs: nowMs, fill }];
    this.#fills.set(fill.selectionId, recent);
    return recent.map((timed) => timed.fill);
  }

  forget(event: EventName): void {
    for (const id of this.#fills.keys()) if (isSelectionOf(event, id)) this.#fills.delete(id);
  }
}

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
