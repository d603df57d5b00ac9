import {
  definePlugin,
  type Direction,
  logit,
  logOddsWidth,
  priceOf,
  type QuoteIntent,
  quoteTick,
  type SelectionView,
  toMicros,
  topOfBook,
  weightedMid,
  z,
} from '../src/strategy/sdk.ts';

const parameters = z
  .strictObject({
    /** Distance of each quote from fair, in log-odds. */
    halfSpread: z.number().positive().max(5).default(0.03),
    /** Stake of each quote, in USDT. */
    stake: z.number().positive().max(1e6).default(20),
    /** Quotes outside these prices are left out. */
    minPrice: z.number().min(1.01).max(1000).default(1.05),
    maxPrice: z.number().min(1.01).max(1000).default(30),
    /** Markets whose sides are further apart than this, in log-odds, are not quoted. */
    maxWidth: z.number().positive().default(0.6),
    /** Ticks between a quote and the price at which it would take. */
    marginTicks: z.int().min(1).max(50).default(1),
    /** `model`, `join` (the best of the others) or `improve` (one tick in front of them). */
    placement: z.enum(['model', 'join', 'improve']).default('join'),
    /** The least distance from fair that joining or improving leaves, in log-odds. */
    minEdge: z.number().min(0).default(0.004),
  })
  .refine(({ minPrice, maxPrice }) => minPrice <= maxPrice, {
    path: ['minPrice'],
    error: 'is above maxPrice',
  });

type Parameters = z.output<typeof parameters>;

/**
 * The control: a constant half-spread in log-odds around the weighted mid of the others' quotes. A constant log-odds
 * half-spread is what Glosten and Milgrom's model gives for a claim that pays all or nothing.
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
  const intent = (direction: Direction): QuoteIntent[] => {
    const tick = quoteTick(direction, terms, top);
    if (tick === null || priceOf(tick) < chosen.minPrice || priceOf(tick) > chosen.maxPrice) return [];
    const stakeMicros = toMicros(chosen.stake);
    return [{ selectionId: selection.selectionId, direction, tick, stakeMicros, level: 0, fairProbability }];
  };
  return [...intent('against'), ...intent('for')];
}
