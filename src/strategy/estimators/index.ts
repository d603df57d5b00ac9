/**
 * Estimators on streams. Each is a pure reducer with a seed and a reading, and its state is plain JSON data: for RxJS it
 * is `samples$.pipe(scan(estimator.reduce, estimator.seed), map(estimator.read))`, and a saved state continues as if
 * nothing had happened. Samples come in the order of time.
 *
 * @module
 */
export { type Estimator, type KeyedSample, keyedEstimator } from './estimator.ts';
export { type EventOptions, type EventReading, eventEstimator } from './event.ts';
export type { EventState, OwnFillSample, ViewSample } from './event.ts';
export { type IntensityOptions, type IntensityReading, intensityEstimator } from './intensity.ts';
export { type FillsAtFair, fillsAtFair } from './intensity.ts';
export type { IntensityState, QuotedSample } from './intensity.ts';
export { type MarkOut, type MarkOutState, markOutEstimator } from './mark-outs.ts';
export type { FairSample, FillSample, MarkSample, MarkState } from './marks.ts';
export { type ToxicityOptions, type ToxicityReading, toxicityEstimator } from './toxicity.ts';
export type { ToxicityState } from './toxicity.ts';
export { type VolatilityOptions, type VolatilityReading, volatilityEstimator } from './volatility.ts';
export type { MidSample, VolatilityState } from './volatility.ts';
export type { Estimate, WeightedMean } from './weighted-mean.ts';
