/** What is shown where nobody chose. Choices stay, so that a view does not jump between two events that are alike. */
import type { LiveEvent, LiveFill, LiveSelection } from './message.ts';

/** Another event must be so many times as active to be shown instead. */
const HYSTERESIS = 2;

/** The event with the most fills and open orders. The one before stays while it is half as active; null without any event. */
export function mostActive(
  events: readonly LiveEvent[],
  fills: readonly LiveFill[],
  before: string | null,
): string | null {
  const filled = Map.groupBy(fills, ({ eventKey }) => eventKey);
  const activity = ({ key, ordersOpen }: LiveEvent): number => ordersOpen + (filled.get(key)?.length ?? 0);
  const kept = events.find(({ key }) => key === before);
  const [best] = events.toSorted((a, b) => activity(b) - activity(a));
  if (best === undefined) return null;
  if (kept !== undefined && HYSTERESIS * activity(kept) >= activity(best)) return kept.key;
  return best.key;
}

/**
 * The selections whose ladders are shown if none is pinned: those that were shown and are still there, then the quoted ones, then others, until
 * there are enough.
 */
export function shownLadders(
  selections: readonly LiveSelection[],
  before: readonly string[],
  count: number,
): readonly string[] {
  const kept = before.filter((id) => selections.some((each) => each.id === id));
  const quoted = selections.filter(({ quotes }) => quotes.length > 0);
  const all = [...kept, ...quoted.map(({ id }) => id as string), ...selections.map(({ id }) => id as string)];
  return [...new Set(all)].slice(0, count);
}
