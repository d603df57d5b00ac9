import { type Micros, toMicros } from '../../../domain/money.ts';
import { LAST_TICK, priceOf } from '../../../domain/ladder.ts';
import { honouringTick, priceOfLogOdds, SELECTION_KINDS } from '../../../domain/odds.ts';
import type { Direction } from '../../../domain/selection.ts';
import { exponential, normal, type Random } from '../../../lib/random.ts';
import type { Market, SimOutcome } from '../../core/api.ts';
import type { ModelOutcome } from './event-model.ts';

/** Stakes whose logarithm is normally distributed. */
export interface StakeOptions {
  /** USDT. */
  readonly median: number;
  /** Deviation of the logarithm. */
  readonly spread: number;
  readonly decimals: number;
}

const LONGEST_PRICE = priceOf(LAST_TICK);
const LARGEST_STAKE = 20_000;

export function drawStake(random: Random, { median, spread, decimals }: StakeOptions): Micros {
  const unit = 10 ** decimals;
  const stake = Math.min(LARGEST_STAKE, median * Math.exp(spread * normal(random)));
  return toMicros(Math.max(1, Math.round(stake * unit)) / unit);
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

/** Draws outcomes by a power of popularity. */
export class Popularity {
  /** Cumulative weights, up to and including each outcome. */
  readonly #cumulative: readonly number[];

  constructor(outcomes: readonly ModelOutcome[], power: number) {
    let total = 0;
    this.#cumulative = outcomes.map(({ popularity }) => (total += popularity ** power));
  }

  get total(): number {
    return this.#cumulative.at(-1) ?? 0;
  }

  /** The index of an outcome. */
  pick(random: Random): number {
    const at = random.next() * this.total;
    const found = this.#cumulative.findIndex((upTo) => at < upTo);
    return Math.max(0, found);
  }
}

/** One order of a taker who knows no more than the public. */
export interface TakerOrder {
  readonly index: number;
  readonly direction: Direction;
  /** The distance beyond fair that it accepts, in log-odds. */
  readonly distance: number;
  readonly stakeMicros: Micros;
}

/**
 * Takers accept prices up to a distance from fair that is exponential with mean 1/k, in log-odds: of those who come at rate A, a
 * best quote at distance δ ≥ 0 from fair is hit by A·e^{-kδ} (Avellaneda and Stoikov 2008); beyond fair by all.
 */
export function drawOrder(
  random: Random,
  { index, direction }: Pick<TakerOrder, 'index' | 'direction'>,
  decay: number,
  stakes: StakeOptions,
): TakerOrder {
  const distance = exponential(random, decay);
  return { index, direction, distance, stakeMicros: drawStake(random, stakes) };
}

/** The worst price that the order accepts, in log-odds: backers accept lower prices than fair, layers higher ones. */
export const limitOf = ({ direction, distance }: TakerOrder, fair: number): number =>
  direction === 'for' ? fair + distance : fair - distance;
