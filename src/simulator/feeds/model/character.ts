import type { Tempo } from './activity.ts';
import type { StakeOptions } from './taker.ts';

export type Phase = 'before play' | 'in play';

/**
 * How a sport trades in a phase. Figures without another word are those of the most popular selection at activity 1; exponents say
 * how they change with activity and popularity.
 */
export interface Character {
  /** Activity by minutes until the start, or since. */
  readonly tempo: Tempo;
  /** Deviation of the logarithm of activity, between events and within one. */
  readonly differs: number;
  readonly mood: number;
  /** Distance of the best makers from fair, in log-odds. */
  readonly halfSpread: number;
  readonly spreadOfActivity: number;
  readonly spreadOfPopularity: number;
  /** The distance on an Asian line, as a multiple of that on other selections. */
  readonly spreadOfLines: number;
  /** Deviation of the logarithm of the distance, between selections and in time. */
  readonly uneven: number;
  /** Chance that a maker changes its mind at a requote: its error, and how far its levels are apart. */
  readonly restless: number;
  /** How far makers move when takers took more than a level, as a share of their distance, and how long that lasts. */
  readonly lean: number;
  readonly leanS: number;
  /** How the share of makers that quote a side changes with activity. */
  readonly presenceOfActivity: number;
  /** Levels of a maker, a side. */
  readonly levels: number;
  /** By how much each level further out is larger, as a share of the best. */
  readonly deeper: number;
  /** Risk of a maker's best level, USDT. */
  readonly risk: number;
  readonly riskOfActivity: number;
  readonly riskOfPopularity: number;
  /** Time between two requotes of a maker. */
  readonly requoteS: number;
  readonly requotesOfActivity: number;
  readonly requotesOfPopularity: number;
  /** Those who rest an order of their own for a while: how many begin, with what risk, USDT, and for how long, about. */
  readonly crowdPerMinute: number;
  readonly crowdRisk: number;
  readonly crowdS: number;
  /** Least and largest distance of these orders from fair, as multiples of that of the best makers. */
  readonly crowdReach: readonly [least: number, largest: number];
  /** How their risk grows with that distance, beyond three times that of the best makers. */
  readonly crowdDeeper: number;
  /** Makers requote at once when a fair price has moved by this share of their distance from it. */
  readonly alarm: number;
  /** Takers who know no more than the public: how many begin, and how many orders follow at about which interval. */
  readonly arrivalsPerMinute: number;
  readonly arrivalsOfPopularity: number;
  readonly followers: number;
  readonly followS: number;
  /** The distance from fair that takers accept: mean, as a share of that of the best makers. */
  readonly accepts: number;
  readonly stake: StakeOptions;
  readonly stakeOfPopularity: number;
  /** Share of trades whose level is offered again at once. */
  readonly refill: number;
  /** Takers who know the truth: how often per second one looks, at how many selections, and what error it takes. */
  readonly informedRate: number;
  readonly informedOfActivity: number;
  readonly informedLooks: number;
  readonly informedEdge: number;
  readonly informedStake: StakeOptions;
  /** Time in which the public learns most of what it does not know, and what share it learns from a trade of those who do. */
  readonly learnS: number;
  readonly learnFromTrade: number;
  /** How fast opinion drifts, as a multiple of the sport's own, and how that changes with activity. */
  readonly drift: number;
  readonly driftOfActivity: number;
  /** The share of steps in which opinion moves: all of the drift comes in these. */
  readonly news: number;
  /** How long the market is suspended before the start. */
  readonly startSuspensionS: number;
}

const CENTS = 2;

/**
 * After the recorded cricket match before play. Each group names the recorded figures that it was fitted to, in evenings of as long a
 * window; `docs/market-facts.md` has both.
 */
const CRICKET_BEFORE: Character = {
  // Trades a minute in half a day, an hour, half an hour, ten minutes and one before the start; volume in the last 5 min and minute.
  tempo: [
    [0, 0.08],
    [5, 0.12],
    [20, 0.06],
    [30, 0.02],
    [60, 0.012],
    [120, 0.005],
    [720, 0.001],
    [1440, 0.0001],
    [10_000, 0.00004],
  ],
  // One match cannot show how much matches differ: these two are chosen.
  differs: 0.3,
  mood: 0.5,
  // Half-spread days before the start and minutes before it, time with a fair value, overround, move over a suspension.
  halfSpread: 0.02,
  spreadOfActivity: 0.38,
  spreadOfPopularity: 0.85,
  uneven: 0.6,
  spreadOfLines: 1,
  // Life of a level.
  crowdPerMinute: 20,
  crowdRisk: 10,
  crowdS: 8,
  crowdReach: [0.7, 3],
  crowdDeeper: 0,
  // Depth at the best price, of the favourite and of the other side.
  levels: 2,
  risk: 45,
  riskOfActivity: 0,
  riskOfPopularity: 0.9,
  // Realised half after 10, 60 and 300 s: it falls at once, and by the risk of the trade.
  restless: 0.25,
  lean: 2,
  leanS: 900,
  presenceOfActivity: 0,
  deeper: 0,
  // Cancels, life of a level.
  requoteS: 25,
  requotesOfActivity: 0.85,
  requotesOfPopularity: 0.75,
  alarm: 2,
  // Trades a minute and gaps of trades of both sides, size of a trade, trades without a fall.
  arrivalsPerMinute: 30,
  arrivalsOfPopularity: 0.35,
  followers: 1.5,
  followS: 3,
  accepts: 1.2,
  stake: { median: 1, spread: 2.5, decimals: CENTS },
  stakeOfPopularity: 1,
  refill: 0.2,
  // Effective and realised half, by risk; volatility, jumps.
  informedRate: 1,
  informedOfActivity: 0.5,
  informedLooks: 3,
  informedEdge: 0.01,
  informedStake: { median: 60, spread: 1.3, decimals: CENTS },
  // Realised half after 10 to 300 s, volatility and jumps, length of a suspension.
  learnS: 15,
  learnFromTrade: 0.8,
  drift: 1,
  driftOfActivity: 0.5,
  news: 0.1,
  startSuspensionS: 19,
};

/** After the same match in play: the same figures. */
const CRICKET: Character = {
  ...CRICKET_BEFORE,
  tempo: [
    [0, 0.3],
    [20, 0.6],
    [40, 1],
  ],
  stake: { median: 1.3, spread: 2.7, decimals: CENTS },
  refill: 0.22,
  halfSpread: 0.04,
  spreadOfPopularity: 1.35,
  spreadOfActivity: 0.28,
  lean: 1,
  leanS: 120,
  informedRate: 0.35,
  risk: 45,
  requoteS: 240,
  alarm: 1.9,
};

/** After the recorded race in its last half-hour: the same figures. */
const RACE_BEFORE: Character = {
  ...CRICKET_BEFORE,
  // Trades of each minute; with the exponents below, also half-spread and depth of each.
  tempo: [
    [0, 0.7],
    [0.5, 1],
    [1.5, 0.5],
    [2.5, 0.15],
    [5, 0.05],
    [8, 0.02],
    [10, 0.007],
    [15, 0.004],
    [30, 0.0025],
    [720, 0.0001],
  ],
  halfSpread: 0.009,
  spreadOfActivity: 0.57,
  spreadOfPopularity: 0.2,
  uneven: 0.3,
  crowdPerMinute: 900,
  crowdRisk: 8,
  crowdS: 1,
  restless: 0.8,
  lean: 1,
  leanS: 120,
  deeper: 0.4,
  levels: 7,
  risk: 110,
  riskOfActivity: 0.5,
  riskOfPopularity: 0.3,
  requoteS: 2,
  requotesOfActivity: 0.7,
  requotesOfPopularity: 0.2,
  arrivalsPerMinute: 190,
  arrivalsOfPopularity: 0.4,
  followers: 1,
  followS: 2,
  accepts: 1.2,
  stake: { median: 6, spread: 1.8, decimals: CENTS },
  stakeOfPopularity: 0.6,
  refill: 0.04,
  informedRate: 10,
  informedLooks: 3,
  informedEdge: 0.002,
  informedStake: { median: 90, spread: 1.3, decimals: CENTS },
  learnS: 30,
  learnFromTrade: 0.3,
  drift: 0.75,
  driftOfActivity: 0.5,
  news: 1,
  startSuspensionS: 1,
};

/** After the minute of that race: orders rest, and few are cancelled. */
const RACE: Character = {
  ...RACE_BEFORE,
  tempo: [
    [0, 2],
    [0.3, 0.8],
    [0.95, 1],
    [1.1, 4.5],
    [1.2, 7],
  ],
  halfSpread: 0.3,
  spreadOfActivity: 0.2,
  levels: 2,
  risk: 10,
  requoteS: 150,
  alarm: 5,
  arrivalsPerMinute: 360,
  accepts: 0.8,
  stake: { median: 0.4, spread: 1.9, decimals: CENTS },
  refill: 0.3,
  // Cancels, life of a level: most of what leaves the book rested near 1.01.
  crowdPerMinute: 8,
  crowdS: 60,
  crowdReach: [0.7, 24],
  crowdDeeper: 3,
  informedStake: { median: 4, spread: 1.3, decimals: CENTS },
};

/** After recorded football days before the start, of which only books are known: half-spread, depth, overround, life of a level. */
const FOOTBALL_BEFORE: Character = {
  ...CRICKET_BEFORE,
  halfSpread: 0.018,
  spreadOfActivity: 0.1,
  spreadOfPopularity: 0.6,
  presenceOfActivity: 0.12,
  risk: 45,
  riskOfActivity: 0.1,
  requotesOfActivity: 1.1,
  crowdS: 150,
  uneven: 0.6,
  // Overround.
  spreadOfLines: 1.25,
};
/** Not measured: as cricket. */
const FOOTBALL: Character = { ...CRICKET, spreadOfPopularity: 0.6 };

/** Sports without recorded markets trade as those that are nearest. */
const CHARACTERS: Readonly<Record<string, Readonly<Record<Phase, Character>>>> = {
  cricket: { 'before play': CRICKET_BEFORE, 'in play': CRICKET },
  horse: { 'before play': RACE_BEFORE, 'in play': RACE },
  fb: { 'before play': FOOTBALL_BEFORE, 'in play': FOOTBALL },
  fb_ht: { 'before play': FOOTBALL_BEFORE, 'in play': FOOTBALL },
};

export const characterOf = (sport: string, phase: Phase): Character =>
  (CHARACTERS[sport] ?? { 'before play': CRICKET_BEFORE, 'in play': CRICKET })[phase];
