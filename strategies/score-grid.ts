/**
 * `score-grid`: quotes the whole event as one book.
 *
 * Formula. The score grid (Dixon and Coles) π is fitted to the two-sided markets and tilted by the profit w of our
 * holdings in each final score: π̃ ∝ π·e^(-γw). The price at which the next fill neither gains nor loses utility on π̃
 * says how far to lean from the grid's own price. The quotes lie at the market's mid, plus that lean, ± `halfSpread`:
 * the grid decides how far to lean, not what is fair.
 *
 * Parameters. `aversion` γ says how much a lopsided book moves the quotes.
 *
 * It earns the spread with less risk than quotes that lean by selection, because one fill moves the quotes of every
 * market that depends on the same scores. It loses in a trend, and the lean gives edge away where the holdings would
 * have won.
 */
import {
  bookPayoff,
  contractsFor,
  defineStrategy,
  type Direction,
  type EventView,
  fairPrice,
  fitEvent,
  indifferencePrice,
  logit,
  logOddsOf,
  logOddsWidth,
  mayBeInPlay,
  numberParameter,
  placementLimits,
  type PriceKind,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingQuotes,
  type ScoreGrid,
  type SelectionView,
  type SettlementGrid,
  tiltedGrid,
  topOfBook,
  weightedMid,
  widthLimit,
  z,
} from '../src/strategy/sdk.ts';

const schema = z
  .strictObject({
    aversion: numberParameter(0.002, [1e-9, 1], 'absolute risk aversion γ, per USDT of profit on the event'),
    halfSpread: numberParameter(
      0.02,
      [0, 5],
      'distance of each quote from the price of indifference, in log-odds',
    ),
    ...widthLimit,
    ...quoteLimits,
    ...placementLimits,
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof schema>;

/** Probabilities of the final scores: as fitted to the market, and tilted by our own book. */
interface Beliefs {
  readonly fair: ScoreGrid;
  readonly tilted: ScoreGrid;
}

export default defineStrategy<Parameters>({
  name: 'score-grid',
  description: 'utility on the score grid: one book, every market of the event leans together',
  parameters: schema,
  quote(view, parameters) {
    // The grid is over goals still to come, so it would weigh our holdings by scores that are no longer possible.
    if (mayBeInPlay(view)) return [];
    const beliefs = beliefsOf(view, parameters);
    if (beliefs === null) return [];
    return view.selections.flatMap((selection) => quoteSelection(selection, beliefs, parameters));
  },
});

function beliefsOf(view: EventView, { aversion, maxWidth }: Parameters): Beliefs | null {
  const fair = fitEvent(view, maxWidth)?.grid;
  return fair ? { fair, tilted: tiltedGrid(fair, bookPayoff(view), aversion) } : null;
}

function quoteSelection(selection: SelectionView, beliefs: Beliefs, parameters: Parameters): QuoteIntent[] {
  const top = topOfBook(selection.market);
  const { grid } = selection;
  if (top === null || !grid || logOddsWidth(top) > parameters.maxWidth) return [];
  const fairProbability = weightedMid(top);
  // Either side has about this stake near fair.
  const stake = contractsFor(parameters.stake, fairProbability) * fairProbability;
  const tickOn = (direction: Direction, kind: PriceKind) => {
    const lean = leanOf(direction, grid, beliefs, { stake, aversion: parameters.aversion });
    if (lean === null) return null;
    return quoteTick(direction, { ...parameters, fairLogOdds: logit(fairProbability) + lean }, top, kind);
  };
  return restingQuotes(selection, { fairProbability, tickOn }, parameters);
}

/** How far the book and the next fill move the price that we would accept, in log-odds. Null without such a price. */
function leanOf(
  direction: Direction,
  grid: SettlementGrid,
  { fair, tilted }: Beliefs,
  { stake, aversion }: { readonly stake: number; readonly aversion: number },
): number | null {
  const accepted = indifferencePrice(direction, tilted, grid, stake, aversion);
  const lean = accepted === null ? NaN : logOddsOf(accepted) - logOddsOf(fairPrice(fair, grid));
  return Number.isFinite(lean) ? lean : null;
}
