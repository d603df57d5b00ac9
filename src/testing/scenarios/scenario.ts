import type { Score } from '../../domain/events.ts';

/**
 * What a strategy is shown of the prices.
 *
 * @example
 * const shown: Shown = 'suspended';
 */
export type Shown =
  /** The prices of this second. */
  | 'live'
  /** The prices from before the freeze, ever older. */
  | 'frozen'
  /** Nothing rests: the market is suspended. */
  | 'suspended'
  /** The event is known, but no price is fresh. */
  | 'stale'
  /** There is no connection: no view at all, and fills are reported later. */
  | 'lost';

/**
 * The state of the match and of its market in one second.
 *
 * @example
 * const suspended: Partial<Conditions> = { shown: 'suspended', score: [1, 0] };
 */
export interface Conditions {
  /** Factors on the expected goals of the home and the away team. */
  readonly home: number;
  readonly away: number;
  readonly score: Score;
  readonly redCards: Score;
  readonly shown: Shown;
  /** Something has just happened. Takers know it; the other makers, and the shown prices, are still those of a second ago. */
  readonly isSurprise: boolean;
  /** Takers of home: their number as a multiple of the usual one, and the share of them that bet `for`. */
  readonly flow: { readonly rate: number; readonly forShare: number };
}

/**
 * A script of what happens to one match.
 *
 * @example
 * const early: Scenario = {
 *   name: 'early-goal',
 *   description: 'home scores after a minute',
 *   minutes: 5,
 *   playedMinutes: 0,
 *   changes: (second) => ({ score: second < 60 ? [0, 0] : [1, 0] }),
 * };
 */
export interface Scenario {
  readonly name: string;
  /** A line for people. */
  readonly description: string;
  readonly minutes: number;
  /** Minutes of play at the beginning; null for a match that starts in an hour. */
  readonly playedMinutes: number | null;
  /** What differs from a calm market in a second, counted from the beginning. */
  readonly changes: (second: number) => Partial<Conditions>;
}

const CALM: Conditions = {
  home: 1,
  away: 1,
  score: [0, 0],
  redCards: [0, 0],
  shown: 'live',
  isSurprise: false,
  flow: { rate: 1, forShare: 0.5 },
};

export const conditionsAt = (scenario: Scenario, second: number): Conditions => ({
  ...CALM,
  ...scenario.changes(second),
});

const MINUTE = 60;

/** 0 before `from`, 1 from `to` on, and a straight line between. */
const ramp = (second: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (second - from) / (to - from)));

/** The home team becomes stronger, and the away team weaker. */
const stronger = (share: number): Partial<Conditions> => ({
  home: Math.exp(0.35 * share),
  away: Math.exp(-0.35 * share),
});

/** What happens at a second: takers act at once, then the market is suspended, then it reopens. */
function incident(second: number, at: number, suspendedS: number): Partial<Conditions> {
  if (second === at) return { isSurprise: true };
  return second > at && second <= at + suspendedS ? { shown: 'suspended' } : {};
}

/**
 * The scenarios, in the order in which they are played.
 *
 * @example
 * SCENARIOS.map(({ name }) => name).slice(0, 3); // ['quiet', 'trend', 'goal']
 */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'quiet',
    description: 'prices hardly move, and takers come on both sides',
    minutes: 10,
    playedMinutes: null,
    changes: () => ({}),
  },
  {
    name: 'trend',
    description: 'home shortens for six minutes',
    minutes: 10,
    playedMinutes: null,
    changes: (second) => stronger(ramp(second, 2 * MINUTE, 8 * MINUTE)),
  },
  {
    name: 'goal',
    description: 'home scores in play; takers are a second faster, then the market is suspended for 40 s',
    minutes: 10,
    playedMinutes: 20,
    changes: (second) => ({
      ...(second >= 5 * MINUTE ? { score: [1, 0] as const } : {}),
      ...incident(second, 5 * MINUTE, 40),
    }),
  },
  {
    name: 'red-card',
    description: 'an away player is sent off in play; the market is suspended for 15 s',
    minutes: 10,
    playedMinutes: 20,
    changes: (second) => ({
      ...(second >= 5 * MINUTE ? { home: 1.25, away: 0.65, redCards: [0, 1] as const } : {}),
      ...incident(second, 5 * MINUTE, 15),
    }),
  },
  {
    name: 'frozen-quote',
    description: 'the shown prices stand still for three minutes while the market moves on',
    minutes: 10,
    playedMinutes: null,
    changes: (second) => ({
      ...stronger(ramp(second, 3 * MINUTE, 6 * MINUTE)),
      ...(second >= 3 * MINUTE && second < 6 * MINUTE ? { shown: 'frozen' as const } : {}),
    }),
  },
  {
    name: 'one-sided-flow',
    description: 'for five minutes many takers back home, none lays it, and its price falls later',
    minutes: 10,
    playedMinutes: null,
    changes: (second) => ({
      ...stronger(0.5 * ramp(second, 5 * MINUTE, 8 * MINUTE)),
      ...(second >= 2 * MINUTE && second < 7 * MINUTE ? { flow: { rate: 3, forShare: 1 } } : {}),
    }),
  },
  {
    name: 'lost-stream',
    description: 'no view for two minutes while the market moves; then views without prices for 5 s',
    minutes: 10,
    playedMinutes: null,
    changes: (second) => {
      const backAt = 6 * MINUTE;
      const shown = second < 4 * MINUTE ? 'live' : second < backAt ? 'lost' : 'stale';
      return { ...stronger(ramp(second, 4 * MINUTE, backAt)), ...(second < backAt + 5 ? { shown } : {}) };
    },
  },
];
