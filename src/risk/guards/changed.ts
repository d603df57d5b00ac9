import { eventKey, type EventName, type Score } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { GuardName } from '../limits/guard-settings.ts';
import { eventScope } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { EventSighting } from './sightings.ts';

/** Counts before the start, even if the feed reports none. */
const NONE: Score = [0, 0];

/**
 * Pulls an event when a pair of counts changes. The first sighting sets the mark. A missing count leaves the mark, since the
 * feed may lose counts for a while. Before the start, a missing count is 0-0, so a first count later is a change.
 */
export function changedGuard(
  guard: GuardName,
  coolDownS: number,
  why: string,
  read: (sighting: EventSighting) => Score | null,
): { see(sighting: EventSighting, wallMs: number): Alarm | null; forget(event: EventName): void } {
  const marks = new Map<EventKey, Score>();
  return {
    see(sighting, wallMs) {
      const { inRunning, startTimeMs } = sighting;
      const key = eventKey(sighting);
      const before = marks.get(key);
      // The status can lag the start, and counts of an event first seen in play may arrive late: neither is a change from 0-0.
      const isBefore = !inRunning && startTimeMs !== null && wallMs < startTimeMs;
      const now = read(sighting) ?? before ?? (isBefore ? NONE : null);
      if (now === null) return null;
      marks.set(key, now);
      if (before === undefined || isSame(before, now)) return null;
      const numbers = { actual: now.join('-'), limit: before.join('-') };
      return pull(guard, eventScope(sighting), coolDownS, why, numbers);
    },
    forget: (event) => void marks.delete(eventKey(event)),
  };
}

const isSame = (a: Score, b: Score): boolean => a[0] === b[0] && a[1] === b[1];

/** A goal: every price of the event is stale at once. */
export const scoreChange = (coolDownS: number): ReturnType<typeof changedGuard> =>
  changedGuard('score_change', coolDownS, 'its score changed', ({ score }) => score);

/** A red card moves every price of the event. */
export const redCard = (coolDownS: number): ReturnType<typeof changedGuard> =>
  changedGuard('red_card', coolDownS, 'its red cards changed', ({ redCards }) => redCards);
