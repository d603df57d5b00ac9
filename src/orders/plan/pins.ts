/** A market for which quotes are wanted. */
export interface WantedMarket {
  readonly key: string;
  /** Names the selection. Among markets of equal worth, both sides of a selection follow one another. */
  readonly selection: string;
  /** What quoting the market is worth to the strategy per second, in micros. */
  readonly value: number;
  /** Whether a betslip is open for it now. */
  readonly held: boolean;
}

/**
 * Factor on the value of a market with an open betslip. It keeps the plan from changing at every move of the
 * values.
 */
const INCUMBENT = 1.25;
/** Part of the open cap that stays free for rotating markets, which need a betslip only to place their next order. */
const PASSING_SHARE = 0.15;
const LEAST_PASSING = 2;

/** Number of places of the open cap that are kept for rotating markets. */
export const passingPlaces = (cap: number): number =>
  Math.min(cap, Math.max(LEAST_PASSING, Math.ceil(cap * PASSING_SHARE)));

/**
 * Chooses the pinned markets, which keep a betslip alive and are re-quoted freely. All are pinned if they fit under
 * the open cap. Otherwise the most valuable are, leaving `passing` places to the others. Those are rotating: they
 * get a betslip only to place a long-lived order. Pure.
 */
export function marketsToPin(
  wanted: readonly WantedMarket[],
  cap: number,
  passing: number,
): ReadonlySet<string> {
  if (wanted.length <= cap) return new Set(wanted.map(({ key }) => key));
  const worth = ({ value, held }: WantedMarket): number => (held ? value * INCUMBENT : value);
  const ranked = [...wanted].sort(
    (a, b) => worth(b) - worth(a) || Number(b.held) - Number(a.held) || bySelection(a, b),
  );
  return new Set(ranked.slice(0, Math.max(0, cap - passing)).map(({ key }) => key));
}

/** The order of markets of equal worth. */
export const bySelection = (
  a: Pick<WantedMarket, 'selection' | 'key'>,
  b: Pick<WantedMarket, 'selection' | 'key'>,
): number => compare(a.selection, b.selection) || compare(a.key, b.key);

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Which markets are pinned and which rotate. A market of neither has become wanted since the choice. */
export interface Pins {
  readonly pinned: ReadonlySet<string>;
  readonly rotating: ReadonlySet<string>;
  /** Monotonic instant of the next choice. */
  readonly nextMs: number;
}

export const NO_PINS: Pins = { pinned: new Set(), rotating: new Set(), nextMs: -Infinity };

/** Values move with every price. Choosing again at each move would make betslips come and go. */
const CHOOSE_EVERY_MS = 1_000;

/** Returns the pins in force: those before, or the next choice if it is due. Pure. */
export function pinsAt(
  before: Pins,
  markets: () => readonly WantedMarket[],
  cap: { readonly value: number; readonly isRising: boolean },
  nowMs: number,
): Pins {
  if (nowMs < before.nextMs) return before;
  const wanted = markets();
  // Whether one more betslip fits shows only when no place is free.
  const pinned = marketsToPin(wanted, cap.value, cap.isRising ? 0 : passingPlaces(cap.value));
  const rotating = new Set(wanted.map(({ key }) => key).filter((key) => !pinned.has(key)));
  return { pinned, rotating, nextMs: nowMs + CHOOSE_EVERY_MS };
}

/** A market that is not chosen yet keeps its betslip as if it was pinned. */
export const keepsBetslip = ({ rotating }: Pins, key: string): boolean => !rotating.has(key);

/**
 * Returns whether a market without a betslip is served as pinned. While any market is rotating, a market that is not
 * chosen yet may become rotating, too, and waits for its turn.
 */
export const opensPinned = ({ pinned, rotating }: Pins, key: string): boolean =>
  rotating.size === 0 || pinned.has(key);
