/** Pricing for strategies and research: fair prices, settlement over final scores, margins, and the theory of where to quote. */
export type { FitTarget, FittedScores } from './fit.ts';
export { bookPayoff, fitEvent, fitScores } from './fit.ts';
export { type GlftModel, type GlftValue, type QuoteDistances, glftDistances, glftValue } from './glft.ts';
export { type FillCount, type FillIntensity, fitIntensity } from './intensity.ts';
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
