import type { Estimator } from './estimator.ts';
import type { Estimate } from './weighted-mean.ts';

/**
 * The mid of a market at an instant. Give every one, also when it has not changed: time without mids is a gap, time
 * with the same mid is quiet.
 *
 * @example
 * const sample: MidSample = { atMs: view.nowMs, logOdds: logit(0.43) };
 */
export interface MidSample {
  readonly atMs: number;
  /** Log-odds of the mid. Null without a two-sided market: moves across such a break are not counted. */
  readonly logOdds: number | null;
}

/**
 * Options of `volatilityEstimator`.
 *
 * @example
 * const options: Partial<VolatilityOptions> = { leastS: 120 };
 */
export interface VolatilityOptions {
  /** Time in which the weight of a move halves, in seconds. */
  readonly halfLifeS: number;
  /**
   * Least time between the two mids of a move, in seconds. Over shorter times the bounce between prices of the ladder
   * and the flicker of thin sides count for more than the diffusion.
   */
  readonly leastS: number;
  /** A longer time without any mid, in seconds, is a gap. Moves across a gap are not counted. */
  readonly gapS: number;
  /**
   * A mid that has not changed for longer than this, in seconds, was frozen. Neither the standstill nor the jump at its
   * end is counted, because nobody moved the prices meanwhile.
   */
  readonly frozenS: number;
}

const DEFAULTS: VolatilityOptions = { halfLifeS: 7200, leastS: 10, gapS: 120, frozenS: 1800 };

/**
 * Sums over the counted moves, each weighted by its age. Plain data.
 *
 * @example
 * const hasStarted = ({ from }: VolatilityState): boolean => from !== null;
 */
export interface VolatilityState {
  /** Where the next move starts; null until there is a mid. */
  readonly from: MoveStart | null;
  /** Instant up to which the weights below have aged. */
  readonly agedMs: number;
  /** Σ w·dL². */
  readonly squares: number;
  /** Σ w·dt, in hours. */
  readonly hours: number;
  /** Σ (w·dt)². */
  readonly hoursSquared: number;
}

interface MoveStart {
  readonly atMs: number;
  readonly logOdds: number;
  /** The latest mid, when it came, and since when it is the same. */
  readonly latest: number;
  readonly latestMs: number;
  readonly sinceMs: number;
}

/**
 * The reading of `volatilityEstimator`.
 *
 * @example
 * const isKnown = ({ value, standardError }: VolatilityReading): boolean => standardError < value / 4;
 */
export interface VolatilityReading extends Estimate {
  /** Log-odds per square root of an hour. */
  readonly value: number;
  readonly standardError: number;
  /** Hours that the moves spanned, less what has been forgotten. */
  readonly hours: number;
}

const MS_PER_S = 1000;
const MS_PER_HOUR = 3_600_000;

/**
 * Volatility of log-odds from mids at irregular times: √(Σ w·dL² / Σ w·dt), which is unbiased (as a square) for a
 * diffusion however irregular the times are. Moves are weighted by 2^(-age / half-life).
 *
 * A move ends at the first mid that is at least `leastS` after its start, and different from it or past a change. So a
 * quiet market counts as quiet once its mid moves again, and a quote that was frozen for longer than `frozenS` does not.
 * The reading is null before the first counted move. Its standard error holds for a diffusion; jumps add to both.
 *
 * @example
 * const { seed, reduce, read } = volatilityEstimator();
 * const samples = Array.from({ length: 360 }, (_, i) => ({ atMs: 10_000 * i, logOdds: (i % 2) * 0.005 }));
 * const reading = read(samples.reduce(reduce, seed));
 * reading?.value; // 0.094868
 * reading?.standardError; // 0.003558
 */
export function volatilityEstimator(
  options: Partial<VolatilityOptions> = {},
): Estimator<VolatilityState, MidSample, VolatilityReading | null> {
  const settings = { ...DEFAULTS, ...options };
  return {
    seed: { from: null, agedMs: 0, squares: 0, hours: 0, hoursSquared: 0 },
    reduce: (state, sample) => withMid(state, sample, settings),
    read: readingOf,
  };
}

function withMid(
  state: VolatilityState,
  { atMs, logOdds }: MidSample,
  options: VolatilityOptions,
): VolatilityState {
  if (logOdds === null) return { ...state, from: null };
  const { from } = state;
  if (atMs < state.agedMs) return state;
  if (from === null) return { ...state, from: startAt(atMs, logOdds) };
  if (atMs <= from.latestMs) return state;
  if (atMs - from.latestMs > options.gapS * MS_PER_S) return { ...state, from: startAt(atMs, logOdds) };
  const changed = logOdds !== from.latest;
  if (changed && atMs - from.sinceMs > options.frozenS * MS_PER_S)
    return { ...state, from: startAt(atMs, logOdds) };
  const sinceMs = changed ? atMs : from.sinceMs;
  const stood = !changed && from.sinceMs <= from.atMs;
  if (stood || atMs - from.atMs < options.leastS * MS_PER_S)
    return { ...state, from: { ...from, latest: logOdds, latestMs: atMs, sinceMs } };
  return withMove(state, from, startAt(atMs, logOdds, sinceMs), options.halfLifeS);
}

const startAt = (atMs: number, logOdds: number, sinceMs = atMs): MoveStart => ({
  atMs,
  logOdds,
  latest: logOdds,
  latestMs: atMs,
  sinceMs,
});

function withMove(
  state: VolatilityState,
  from: MoveStart,
  to: MoveStart,
  halfLifeS: number,
): VolatilityState {
  const kept = 2 ** -((to.atMs - state.agedMs) / (halfLifeS * MS_PER_S));
  const hours = (to.atMs - from.atMs) / MS_PER_HOUR;
  return {
    from: to,
    agedMs: to.atMs,
    squares: state.squares * kept + (to.logOdds - from.logOdds) ** 2,
    hours: state.hours * kept + hours,
    hoursSquared: state.hoursSquared * kept ** 2 + hours ** 2,
  };
}

/** For independent normal moves the square of dL has the variance 2·σ⁴·dt², which gives σ its standard error. */
function readingOf({ squares, hours, hoursSquared }: VolatilityState): VolatilityReading | null {
  if (hours === 0) return null;
  const value = Math.sqrt(squares / hours);
  return { value, standardError: (value * Math.sqrt(hoursSquared / 2)) / hours, hours };
}
