import { LAST_TICK, priceOf, type Tick } from '../../domain/ladder.ts';
import {
  adverseLogOdds,
  betterBy,
  betterLogOdds,
  betterOf,
  expectedReturn,
  honouringTick,
  isComplement,
  ownPrice,
  type PriceKind,
  roundedFrom,
  SELECTION_KINDS,
  selectionLogOdds,
  takingTick,
  tickAtLogOdds,
  worseOf,
  logOddsOf,
} from '../../domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import type { PriceLevel } from '../../domain/price-list.ts';
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
 * `kind` says what the tick is, usually one of the view's `priceKinds`. Everything is then measured on that ladder, and the intent
 * needs the same `priceKind`: `restingQuotes` sets it. Default: a tick of the price of the selection.
 *
 * @example
 * const terms = { fairLogOdds: logit(0.43), halfSpread: 0.03, minEdge: 0, marginTicks: 1, placement: 'model' } as const;
 * const sides = bestSides(selection.market);
 * const forTick = quoteTick('for', terms, sides);
 * const againstTick = quoteTick('against', terms, sides);
 * forTick && priceOf(forTick); // 2.38
 * againstTick && priceOf(againstTick); // 2.28
 * const ownTick = quoteTick('against', terms, sides, 'odds-against');
 * ownTick && priceOf(ownTick); // 1.78
 */
export function quoteTick(
  direction: Direction,
  terms: QuoteTerms,
  top: Sides,
  kind: PriceKind = SELECTION_KINDS[direction],
): Tick | null {
  const wanted = tickAway(kind, terms.fairLogOdds, terms.halfSpread);
  const nearest = tickAway(kind, terms.fairLogOdds, terms.minEdge);
  if (wanted === null || nearest === null) return null;
  const others = bestOfOthers(kind, terms.placement, restingFor(opposite(direction), top));
  const tick = others === null ? wanted : worseOf(kind, wanted, betterOf(kind, others, nearest));
  const passive = passiveTick(kind, terms.marginTicks, restingFor(direction, top));
  if (passive === 'everywhere') return onLadder(tick);
  return passive === null ? null : onLadder(betterOf(kind, tick, passive));
}

/** The best price that takers of a direction get. */
const restingFor = (direction: Direction, { forTakers, againstTakers }: Sides): PriceLevel | null =>
  direction === 'for' ? forTakers : againstTakers;

/** The tick nearest to fair that is at least `distance` away from it, in log-odds, on the side of the order. */
const tickAway = (kind: PriceKind, fairLogOdds: number, distance: number): Tick | null =>
  tickAtLogOdds(kind, betterLogOdds(kind, fairLogOdds, distance));

/**
 * The tick `marginTicks` before the first one at which our order would take another maker's. `everywhere` when no other order rests.
 */
function passiveTick(
  kind: PriceKind,
  marginTicks: number,
  resting: PriceLevel | null,
): Tick | 'everywhere' | null {
  const taking = resting === null ? null : takingTick(kind, ownPrice(kind, resting.price));
  if (resting === null || taking === null) return 'everywhere';
  const passive = betterBy(kind, taking, marginTicks);
  const rounded = roundedFrom(resting.price);
  if (isComplement(kind) || rounded === resting.price) return passive;
  // The order that is shown may rest anywhere up to here. At this price itself it does not.
  const beyond = honouringTick(kind, rounded);
  return beyond === null ? null : betterOf(kind, passive, beyond);
}

/** The best tick of the other makers of our side, or the tick in front of it; null when only the model decides. */
function bestOfOthers(kind: PriceKind, placement: Placement, best: PriceLevel | null): Tick | null {
  if (placement === 'model' || best === null) return null;
  const held = honouringTick(kind, ownPrice(kind, best.price));
  return held === null ? null : betterBy(kind, held, placement === 'improve' ? -1 : 0);
}

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
export const edgeAt = (direction: Direction, price: number, fairLogOdds: number): number =>
  0 - adverseLogOdds(SELECTION_KINDS[direction], price, fairLogOdds);

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
  intent: Pick<QuoteIntent, 'direction' | 'priceKind' | 'tick' | 'stakeMicros'>,
  fairProbability: number,
  { arrivalsPerS, decay }: FillModel = TYPICAL_FILLS,
): number {
  const kind = kindOfIntent(intent);
  const price = priceOf(intent.tick);
  const edge = expectedReturn(kind, price, fairProbability);
  const distance = Math.abs(selectionLogOdds(kind, price) - logOddsOf(1 / fairProbability));
  return Math.max(0, edge) * intent.stakeMicros * arrivalsPerS * Math.exp(-decay * distance);
}
