/**
 * Quotes both sides of each selection at the prices that two sources tell. It looks neither at its fills nor at the market, so two
 * daemons with the same sources want the same quotes at the same time.
 */
import {
  defineStrategy,
  logOddsOf,
  numberParameter,
  restingQuotes,
  tickAtLogOdds,
  z,
} from '../../src/strategy/sdk.ts';

const schema = z.strictObject({
  stake: numberParameter(10, [1, 1e6], 'the most that a quote may lose, in USDT'),
});

export default defineStrategy<z.output<typeof schema>>({
  name: 'told',
  description: 'the prices that two sources tell',
  parameters: schema,
  quote: ({ selections }, { stake }) =>
    selections.flatMap((selection) => {
      const { quoteFor, quoteAgainst } = selection.sourcePrices;
      if (quoteFor === undefined || quoteAgainst === undefined) return [];
      const [low, high] = [logOddsOf(quoteFor.price), logOddsOf(quoteAgainst.price)];
      const limits = { stake, minPrice: 1.1, maxPrice: 15 };
      const draft = {
        fairProbability: 1 / (1 + Math.exp((0 - low - high) / 2)),
        tickOn: (direction: 'for' | 'against', kind: Parameters<typeof tickAtLogOdds>[0]) =>
          tickAtLogOdds(kind, direction === 'for' ? low : high),
      };
      return restingQuotes(selection, draft, limits);
    }),
});
