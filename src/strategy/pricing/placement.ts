import {
  ceilTick,
  floorTick,
  LAST_TICK,
  logOddsOf,
  priceOf,
  priceOfLogOdds,
  type Tick,
} from '../../domain/odds.ts';
import type { Direction } from '../../domain/selection.ts';
import type { Sides } from './fair.ts';

/**
 * How a quote stands to the best of the other makers:
 * `model`: where the model puts it;
 * `join`: level with them where the model would stand behind them and the edge allows it;
 * `improve`: one tick in front of them on the same terms.
 */
export type Placement = 'model' | 'join' | 'improve';

export interface QuoteTerms {
  /** Log-odds of the fair probability. */
  readonly fairLogOdds: number;
  /** Distance that the model wants from fair, in log-odds. */
  readonly halfSpread: number;
  /** The least distance from fair that joining or improving may leave, in log-odds. */
  readonly minEdge: number;
  /** Ticks between the quote and the price at which it would take; at least 1. */
  readonly marginTicks: number;
  readonly placement: Placement;
}

/**
 * The tick of a resting order, rounded away from fair, never nearer than the margin to taking. Our `against` lies
 * below fair and below what `against` takers get; our `for` lies above fair and above what `for` takers get. Null when
 * there is no such tick.
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

/** The first tick at least `distance` in log-odds away from fair, on the safe side. */
function tickAway(direction: Direction, fairLogOdds: number, distance: number): Tick | null {
  return direction === 'against'
    ? floorTick(priceOfLogOdds(fairLogOdds + distance))
    : ceilTick(priceOfLogOdds(fairLogOdds - distance));
}

/** The first tick that would take what others rest; null where they rest nothing. */
function takingTick(direction: Direction, { forTakers, againstTakers }: Sides): Tick | null {
  const resting = direction === 'against' ? againstTakers : forTakers;
  if (resting === null) return null;
  return direction === 'against' ? ceilTick(resting.price) : floorTick(resting.price);
}

/** The tick that competing makers hold, or the one in front of it; null where the model alone decides. */
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

/** Signed distance of a resting order's price from fair in log-odds: positive where it earns when filled. */
export function edgeOf(direction: Direction, tick: Tick, fairLogOdds: number): number {
  const distance = logOddsOf(priceOf(tick)) - fairLogOdds;
  return direction === 'against' ? distance : -distance;
}
