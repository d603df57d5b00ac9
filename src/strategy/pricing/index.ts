/** Pricing for strategies and research: fair prices, settlement over final scores, margins, and the theory of where to quote. */
export { bookPayoff, fitEvent } from './event-fit.ts';
export { type FitTarget, type FittedScores, fitScores } from './fit.ts';
export { type GlftModel, type GlftValue, type QuoteDistances, glftDistances, glftValue } from './glft.ts';
export { type FillCount, type FillIntensity, fitIntensity } from './intensity.ts';
export { indifferencePrice } from './indifference.ts';
export { additive, bookSum, multiplicative, oddsRatio, power, shin, type ShinResult } from './overround.ts';
export { handicapGrid, totalGrid } from './quarter-lines.ts';
export {
  expectedProfit,
  expectedShares,
  fairPrice,
  type ScoreGrid,
  scoreGrid,
  type ScoreRates,
  tiltedGrid,
} from './score-grid.ts';
export { bestSides, logOddsWidth, type Sides, topOfBook, type TopOfBook, weightedMid } from './fair.ts';
export { edgeOf, quoteTick, type Placement, type QuoteTerms } from './placement.ts';
