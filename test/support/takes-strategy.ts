/** A strategy that wants the same takes all the time, the first of them first: the same in each engine. */
import { defineStrategy, DIRECTIONS, type EventView, type QuoteIntent, z } from '../../src/strategy/sdk.ts';

const take = z.strictObject({
  take: z.string(),
  outcome: z.string(),
  direction: z.enum(DIRECTIONS).default('for'),
  tick: z.number(),
  stakeMicros: z.number(),
  lifetimeS: z.number(),
});
const schema = z.strictObject({ takes: z.array(take) });

export default defineStrategy<z.output<typeof schema>>({
  name: 'takes',
  description: 'the takes of its parameters, all the time',
  parameters: schema,
  quote: (view, { takes }) => takes.flatMap(intentOn(view)),
});

const intentOn =
  ({ selections }: EventView) =>
  ({ outcome, ...wanted }: z.output<typeof take>): QuoteIntent[] =>
    selections
      .filter((selection) => selection.outcome === outcome)
      .map(({ selectionId }) => ({
        ...wanted,
        selectionId,
        level: 0,
        valueMicrosPerS: 0,
        // Every price is a good one.
        fairProbability: wanted.direction === 'for' ? 0.9 : 0.1,
      }));
