import { logit } from '../../domain/odds.ts';
import { informedShareOf } from '../pricing/binary-claim.ts';
import type { Estimator } from './estimator.ts';
import { type FillSample, type Mark, type MarkSample, type MarkState, NO_MARKS, takeMarks } from './marks.ts';
import { type Estimate, estimateOf, NOTHING_YET, type WeightedMean, withValue } from './weighted-mean.ts';

/**
 * Options of `toxicityEstimator`.
 *
 * @example
 * const options: Partial<ToxicityOptions> = { horizonS: 60 };
 */
export interface ToxicityOptions {
  /** Time after a fill at which its move is measured, in seconds. */
  readonly horizonS: number;
  /** Number of fills in which the weight of a fill halves. */
  readonly halfLifeFills: number;
}

const DEFAULTS: ToxicityOptions = { horizonS: 10, halfLifeFills: 20 };

/**
 * Plain data.
 *
 * @example
 * const unmarked = ({ notObservable }: ToxicityState): number => notObservable;
 */
export interface ToxicityState {
  readonly marks: MarkState;
  readonly adverseMove: WeightedMean;
  /** Contracts filled `for` minus `against`, and the sum of both, each with its weight. */
  readonly netContracts: number;
  readonly contracts: number;
  readonly notObservable: number;
}

/**
 * The reading of `toxicityEstimator`.
 *
 * @example
 * const leastHalfSpread = (reading: ToxicityReading | null): number => reading?.adverseMove?.value ?? 0;
 */
export interface ToxicityReading {
  /** How far fair moves against a fill, in log-odds. Null until a fill was marked. */
  readonly adverseMove: Estimate | null;
  /**
   * The share of takers who know the outcome that would explain that move in the model of Glosten and Milgrom, 0 to 1.
   * Quotes nearer to fair than `adverseMove` lose money to them.
   */
  readonly informedShare: number | null;
  /** How one-sided fills are, in contracts: -1 when all our fills are `against`, 1 when all are `for`, 0 in balance. */
  readonly imbalance: number;
  /** Fills without a fair probability at their time, or none late enough before the horizon. */
  readonly notObservable: number;
}

/**
 * Toxicity of the strategy's fills in one selection: how far fair moves against them, and how one-sided they are. Recent
 * fills count more. The reading is null before the first fill.
 *
 * @example
 * const { seed, reduce, read } = toxicityEstimator();
 * const samples: readonly MarkSample[] = [
 *   { kind: 'fair', atMs: 0, probability: 0.5 },
 *   { kind: 'fill', atMs: 1000, direction: 'for', price: 2.1, stakeMicros: toMicros(20) },
 *   { kind: 'fair', atMs: 9000, probability: 0.49 },
 *   { kind: 'fair', atMs: 12_000, probability: 0.48 },
 * ];
 * const reading = read(samples.reduce(reduce, seed));
 * reading?.adverseMove?.value; // 0.040005
 * reading?.informedShare; // 0.02
 */
export function toxicityEstimator(
  options: Partial<ToxicityOptions> = {},
): Estimator<ToxicityState, MarkSample, ToxicityReading | null> {
  const { horizonS, halfLifeFills } = { ...DEFAULTS, ...options };
  const kept = 2 ** -(1 / halfLifeFills);
  return {
    seed: { marks: NO_MARKS, adverseMove: NOTHING_YET, netContracts: 0, contracts: 0, notObservable: 0 },
    reduce(state, sample) {
      const { state: marks, marks: due } = takeMarks(state.marks, sample, [horizonS]);
      const counted = sample.kind === 'fill' ? withFill(state, sample, kept) : state;
      return due.reduce((sum, mark) => withMark(sum, mark, kept), { ...counted, marks });
    },
    read: readingOf,
  };
}

function withFill(
  state: ToxicityState,
  { direction, price, stakeMicros }: FillSample,
  kept: number,
): ToxicityState {
  const contracts = stakeMicros * price;
  const net = direction === 'for' ? contracts : -contracts;
  return {
    ...state,
    netContracts: state.netContracts * kept + net,
    contracts: state.contracts * kept + contracts,
  };
}

function withMark(state: ToxicityState, { fill, observed }: Mark, kept: number): ToxicityState {
  if (observed === null) return { ...state, notObservable: state.notObservable + 1 };
  const fall = logit(observed.before) - logit(observed.after);
  const adverse = fill.direction === 'for' ? fall : -fall;
  return { ...state, adverseMove: withValue(state.adverseMove, adverse, 1, kept) };
}

function readingOf(state: ToxicityState): ToxicityReading | null {
  if (state.contracts === 0) return null;
  const adverseMove = estimateOf(state.adverseMove);
  return {
    adverseMove,
    informedShare: adverseMove && informedShareOf(Math.max(0, adverseMove.value)),
    imbalance: state.netContracts / state.contracts,
    notObservable: state.notObservable,
  };
}
