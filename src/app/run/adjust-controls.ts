import { eventNameOf } from '../../domain/events.ts';
import type { Adjustment, AdjustmentRecord } from '../../engine/by-hand/adjustments.ts';
import type { AdjustControls, AdjustWish } from '../../ops/commands/controls.ts';
import { shownAdjustment } from '../../read-model/live/shown-by-hand.ts';
import type { Composed } from '../compose.ts';
import { eventsNamed } from './meaning.ts';
import { endsBefore, untilMsOf } from './endings.ts';

/** The daemon's answers about adjustments of events. */
export function adjustControlsOf(composed: Composed): AdjustControls {
  const { core, names } = composed;
  return {
    adjust(wish, by) {
      const events = eventsNamed(composed, wish.event);
      const [first] = events;
      if (first === undefined) return null;
      const adjustment = adjustmentOf(wish);
      const ends = events.map((event) => untilMsOf(composed, wish, event));
      events.forEach((event, at) =>
        core.apply({
          kind: 'adjust',
          event: eventNameOf(event),
          adjustment,
          untilMs: ends[at] ?? null,
          by,
          why: wish.reason,
        }),
      );
      return { of: names.event(first), adjustments: core.adjustments.of(first).map(shownAdjustment) };
    },
    loosens: (wish) =>
      eventsNamed(composed, wish.event).some((event) =>
        isLooser(adjustmentOf(wish), untilMsOf(composed, wish, event), core.adjustments.of(event)),
      ),
  };
}

function adjustmentOf({ leave, stakeFactor, widenTicks }: AdjustWish): Adjustment {
  if (leave !== undefined) return { what: 'leave', isLeft: leave };
  if (stakeFactor !== undefined) return { what: 'stake', factor: stakeFactor };
  return { what: 'widen', ticks: widenTicks ?? 0 };
}

/** Whether a wish lets more be traded, or less be closed, than the one in force: also by ending before it. */
function isLooser(wish: Adjustment, untilMs: number | null, inForce: readonly AdjustmentRecord[]): boolean {
  // Left alone, quotes are not pulled by guards; left no more, they are placed again.
  if (wish.what === 'leave') return true;
  const record = inForce.find(({ what }) => what === wish.what);
  const [now, next] = [cautionOf(record), cautionOf(wish)];
  return next < now || (now > 0 && endsBefore(untilMs, record?.untilMs ?? null));
}

/** How much less is traded with an adjustment: more of it is stricter, and 0 is as the strategy wants. */
function cautionOf(adjustment: Adjustment | undefined): number {
  if (adjustment?.what === 'stake') return 1 - adjustment.factor;
  return adjustment?.what === 'widen' ? adjustment.ticks : 0;
}
