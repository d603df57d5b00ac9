import {
  bestSides,
  definePlugin,
  DIRECTIONS,
  fairPrice,
  fitEvent,
  type FittedScores,
  logOddsOf,
  logOddsWidth,
  placementLimits,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingIntent,
  type SelectionView,
  topOfBook,
  z,
} from '../src/strategy/sdk.ts';

const parameters = z
  .strictObject({
    /** Markets whose sides are at most this far apart, in log-odds, tell the score grid. */
    liquidWidth: z.number().positive().default(0.08),
    /** Markets at least this wide, or one-sided, are quoted around it. 0 quotes all. */
    thinWidth: z.number().min(0).default(0.08),
    /** Distance of each quote from the grid's price, in log-odds, besides what the fit's own error adds. */
    halfSpread: z.number().positive().max(5).default(0.06),
    /** How many times the fit's error is added. */
    errorWeight: z.number().min(0).max(100).default(2),
    /** No quotes while the fit is worse than this, in standard deviations of a bet. */
    maxMisfit: z.number().positive().default(0.05),
    ...quoteLimits,
    ...placementLimits,
    placement: placementLimits.placement.default('model'),
    minEdge: placementLimits.minEdge.default(0.03),
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof parameters>;

/**
 * Fits the score grid to the liquid markets of the event and quotes the thin ones around what it says, as wide as the
 * fit is uncertain.
 */
export default definePlugin<Parameters>({
  name: 'consensus',
  description: 'fits the score grid to the liquid markets and quotes the thin ones around it',
  parameters,
  quote(view, chosen) {
    const fit = fitEvent(view, chosen.liquidWidth);
    if (fit === null || fit.misfit > chosen.maxMisfit) return [];
    return view.selections.flatMap((selection) => quoteSelection(selection, fit, chosen));
  },
});

function quoteSelection(selection: SelectionView, fit: FittedScores, chosen: Parameters): QuoteIntent[] {
  if (!selection.grid || !isThin(selection, chosen.thinWidth)) return [];
  const fair = fairPrice(fit.grid, selection.grid);
  if (!(fair >= chosen.minPrice && fair <= chosen.maxPrice)) return [];
  const fairProbability = 1 / fair;
  // A profit of `misfit` standard deviations is this much in log-odds.
  const error = fit.misfit / Math.sqrt(fairProbability * (1 - fairProbability));
  const halfSpread = chosen.halfSpread + chosen.errorWeight * error;
  const terms = { ...chosen, fairLogOdds: logOddsOf(fair), halfSpread };
  return DIRECTIONS.flatMap((direction) => {
    const tick = quoteTick(direction, terms, bestSides(selection.market));
    return restingIntent(selection, { direction, tick, fairProbability }, chosen);
  });
}

/** A side that is missing makes a market thin; the liquid ones prove that the event's data is fresh. */
function isThin({ market }: SelectionView, thinWidth: number): boolean {
  const top = topOfBook(market);
  return top === null || logOddsWidth(top) >= thinWidth;
}
