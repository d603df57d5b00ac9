/** A strategy that quotes once and hedges what it holds: the same in each engine. */
import { defineStrategy, type EventView, type HedgeIntent, type Wanted, z } from '../../src/strategy/sdk.ts';

const goal = z.union([
  z.strictObject({ kind: z.literal('bound'), boundMicros: z.number() }),
  z.strictObject({ kind: z.literal('equalise'), marketType: z.string().nullable() }),
  z.strictObject({ kind: z.literal('flatten'), outcome: z.string() }),
]);

const schema = z.strictObject({
  /** `for` quotes; each is wanted until it is filled. */
  quotes: z.array(z.strictObject({ outcome: z.string(), tick: z.number(), stakeMicros: z.number() })),
  hedges: z.array(
    z.strictObject({ hedge: z.string(), goal, way: z.enum(['take', 'offer']).default('take') }),
  ),
});
type Parameters = z.output<typeof schema>;

const goalOf = ({ selections }: EventView, end: z.output<typeof goal>): HedgeIntent['goal'] | null => {
  if (end.kind !== 'flatten') return end;
  const selection = selections.find(({ outcome }) => outcome === end.outcome);
  return selection === undefined ? null : { kind: 'flatten', selectionId: selection.selectionId };
};

export default defineStrategy<Parameters>({
  name: 'hedging',
  description: 'quotes until it is filled, then hedges',
  parameters: schema,
  quote: (view, { quotes, hedges }) => {
    const wanted = quotes.flatMap(({ outcome, ...quote }): Wanted[] => {
      const selection = view.selections.find((each) => each.outcome === outcome);
      const backed = selection?.recentFills?.filter(({ direction }) => direction === 'for') ?? [];
      const filledMicros = backed.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0);
      return selection === undefined || filledMicros >= quote.stakeMicros
        ? []
        : [{ ...quote, selectionId: selection.selectionId, direction: 'for', level: 0 }];
    });
    if (wanted.length > 0) return wanted;
    return hedges.flatMap(({ goal: end, ...hedge }) => {
      const found = goalOf(view, end);
      return found === null ? [] : [{ ...hedge, goal: found }];
    });
  },
});
