/** A strategy that wants the same quotes all the time: with it both engines of a backtest decide alike, whenever they look. */
import { defineStrategy, DIRECTIONS, type EventView, type QuoteIntent, z } from '../../src/strategy/sdk.ts';

const quote = z.strictObject({
  eventId: z.string(),
  direction: z.enum(DIRECTIONS),
  tick: z.number(),
  stakeMicros: z.number(),
  level: z.number(),
});

const schema = z.strictObject({ quotes: z.array(quote) });

export default defineStrategy<z.output<typeof schema>>({
  name: 'fixed-quotes',
  description: 'the quotes of its parameters, all the time',
  parameters: schema,
  quote: (view, { quotes }) =>
    quotes.filter(({ eventId }) => eventId === view.eventId).flatMap(intentOn(view)),
});

const intentOn =
  ({ selections }: EventView) =>
  ({ direction, tick, stakeMicros, level }: z.output<typeof quote>): QuoteIntent[] =>
    selections
      .slice(0, 1)
      .map(({ selectionId }) => ({ selectionId, direction, tick, stakeMicros, level, reason: 'fixed' }));
