import type { MidHistory } from '../../domain/mid-history.ts';
import { logit } from '../../domain/odds.ts';

/**
 * How much a fair value moves, with jumps apart. Distances are in log-odds.
 *
 * @example
 * const isWild = ({ perRootS }: MakerVolatility): boolean => perRootS > 0.02;
 */
export interface MakerVolatility {
  /** Of the diffusion, per square root of a second. */
  readonly perRootS: number;
  /** Jumps in a second. */
  readonly jumpsPerS: number;
  /** The mean size of a jump; 0 without one. */
  readonly meanJump: number;
  /** The number of changes that it rests on. Recent ones count more where the estimator forgets. */
  readonly changes: number;
}

/**
 * Options of `makerVolatilityEstimator` and `volatilityOfMids`.
 *
 * @example
 * const options: Partial<MakerVolatilityOptions> = { everyS: 30 };
 */
export interface MakerVolatilityOptions {
  /** Seconds of a change. Over shorter times the bounce between ticks counts for more than the diffusion. Default 30. */
  readonly everyS: number;
  /** A change of more than so many standard deviations is a jump. Default 4. */
  readonly jumpAt: number;
  /** Fewer changes give no reading. Default 10. */
  readonly leastChanges: number;
  /** Time in which the weight of a change halves, in seconds. Default 1800. */
  readonly halfLifeS: number;
}

const DEFAULTS: MakerVolatilityOptions = { everyS: 30, jumpAt: 4, leastChanges: 10, halfLifeS: 1_800 };

/**
 * A fair value at an instant of your clock; null while there is none.
 *
 * @example
 * const point: FairPoint = { atMs: 30_000, logOdds: logit(0.43) };
 */
export interface FairPoint {
  readonly atMs: number;
  readonly logOdds: number | null;
}

/**
 * Weighted sums over the changes. Plain data, so `keep` can hold it.
 *
 * @example
 * const hasChanges = ({ count }: MakerVolatilityState): boolean => count > 0;
 */
export interface MakerVolatilityState {
  /** Where the next change starts; null after a break. */
  readonly from: { readonly atMs: number; readonly logOdds: number } | null;
  /** Size of the last change, scaled to `everyS`; null after a break. */
  readonly before: number | null;
  /** Σ |r_i|·|r_(i-1)|, and how many products. */
  readonly products: number;
  readonly pairs: number;
  readonly count: number;
  readonly jumps: number;
  readonly jumpSum: number;
}

const EMPTY: MakerVolatilityState = {
  from: null,
  before: null,
  products: 0,
  pairs: 0,
  count: 0,
  jumps: 0,
  jumpSum: 0,
};

/**
 * Volatility by bipower variation (Barndorff-Nielsen and Shephard 2004): σ² = (π/2) · mean(|r_i|·|r_(i-1)|) / Δ over changes r of
 * `everyS` seconds. A jump is in two products alone, each time beside a usual change, so it counts little. Once σ is known, a change beyond
 * `jumpAt`·σ√Δ is noted as a jump and enters the products as that much. Time comes with the samples. A sample without a value, and a
 * pause of twice `everyS`, is a break: nothing is counted across it. The reading is null before `leastChanges`.
 *
 * @example
 * const { seed, reduce, read } = makerVolatilityEstimator();
 * const samples = Array.from({ length: 41 }, (_, i) => ({ atMs: 30_000 * i, logOdds: (i % 2) * 0.02 }));
 * read(samples.reduce(reduce, seed))?.perRootS; // 0.004576
 */
export function makerVolatilityEstimator(options: Partial<MakerVolatilityOptions> = {}): {
  readonly seed: MakerVolatilityState;
  readonly reduce: (state: MakerVolatilityState, sample: FairPoint) => MakerVolatilityState;
  readonly read: (state: MakerVolatilityState) => MakerVolatility | null;
} {
  const settings = { ...DEFAULTS, ...options };
  return {
    seed: EMPTY,
    reduce: (state, sample) => withSample(state, sample, settings),
    read: (state) => readingOf(state, settings),
  };
}

/**
 * The same from the course of a mid, as views have it: at most ten minutes, so twenty changes of half a minute, none forgotten. For strategies
 * without memory.
 *
 * @example
 * volatilityOfMids([0, 0.5], 600_000)?.perRootS; // 0
 * volatilityOfMids([0, 0.5], 60_000); // null
 */
export function volatilityOfMids(
  mids: MidHistory,
  nowMs: number,
  options: Partial<Omit<MakerVolatilityOptions, 'halfLifeS'>> = {},
): MakerVolatility | null {
  const settings = { ...DEFAULTS, ...options, halfLifeS: Infinity };
  const stepMs = settings.everyS * 1_000;
  const firstMs = mids[0];
  if (firstMs === undefined) return null;
  const steps = Math.floor((nowMs - firstMs) / stepMs);
  let state = EMPTY;
  let at = 0;
  for (let step = steps; step >= 0; step--) {
    const atMs = nowMs - step * stepMs;
    while ((mids[at + 2] ?? Infinity) <= atMs) at += 2;
    state = withSample(state, { atMs, logOdds: logit(mids[at + 1] as number) }, settings);
  }
  return readingOf(state, settings);
}

function withSample(
  state: MakerVolatilityState,
  { atMs, logOdds }: FairPoint,
  settings: MakerVolatilityOptions,
): MakerVolatilityState {
  if (logOdds === null || !Number.isFinite(logOdds)) return { ...state, from: null, before: null };
  const { from } = state;
  const stepMs = settings.everyS * 1_000;
  const start = { atMs, logOdds };
  if (from === null || atMs - from.atMs > 2 * stepMs) return { ...state, from: start, before: null };
  if (atMs - from.atMs < stepMs) return state;
  const scaled = Math.abs(logOdds - from.logOdds) * Math.sqrt(stepMs / (atMs - from.atMs));
  return { ...withChange(state, scaled, (atMs - from.atMs) / 1_000, settings), from: start };
}

function withChange(
  state: MakerVolatilityState,
  size: number,
  passedS: number,
  settings: MakerVolatilityOptions,
): MakerVolatilityState {
  const kept = 2 ** -(passedS / settings.halfLifeS);
  const usual = sigmaOf(state, settings);
  const most =
    usual === null || usual === 0 ? Infinity : settings.jumpAt * usual * Math.sqrt(settings.everyS);
  const isJump = size > most;
  const counted = Math.min(size, most);
  const { before } = state;
  return {
    from: state.from,
    before: counted,
    products: state.products * kept + (before === null ? 0 : before * counted),
    pairs: state.pairs * kept + (before === null ? 0 : 1),
    count: state.count * kept + 1,
    jumps: state.jumps * kept + (isJump ? 1 : 0),
    jumpSum: state.jumpSum * kept + (isJump ? size : 0),
  };
}

/** Null before there are enough changes. */
function sigmaOf(
  { products, pairs, count }: MakerVolatilityState,
  settings: MakerVolatilityOptions,
): number | null {
  if (pairs === 0 || count < settings.leastChanges) return null;
  return Math.sqrt(((Math.PI / 2) * products) / pairs / settings.everyS);
}

function readingOf(state: MakerVolatilityState, settings: MakerVolatilityOptions): MakerVolatility | null {
  const perRootS = sigmaOf(state, settings);
  if (perRootS === null) return null;
  const { jumps, jumpSum, count } = state;
  return {
    perRootS,
    jumpsPerS: jumps / (count * settings.everyS),
    meanJump: jumps === 0 ? 0 : jumpSum / jumps,
    changes: count,
  };
}
