/**
 * `symmetric`: a constant half-spread, in log-odds, around the weighted mid of the other makers. The control for
 * comparisons.
 *
 * Formula. The quotes lie at L ± `halfSpread`, where L is the log-odds of the weighted mid. The model of Glosten and
 * Milgrom gives such a constant half-spread for a claim that pays all or nothing.
 *
 * Parameters. `halfSpread` is the edge of a fill. `placement` may move a quote to the best of the others, down to
 * `minEdge`.
 *
 * It earns the half-spread of each fill where takers come from both sides. It loses in a trend and to takers who know
 * more, because it does not react to its position.
 */
import {
  defineStrategy,
  type Direction,
  logit,
  logOddsWidth,
  numberParameter,
  type PriceKind,
  placementLimits,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingQuotes,
  type SelectionView,
  topOfBook,
  weightedMid,
  widthLimit,
  z,
} from '../src/strategy/sdk.ts';

const schema = z
  .strictObject({
    halfSpread: numberParameter(0.03, [1e-4, 5], 'distance of each quote from fair, in log-odds'),
    ...widthLimit,
    ...quoteLimits,
    ...placementLimits,
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof schema>;

export default defineStrategy<Parameters>({
  name: 'symmetric',
  description: 'constant log-odds half-spread around the weighted mid of the market without our own orders',
  parameters: schema,
  quote(view, parameters) {
    const quotes: QuoteIntent[] = [];
    for (const selection of view.selections) quotes.push(...quoteSelection(selection, parameters));
    return quotes;
  },
});

function quoteSelection(selection: SelectionView, parameters: Parameters): QuoteIntent[] {
  const top = topOfBook(selection.market);
  if (top === null || logOddsWidth(top) > parameters.maxWidth) return [];
  const fairProbability = weightedMid(top);
  const { halfSpread, minEdge, marginTicks, placement } = parameters;
  const terms = { fairLogOdds: logit(fairProbability), halfSpread, minEdge, marginTicks, placement };
  const tickOn = (direction: Direction, kind: PriceKind) => quoteTick(direction, terms, top, kind);
  return restingQuotes(selection, { fairProbability, tickOn }, parameters);
}
