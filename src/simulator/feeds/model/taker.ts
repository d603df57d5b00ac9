import { type Micros, toMicros } from '../../../domain/money.ts';
import { LAST_TICK, priceOf } from '../../../domain/ladder.ts';
import { honouringTick, priceOfLogOdds, SELECTION_KINDS } from '../../../domain/odds.ts';
import type { Direction } from '../../../domain/selection.ts';
import { exponential, type Random } from '../../../lib/random.ts';
import type { Market, SimOutcome } from '../../core/api.ts';
import type { ModelOutcome } from './event-model.ts';

/**
 * Takers arrive per outcome and direction as a Poisson process. Its rate A is the options' rate times the popularity of
 * the selection and the liquidity of the competition. Each taker accepts prices up to a distance from fair that is
 * exponential with mean 1/k, in log-odds. A best quote at distance δ ≥ 0 from fair is therefore hit at rate A·e^{-kδ}
 * (Avellaneda and Stoikov 2008); beyond fair the rate stays at A.
 */
export interface TakerOptions {
  /** Arrivals per second, outcome and direction, on the most popular selections of the most traded competition. */
  readonly arrivalRate: number;
  /** k, per unit of log-odds. */
  readonly decay: number;
  /** Mean stake, USDT. */
  readonly stake: number;
  /** Decimals of a stake; default 2. */
  readonly stakeDecimals?: number;
}

const CENTS = 2;
const LONGEST_PRICE = priceOf(LAST_TICK);
const LEAST_STAKE = 2;
const LARGEST_STAKE = 500;

/** Random stake: exponential, between 2 and 500 USDT, in cents unless `decimals` says otherwise. */
export function drawStake(random: Random, mean: number, decimals = CENTS): Micros {
  const stake = Math.min(LARGEST_STAKE, LEAST_STAKE + exponential(random, 1 / mean));
  const unit = 10 ** decimals;
  return toMicros(Math.round(stake * unit) / unit);
}

/** Takes stake in the book at `logOdds` or better for the taker. Returns the stake that it got. */
export function takeUpTo(
  market: Market,
  at: SimOutcome,
  direction: Direction,
  logOdds: number,
  micros: Micros,
  nowMs: number,
): Micros {
  const price = priceOfLogOdds(logOdds);
  // A taker that lays a selection that cannot win accepts any price.
  const tick = honouringTick(
    SELECTION_KINDS[direction],
    direction === 'against' ? Math.min(price, LONGEST_PRICE) : price,
  );
  return tick === null ? 0 : market.take(at, direction, priceOf(tick), micros, nowMs);
}

/** The uninformed takers of one event. */
export class Takers {
  readonly #options: TakerOptions;
  readonly #random: Random;
  readonly #places: readonly SimOutcome[];
  /** Cumulative popularity, up to and including each outcome. */
  readonly #cumulative: readonly number[];

  constructor(
    options: TakerOptions,
    outcomes: readonly ModelOutcome[],
    places: readonly SimOutcome[],
    random: Random,
  ) {
    this.#options = options;
    this.#random = random;
    this.#places = places;
    let total = 0;
    this.#cumulative = outcomes.map(({ popularity }) => (total += popularity));
  }

  /** Seconds until the next taker of any selection. */
  waitS(): number {
    const total = this.#cumulative.at(-1) ?? 0;
    return exponential(this.#random, 2 * total * this.#options.arrivalRate);
  }

  /** Lets one taker pick a direction of an outcome and take acceptable prices. */
  arrive(market: Market, fair: Float64Array, nowMs: number): void {
    const index = this.pick();
    const direction: Direction = this.#random.next() < 0.5 ? 'for' : 'against';
    const distance = exponential(this.#random, this.#options.decay);
    const micros = drawStake(this.#random, this.#options.stake, this.#options.stakeDecimals);
    const logOdds = fair[index] as number;
    if (!Number.isFinite(logOdds)) return;
    // Backers accept lower prices than fair, which are higher log-odds; layers the reverse.
    const limit = direction === 'for' ? logOdds + distance : logOdds - distance;
    takeUpTo(market, this.#places[index] as SimOutcome, direction, limit, micros, nowMs);
  }

  /** Draws the index of an outcome, by popularity. */
  pick(): number {
    const at = this.#random.next() * (this.#cumulative.at(-1) ?? 0);
    const found = this.#cumulative.findIndex((upTo) => at < upTo);
    return Math.max(0, found);
  }
}
