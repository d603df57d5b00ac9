import type * as Sdk from '../../src/strategy/sdk.ts';

/** Quotes one side of each selection, `edge` from fair in log-odds: two of them with opposite sides lean against each other. */
export default ({ defineStrategy, logit, quoteTick, restingQuotes, topOfBook, weightedMid, z }: typeof Sdk) =>
  defineStrategy({
    name: 'one-sided',
    description: 'quotes one side of the market alone',
    parameters: z.strictObject({
      side: z.enum(['for', 'against']),
      stake: z.number().positive().default(20),
      edge: z.number().positive().default(0.01),
    }),
    quote: ({ selections }, { side, stake, edge }) =>
      selections.flatMap((selection) => {
        const top = topOfBook(selection.market);
        if (top === null) return [];
        const fairProbability = weightedMid(top);
        const terms = { fairLogOdds: logit(fairProbability), halfSpread: edge, marginTicks: 1 };
        const tick = quoteTick(side, { ...terms, placement: 'join', minEdge: 0.001 }, top);
        const limits = { stake, minPrice: 1.05, maxPrice: 30 };
        const tickOf = (direction: string) => (direction === side ? tick : null);
        return restingQuotes(selection, { fairProbability, tickOf }, limits);
      }),
  });
