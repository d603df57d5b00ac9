import {
  ceilTick,
  floorTick,
  LAST_TICK,
  logOddsOf,
  priceOf,
  priceOfLogOdds,
  type Tick,
} from '../../domain/odds.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';
import type { Sides } from './fair.ts';

/**
 * Where a quote goes relative to the best price of the other makers:
 * `model`: at the model's price;
 * `join`: at their price, when the model's price is behind it and the edge allows it;
 * `improve`: one tick in front of their price, under the same conditions.
 *
 * @example
 * const placement: Placement = 'join';
 */
export type Placement = 'model' | 'join' | 'improve';

/**
 * The wishes of a strategy for one quote. Distances are in log-odds.
 *
 * @example
 * const terms: QuoteTerms = {
 *   fairLogOdds: logit(0.43),
 *   halfSpread: 0.03,
 *   minEdge: 0.004,
 *   marginTicks: 1,
 *   placement: 'model',
 * };
 */
export interface QuoteTerms {
  /** Log-odds of the fair probability. */
  readonly fairLogOdds: number;
  /** The model's distance of the quote from fair, in log-odds. */
  readonly halfSpread: number;
  /** The least distance from fair that joining or improving may leave, in log-odds. */
  readonly minEdge: number;
  /** Ticks between the quote and the price at which it would take. At least 1. */
  readonly marginTicks: number;
  readonly placement: Placement;
}

/**
 * The tick of a resting order. It is rounded away from fair, and at least `marginTicks` from the price at which it would
 * take. Our `against` order lies below fair and below the best price for `against` takers. Our `for` order lies above
 * fair and above the best price for `for` takers. Null when the ladder has no such tick.
 *
 * @example
 * const terms = { fairLogOdds: logit(0.43), halfSpread: 0.03, minEdge: 0, marginTicks: 1, placement: 'model' } as const;
 * const sides = bestSides(selection.market);
 * const forTick = quoteTick('for', terms, sides);
 * const againstTick = quoteTick('against', terms, sides);
 * forTick && priceOf(forTick); // 2.38
 * againstTick && priceOf(againstTick); // 2.28
 */
export function quoteTick(direction: Direction, terms: QuoteTerms, top: Sides): Tick | null {
  const wanted = tickAway(direction, terms.fairLogOdds, terms.halfSpread);
  const nearest = tickAway(direction, terms.fairLogOdds, terms.minEdge);
  if (wanted === null || nearest === null) return null;
  const others = bestOfOthers(direction, terms.placement, top);
  const tick = others === null ? wanted : nearerToFair(direction, wanted, clamp(direction, others, nearest));
  const taking = takingTick(direction, top);
  if (taking === null) return onLadder(tick);
  const passive = direction === 'against' ? taking - terms.marginTicks : taking + terms.marginTicks;
  return onLadder(clamp(direction, tick, passive));
}

/** The tick nearest to fair that is at least `distance` away from it, in log-odds, on the side of the order. */
function tickAway(direction: Direction, fairLogOdds: number, distance: number): Tick | null {
  return direction === 'against'
    ? floorTick(priceOfLogOdds(fairLogOdds + distance))
    : ceilTick(priceOfLogOdds(fairLogOdds - distance));
}

/** The first tick at which our order would take another maker's; null when no other order rests. */
function takingTick(direction: Direction, { forTakers, againstTakers }: Sides): Tick | null {
  const resting = direction === 'against' ? againstTakers : forTakers;
  if (resting === null) return null;
  return direction === 'against' ? ceilTick(resting.price) : floorTick(resting.price);
}

/** The best tick of the other makers, or the tick in front of it; null when only the model decides. */
function bestOfOthers(direction: Direction, placement: Placement, top: Sides): Tick | null {
  const best = direction === 'against' ? top.forTakers : top.againstTakers;
  if (placement === 'model' || best === null) return null;
  const held = direction === 'against' ? floorTick(best.price) : ceilTick(best.price);
  const step = placement === 'improve' ? 1 : 0;
  if (held === null) return null;
  return direction === 'against' ? held + step : held - step;
}

/** `tick`, but no nearer to fair (and to taking) than `limit`. */
const clamp = (direction: Direction, tick: Tick, limit: Tick): Tick =>
  direction === 'against' ? Math.min(tick, limit) : Math.max(tick, limit);

const nearerToFair = (direction: Direction, a: Tick, b: Tick): Tick =>
  direction === 'against' ? Math.max(a, b) : Math.min(a, b);

const onLadder = (tick: Tick): Tick | null => (tick >= 0 && tick <= LAST_TICK ? tick : null);

/**
 * Signed distance of a resting order's price from fair, in log-odds. Positive when a fill is profitable at fair.
 *
 * @example
 * const tick = 149; // the price 3
 * edgeOf('for', tick, logOddsOf(2.9)); // 0.051293
 * edgeOf('against', tick, logOddsOf(2.9)); // -0.051293
 */
export const edgeOf = (direction: Direction, tick: Tick, fairLogOdds: number): number =>
  edgeAt(direction, priceOf(tick), fairLogOdds);

/** `edgeOf` for a decimal price. */
export function edgeAt(direction: Direction, price: number, fairLogOdds: number): number {
  const distance = logOddsOf(price) - fairLogOdds;
  return direction === 'against' ? distance : -distance;
}

/** Rate of fills of a resting quote: `arrivalsPerS` at the fair price, divided by e for each 1/`decay` of log-odds. */
export interface FillModel {
  readonly arrivalsPerS: number;
  readonly decay: number;
}

/** The default model. Values are only compared with each other, so their order matters, not their size. */
export const TYPICAL_FILLS: FillModel = { arrivalsPerS: 3 / 60, decay: 40 };

/**
 * The expected profit of a quote per second, in micros: the expected profit of its fill at the fair probability, times
 * the expected rate of fills. 0 for a quote without an edge.
 */
export function quoteValue(
  { direction, tick, stakeMicros }: Pick<QuoteIntent, 'direction' | 'tick' | 'stakeMicros'>,
  fairProbability: number,
  { arrivalsPerS, decay }: FillModel = TYPICAL_FILLS,
): number {
  const price = priceOf(tick);
  const returned = fairProbability * price - 1;
  const edge = direction === 'for' ? returned : -returned;
  const distance = Math.abs(logOddsOf(price) - logOddsOf(1 / fairProbability));
  return Math.max(0, edge) * stakeMicros * arrivalsPerS * Math.exp(-decay * distance);
}
