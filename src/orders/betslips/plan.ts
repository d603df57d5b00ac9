/** A market for which quotes are wanted. */
export interface WantedMarket {
  readonly key: string;
  /** What quoting it is worth to the strategy per second, in micros. */
  readonly value: number;
  /** Whether a betslip is open for it now. */
  readonly held: boolean;
}

/** A betslip that is open counts for this much more, so that the plan does not change at every tick of the values. */
const INCUMBENT = 1.25;
/** Part of the open cap that stays free for markets which only need a betslip to place their next order. */
const PASSING_SHARE = 0.15;
const LEAST_PASSING = 2;

/** Places of the open cap for betslips that come and go. */
export const passingPlaces = (cap: number): number =>
  Math.min(cap, Math.max(LEAST_PASSING, Math.ceil(cap * PASSING_SHARE)));

/**
 * The markets that keep a betslip alive: *hot*, re-quoted freely. All of them when they fit under the open cap; else the
 * most valuable, beside `passing` places for the others. Those are *cold*: they get a betslip only to place a long-lived
 * order. Pure.
 */
export function marketsToPin(
  wanted: readonly WantedMarket[],
  cap: number,
  passing: number,
): ReadonlySet<string> {
  if (wanted.length <= cap) return new Set(wanted.map(({ key }) => key));
  const worth = ({ value, held }: WantedMarket): number => (held ? value * INCUMBENT : value);
  const ranked = [...wanted].sort(
    (a, b) => worth(b) - worth(a) || Number(b.held) - Number(a.held) || (a.key < b.key ? -1 : 1),
  );
  return new Set(ranked.slice(0, Math.max(0, cap - passing)).map(({ key }) => key));
}

/**
 * Seconds that a cold market's order must live, so that renewing all cold markets one after the other uses no more than
 * `perDay` betslips in a day. Pure.
 */
export function rotatingDurationS(rotatingMarkets: number, perDay: number, leastS: number, mostS: number): number {
  const needed = perDay <= 0 ? mostS : Math.ceil((rotatingMarkets * 86_400) / perDay);
  return Math.min(mostS, Math.max(leastS, needed));
}
