/**
 * `consensus`: fits the score grid (Dixon and Coles) to the liquid markets of the event and quotes the thin ones around
 * the grid's price.
 *
 * Formula. λ, μ and ρ minimise the squared misfits of all liquid prices, each weighted by 1 / (width in log-odds)². The
 * quotes lie at the log-odds of the grid's price ± (`halfSpread` + `errorWeight` × error). The error is the misfit as
 * log-odds.
 *
 * Parameters. `liquidWidth` and `thinWidth` say which markets are fitted and which are quoted. Without a fit that the
 * prices determine, or with one worse than `maxMisfit`, it quotes nothing.
 *
 * It earns where nobody else quotes, from takers who pay for a price at all. It loses where the grid is wrong about a
 * market, for instance about late goals or a missing striker, and where thin markets react to news first.
 */
import {
  bestSides,
  defineStrategy,
  type Direction,
  fairPrice,
  fitEvent,
  type FittedScores,
  logOddsOf,
  logOddsWidth,
  mayBeInPlay,
  numberParameter,
  placementFrom,
  type PriceKind,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingQuotes,
  type SelectionView,
  topOfBook,
  z,
} from '../src/strategy/sdk.ts';

const schema = z
  .strictObject({
    liquidWidth: numberParameter(
      0.2,
      [0.001, 50],
      'the score grid is fitted to markets at most this wide, in log-odds',
    ),
    thinWidth: numberParameter(
      0.2,
      [0, 50],
      'markets at least this wide, or one-sided, are quoted; 0 quotes all',
    ),
    halfSpread: numberParameter(
      0.06,
      [1e-4, 5],
      'distance of each quote from the price of the grid, in log-odds',
    ),
    errorWeight: numberParameter(
      2,
      [0, 100],
      'how many times the error of the fit is added to that distance',
    ),
    maxMisfit: numberParameter(
      0.05,
      [1e-6, 10],
      'no quotes while the fit is worse, in standard deviations of a bet',
    ),
    ...quoteLimits,
    ...placementFrom('model', 0.03),
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof schema>;

export default defineStrategy<Parameters>({
  name: 'consensus',
  description: 'fits the score grid to the liquid markets and quotes the thin ones around it',
  parameters: schema,
  quote(view, parameters) {
    // The grid is over goals still to come and does not know those already scored.
    if (mayBeInPlay(view)) return [];
    const fit = fitEvent(view, parameters.liquidWidth);
    if (fit === null || !fit.isDetermined || fit.misfit > parameters.maxMisfit) return [];
    return view.selections.flatMap((selection) => quoteSelection(selection, fit, parameters));
  },
});

function quoteSelection(selection: SelectionView, fit: FittedScores, parameters: Parameters): QuoteIntent[] {
  if (!selection.grid || !isThin(selection, parameters.thinWidth)) return [];
  const fair = fairPrice(fit.grid, selection.grid);
  if (!(fair >= parameters.minPrice && fair <= parameters.maxPrice)) return [];
  const fairProbability = 1 / fair;
  // `misfit` is in standard deviations of a bet's profit. This is the same error in log-odds.
  const error = fit.misfit / Math.sqrt(fairProbability * (1 - fairProbability));
  const halfSpread = parameters.halfSpread + parameters.errorWeight * error;
  const terms = { ...parameters, fairLogOdds: logOddsOf(fair), halfSpread };
  const sides = bestSides(selection.market);
  const tickOn = (direction: Direction, kind: PriceKind) => quoteTick(direction, terms, sides, kind);
  return restingQuotes(selection, { fairProbability, tickOn }, parameters);
}

/**
 * A market is thin when it is wide or has only one side. The liquid markets prove that the event's data is fresh. With
 * both sides missing the market may be suspended, and with crossed sides one of them is stale: neither is quoted.
 */
function isThin({ market }: SelectionView, thinWidth: number): boolean {
  const { forTakers, againstTakers } = bestSides(market);
  const top = topOfBook(market);
  const isOneSided = (forTakers === null) !== (againstTakers === null);
  return isOneSided || (top !== null && logOddsWidth(top) >= thinWidth);
}
