import type { Random } from '../../src/lib/random.ts';
import type { ModelFeedOptions } from '../../src/simulator/feeds/model/index.ts';
import { MAKERS } from '../../src/simulator/feeds/model/maker.ts';

/** The weight of this market among all days, and the factor by which its days exceed the requested hours. */
interface Climate {
  readonly weight: number;
  readonly share: number;
  /** Its matches begin up to this much later. */
  readonly mostLeadMinutes: number;
  /** Suitable lifetimes of orders, in seconds. */
  readonly durationsS: readonly number[];
  /** The greatest number of quoted selections. */
  readonly mostSelections: number;
  /** The speed of its matches, as a multiple of real ones. */
  readonly speeds: readonly number[];
  /** The probability of each kind of act and fault of the day in a stretch of it. */
  readonly chance: number;
  readonly market: Omit<MarketPlan, 'leadMinutes'>;
}

/** How a market trades, from the rush of matches in play to the night before. */
export interface MarketPlan {
  readonly name: string;
  /** How much later its matches begin than in the usual programme, in minutes of match time. */
  readonly leadMinutes: number;
  /** The interval at which a maker views an event, before the start and in play. */
  readonly requoteMs: number;
  readonly requoteInPlayMs: number;
  /** The interval between two moves of fair prices. */
  readonly stepMs: number;
  readonly stepInPlayMs: number;
  /** Background makers, and the least popularity of a traded selection. */
  readonly makers: number;
  readonly leastPopularity: number;
  /** Takers per second, outcome and direction, on the most popular selections. */
  readonly arrivalRate: number;
  /** The typical stake of a taker; absent for `TAKER_STAKE_USDT`. */
  readonly takerStakeUsdt?: number;
  /** Decimals of that stake; absent for whole cents. */
  readonly takerStakeDecimals?: number;
  /** How often per second an informed taker views an event. */
  readonly informedRate: number;
}

const TAKER_STAKE_USDT = 25;
const CENTS = 2;

/** Options of the modelled market for this trading. */
export function feedOptionsOf(market: MarketPlan): Partial<ModelFeedOptions> {
  const { takerStakeUsdt = TAKER_STAKE_USDT, takerStakeDecimals = CENTS } = market;
  const { requoteMs, requoteInPlayMs, stepMs, stepInPlayMs, leadMinutes, makers, leastPopularity } = market;
  return {
    requoteMs,
    requoteInPlayMs,
    stepMs,
    stepInPlayMs,
    leadMinutes,
    makers: MAKERS.slice(0, makers).map((maker) => ({
      ...maker,
      leastPopularity: Math.max(maker.leastPopularity, leastPopularity),
    })),
    takers: {
      arrivalRate: market.arrivalRate,
      decay: 15,
      stake: takerStakeUsdt,
      stakeDecimals: takerStakeDecimals,
    },
    informed: { aheadMs: 4000, rate: market.informedRate, looks: 5, edge: 0.02, stake: 80 },
  };
}

const SECONDS = 1_000;

/** Many takers take a little, to the micro, of any offer: an order is matched by one bet after another. */
export const IN_SMALL_BETS: MarketPlan = {
  name: 'small bets',
  requoteMs: 12 * SECONDS,
  requoteInPlayMs: 6 * SECONDS,
  stepMs: 12 * SECONDS,
  stepInPlayMs: 6 * SECONDS,
  makers: 4,
  leastPopularity: 0.3,
  leadMinutes: 0,
  arrivalRate: 1,
  takerStakeUsdt: 2,
  takerStakeDecimals: 4,
  informedRate: 0,
};

/** From the rush to the night: an event's prices change every second or two, or every minute or two. */
const CLIMATES: readonly Climate[] = [
  {
    weight: 1,
    share: 0.25,
    mostLeadMinutes: 0,
    durationsS: [15, 30, 60, 120],
    mostSelections: 4,
    speeds: [1, 1, 5],
    chance: 0.5,
    market: {
      name: 'rush',
      requoteMs: 6 * SECONDS,
      requoteInPlayMs: 2.5 * SECONDS,
      stepMs: 2 * SECONDS,
      stepInPlayMs: 1 * SECONDS,
      makers: 4,
      leastPopularity: 0,
      arrivalRate: 0.1,
      informedRate: 0.3,
    },
  },
  {
    weight: 2,
    share: 0.75,
    mostLeadMinutes: 120,
    durationsS: [15, 30, 60, 120],
    mostSelections: 4,
    speeds: [1, 1, 5],
    chance: 0.5,
    market: {
      name: 'busy',
      requoteMs: 12 * SECONDS,
      requoteInPlayMs: 6 * SECONDS,
      stepMs: 6 * SECONDS,
      stepInPlayMs: 3 * SECONDS,
      makers: 2,
      leastPopularity: 0.5,
      arrivalRate: 0.03,
      informedRate: 0.1,
    },
  },
  {
    weight: 3,
    share: 1.25,
    mostLeadMinutes: 360,
    durationsS: [15, 60, 300, 900],
    mostSelections: 4,
    speeds: [1, 1, 5],
    chance: 0.5,
    market: {
      name: 'thin',
      requoteMs: 30 * SECONDS,
      requoteInPlayMs: 15 * SECONDS,
      stepMs: 15 * SECONDS,
      stepInPlayMs: 8 * SECONDS,
      makers: 2,
      leastPopularity: 0.9,
      arrivalRate: 0.006,
      informedRate: 0.02,
    },
  },
  {
    weight: 3,
    share: 2.5,
    mostLeadMinutes: 900,
    durationsS: [60, 300, 900, 3_600],
    mostSelections: 4,
    speeds: [1, 1, 5],
    chance: 0.5,
    market: {
      name: 'night',
      requoteMs: 60 * SECONDS,
      requoteInPlayMs: 30 * SECONDS,
      stepMs: 30 * SECONDS,
      stepInPlayMs: 15 * SECONDS,
      makers: 1,
      leastPopularity: 0.9,
      arrivalRate: 0.003,
      informedRate: 0.01,
    },
  },
  {
    weight: 12,
    share: 42,
    mostLeadMinutes: 1_200,
    durationsS: [900, 3_600],
    mostSelections: 2,
    speeds: [1],
    chance: 0.1,
    market: {
      name: 'asleep',
      requoteMs: 300 * SECONDS,
      requoteInPlayMs: 60 * SECONDS,
      stepMs: 300 * SECONDS,
      stepInPlayMs: 30 * SECONDS,
      makers: 1,
      leastPopularity: 0.9,
      arrivalRate: 0.0005,
      informedRate: 0.001,
    },
  },
];

/** The drawn parts of a climate. A day in it lasts `share` times the requested hours: quiet ones longer. */
export interface DrawnMarket extends Pick<
  Climate,
  'share' | 'durationsS' | 'mostSelections' | 'speeds' | 'chance'
> {
  readonly market: MarketPlan;
}

/** Draws a market, and settings that suit it. */
export function drawMarket(random: Random): DrawnMarket {
  let left = random.next() * CLIMATES.reduce((sum, { weight }) => sum + weight, 0);
  const found = CLIMATES.find(({ weight }) => (left -= weight) < 0) ?? (CLIMATES[0] as Climate);
  const leadMinutes = Math.round(random.next() * found.mostLeadMinutes);
  return { ...found, market: { ...found.market, leadMinutes } };
}
