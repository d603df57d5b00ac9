import {
  definePlugin,
  DIRECTIONS,
  logit,
  logOddsWidth,
  numberParameter,
  placementLimits,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingIntent,
  type SelectionView,
  topOfBook,
  weightedMid,
  widthLimit,
  z,
} from '../src/strategy/sdk.ts';

const parameters = z
  .strictObject({
    halfSpread: numberParameter(0.03, [1e-4, 5], 'distance of each quote from fair, in log-odds'),
    ...widthLimit,
    ...quoteLimits,
    ...placementLimits,
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof parameters>;

/**
 * The control for comparisons: a constant half-spread, in log-odds, around the weighted mid of the other makers' quotes.
 * The model of Glosten and Milgrom gives a constant log-odds half-spread for a claim that pays all or nothing.
 */
export default definePlugin<Parameters>({
  name: 'symmetric',
  description: 'constant log-odds half-spread around the weighted mid of the market without our own orders',
  parameters,
  quote: (view, chosen) => view.selections.flatMap((selection) => quoteSelection(selection, chosen)),
});

function quoteSelection(selection: SelectionView, chosen: Parameters): QuoteIntent[] {
  const top = topOfBook(selection.market);
  if (top === null || logOddsWidth(top) > chosen.maxWidth) return [];
  const fairProbability = weightedMid(top);
  const terms = { ...chosen, fairLogOdds: logit(fairProbability) };
  return DIRECTIONS.flatMap((direction) => {
    const tick = quoteTick(direction, terms, top);
    return restingIntent(selection, { direction, tick, fairProbability }, chosen);
  });
}
