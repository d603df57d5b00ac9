/**
 * Pricing for strategies and research: fair prices, settlement over final scores, margins, and the theory of where to quote.
 *
 * @module
 */
export type { FitTarget, FittedScores } from './fit.ts';
export { bookPayoff, fitEvent, fitScores } from './fit.ts';
export { type AvellanedaStoikovModel, optimalSpread, reservationPrice } from './avellaneda-stoikov.ts';
export {
  type GlftModel,
  type GlftValue,
  type QuoteDistances,
  type UnboundedDistances,
  glftClosedForm,
  glftDistances,
  glftStep,
  glftValue,
} from './glft.ts';
export {
  type LogOddsQuotes,
  informedHalfSpread,
  informedShareOf,
  priceHeldToSettlement,
  quotesFlatByStart,
} from './binary-claim.ts';
export type { FillCount, FillIntensity, FillIntensityErrors } from './intensity.ts';
export { fitIntensity, intensityErrors, isIntensityDetermined } from './intensity.ts';
export type { RequoteBand, RequotedMarket, RequoteShare } from './requote.ts';
export { placeCurvature, requoteBand, shareRequotes } from './requote.ts';
export { indifferencePrice } from './indifference.ts';
export { additive, bookSum, multiplicative, oddsRatio, power, shin, type ShinResult } from './overround.ts';
export type { ScoreGrid, ScoreRates } from './score-grid.ts';
export {
  handicapGrid,
  totalGrid,
  expectedProfit,
  expectedShares,
  fairPrice,
  scoreGrid,
  tiltedGrid,
} from './score-grid.ts';
export { bestSides, logOddsWidth, type Sides, topOfBook, type TopOfBook, weightedMid } from './fair.ts';
export { edgeOf, quoteTick, type Placement, type QuoteTerms } from './placement.ts';
export {
  type AfterFill,
  type BetDelays,
  betDelays,
  type ClosedGate,
  closedGate,
  halfOf,
  leastHalf,
  type MakerCaution,
  type MakerTimes,
  type MarketGates,
  mayQuoteAgain,
  newOrderHalf,
  restingHalf,
} from './maker-kit.ts';
export {
  type FairPoint,
  type MakerVolatility,
  makerVolatilityEstimator,
  type MakerVolatilityOptions,
  type MakerVolatilityState,
  volatilityOfMids,
} from './maker-volatility.ts';
