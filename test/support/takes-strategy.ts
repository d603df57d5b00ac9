/** A strategy that wants the same takes and quotes all the time, the first of them first: the same in each engine. */
import { defineStrategy, DIRECTIONS, type EventView, type QuoteIntent, z } from '../../src/strategy/sdk.ts';

const order = z.strictObject({
  take: z.string().optional(),
  level: z.number().default(0),
  outcome: z.string(),
  direction: z.enum(DIRECTIONS).default('for'),
  tick: z.number(),
  stakeMicros: z.number(),
  lifetimeS: z.number(),
  keepOpenInRunning: z.boolean().optional(),
});
const schema = z.strictObject({ takes: z.array(order) });

export default defineStrategy<z.output<typeof schema>>({
  name: 'takes',
  description: 'the takes and quotes of its parameters, all the time',
  parameters: schema,
  quote: (view, { takes }) => takes.flatMap(intentOn(view)),
});

const intentOn =
  ({ selections }: EventView) =>
  ({ outcome, take, keepOpenInRunning, ...wanted }: z.output<typeof order>): QuoteIntent[] =>
    selections
      .filter((selection) => selection.outcome === outcome)
      .map(({ selectionId }) => ({
        ...wanted,
        ...(take !== undefined && { take }),
        ...(keepOpenInRunning !== undefined && { keepOpenInRunning }),
        selectionId,
        valueMicrosPerS: 0,
        // Every price is a good one.
        fairProbability: wanted.direction === 'for' ? 0.9 : 0.1,
      }));
