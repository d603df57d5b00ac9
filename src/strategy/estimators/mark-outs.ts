import type { Estimator } from './estimator.ts';
import { type FillSample, type Mark, type MarkSample, type MarkState, NO_MARKS, takeMarks } from './marks.ts';
import { type Estimate, estimateOf, NOTHING_YET, type WeightedMean, withValue } from './weighted-mean.ts';

/** Seconds after a fill at which it is valued. */
const HORIZONS_S = [1, 10, 60] as const;

/** A horizon counts as observable when at least this share of its fills could be marked: the rest may differ. */
const LEAST_OBSERVED = 0.9;

/**
 * The worth of our fills at one time after them. Values are per USDT of stake, each fill weighted by its stake.
 *
 * @example
 * const costs = ({ adverseMove }: MarkOut): number => adverseMove?.value ?? 0;
 */
export interface MarkOut {
  readonly horizonS: number;
  /** False when prices come too seldom for this horizon, and before the first mark. The estimates are then null. */
  readonly isObservable: boolean;
  /** Fills that could be marked, and those that could not. */
  readonly fills: number;
  readonly notObservable: number;
  /** Expected profit at the fair probability of that time: the mark-out. */
  readonly profit: Estimate | null;
  /** How much of the spread that a fill earned was lost again by that time. */
  readonly adverseMove: Estimate | null;
  /** Expected profit at the fair probability when the fill happened: `profit` + `adverseMove`. */
  readonly spreadEarned: number | null;
}

interface HorizonState {
  readonly fills: number;
  readonly notObservable: number;
  readonly profit: WeightedMean;
  readonly adverseMove: WeightedMean;
}

/**
 * Plain data. `horizons` are those at 1, 10 and 60 s.
 *
 * @example
 * const waiting = ({ marks }: MarkOutState): number => marks.waiting.length;
 */
export interface MarkOutState {
  readonly marks: MarkState;
  readonly horizons: readonly HorizonState[];
}

const UNMARKED: HorizonState = {
  fills: 0,
  notObservable: 0,
  profit: NOTHING_YET,
  adverseMove: NOTHING_YET,
};

/**
 * Mark-outs of the strategy's own fills in one selection, 1, 10 and 60 s after each. Over all marked fills, spread earned
 * - adverse move = mark-out, and what a settled bet pays beyond its mark-out is luck.
 *
 * A fill that is reported after a fair probability from later than the fill is not observable: what was fair when it
 * happened is no longer known. The standard errors take fills for independent, so overlapping ones make them too small.
 *
 * @example
 * const { seed, reduce, read } = markOutEstimator();
 * const samples: readonly MarkSample[] = [
 *   { kind: 'fair', atMs: 0, probability: 0.5 },
 *   { kind: 'fill', atMs: 1000, direction: 'for', price: 2.1, stakeMicros: toMicros(20) },
 *   { kind: 'fair', atMs: 9000, probability: 0.49 },
 *   { kind: 'fair', atMs: 12_000, probability: 0.48 },
 * ];
 * const [, afterTen] = read(samples.reduce(reduce, seed));
 * afterTen?.spreadEarned; // 0.05
 * afterTen?.adverseMove?.value; // 0.021
 * afterTen?.profit?.value; // 0.029
 */
export function markOutEstimator(): Estimator<MarkOutState, MarkSample, readonly MarkOut[]> {
  return {
    seed: { marks: NO_MARKS, horizons: HORIZONS_S.map(() => UNMARKED) },
    reduce(state, sample) {
      const { state: marks, marks: due } = takeMarks(state.marks, sample, HORIZONS_S);
      const horizons = state.horizons.map((horizon, i) =>
        due.filter(({ horizonS }) => horizonS === HORIZONS_S[i]).reduce(withMark, horizon),
      );
      return { marks, horizons };
    },
    read: ({ horizons }) => horizons.map((horizon, i) => readingOf(HORIZONS_S[i] as number, horizon)),
  };
}

function withMark(state: HorizonState, { fill, observed }: Mark): HorizonState {
  if (observed === null) return { ...state, notObservable: state.notObservable + 1 };
  const profit = expectedPerStake(fill, observed.after);
  const adverseMove = expectedPerStake(fill, observed.before) - profit;
  return {
    ...state,
    fills: state.fills + 1,
    profit: withValue(state.profit, profit, fill.stakeMicros),
    adverseMove: withValue(state.adverseMove, adverseMove, fill.stakeMicros),
  };
}

/** Expected profit per unit of stake. The `against` side wins what the `for` side loses. */
function expectedPerStake({ direction, price }: FillSample, probability: number): number {
  const forProfit = probability * price - 1;
  return direction === 'for' ? forProfit : -forProfit;
}

function readingOf(horizonS: number, state: HorizonState): MarkOut {
  const { fills, notObservable } = state;
  const isObservable = fills > 0 && fills >= LEAST_OBSERVED * (fills + notObservable);
  const profit = isObservable ? estimateOf(state.profit) : null;
  const adverseMove = isObservable ? estimateOf(state.adverseMove) : null;
  const spreadEarned = profit === null || adverseMove === null ? null : profit.value + adverseMove.value;
  return { horizonS, isObservable, fills, notObservable, profit, adverseMove, spreadEarned };
}
