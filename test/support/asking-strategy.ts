/** A strategy that wants one order `for` home, all the time, with what its parameters ask for. */
import { defineStrategy, floorTick, type QuoteIntent, toMicros, z } from '../../src/strategy/sdk.ts';

const schema = z.strictObject({ asks: z.enum(['nothing', 'take', 'dark', 'keep open', 'careful']) });

/** Beside a resting order of 10 USDT at 2.04. */
const ASKED: Readonly<Record<z.output<typeof schema>['asks'], Partial<QuoteIntent>>> = {
  nothing: {},
  take: { take: 'once', tick: floorTick(1.9) ?? 0, fairProbability: 0.6 },
  dark: { mode: 'dark', minTakerWantStakeMicros: toMicros(8) },
  'keep open': { keepOpenInRunning: true },
  careful: { excludeDanger: true, sourceMinStakesMicros: { maker: toMicros(5) } },
};

export default defineStrategy<z.output<typeof schema>>({
  name: 'asking',
  description: 'one order, with an option',
  parameters: schema,
  quote: ({ selections }, { asks }) =>
    selections
      .filter(({ outcome }) => outcome === 'h')
      .map(({ selectionId }) => ({
        selectionId,
        direction: 'for',
        level: 0,
        tick: floorTick(2.04) ?? 0,
        stakeMicros: toMicros(10),
        ...ASKED[asks],
      })),
});
