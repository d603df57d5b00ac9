/** A strategy's hedges in both engines of a backtest: the same bets, at the same prices. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { integerBetween, seededRandom } from '../../../../src/lib/random.ts';
import { priceOf, tickOf } from '../../../../src/domain/ladder.ts';
import { fromMicros, toMicros } from '../../../../src/domain/money.ts';
import type { ScenarioResult } from '../../../../src/research/result.ts';
import { summarise } from '../../../../src/research/statistics/summarise.ts';
import { inBothEngines } from '../../../support/both-engines.ts';
import { closed, open, type Step, TAPE_START_MS, type TapeOptions, tapeOf } from '../../../support/tapes.ts';

const FILE = fileURLToPath(new URL('../../../support/hedging-strategy.ts', import.meta.url));
const MINUTE_MS = 60_000;

/** Home, draw and away in one market, then over and under in another. */
const SELECTIONS: TapeOptions = {
  selections: [
    { outcome: 'h' },
    { outcome: 'd' },
    { outcome: 'a' },
    { outcome: 'over,2.5', market: 1 },
    { outcome: 'under,2.5', market: 1 },
  ],
  markets: [{}, { marketType: 'ou' }],
};
const PRICES: readonly (readonly [
  forRests: readonly [number, number],
  againstRests: readonly [number, number],
])[] = [
  [
    [2.04, 2.1],
    [1.98, 1.9],
  ],
  [
    [3.7, 3.8],
    [3.5, 3.4],
  ],
  [
    [4.6, 4.7],
    [4.3, 4.2],
  ],
  [
    [2.02, 2.1],
    [1.96, 1.9],
  ],
  [
    [2.06, 2.1],
    [2, 1.9],
  ],
];
const BOOK: readonly Step[] = [
  [0, 'state', open],
  [0, 'state', open, 0, 1],
  ...PRICES.flatMap(([rests, against], at): Step[] => [
    [0, 'for', rests[0], 60, at],
    [0, 'for', rests[1], 500, at],
    [0, 'against', against[0], 60, at],
    [0, 'against', against[1], 500, at],
  ]),
];
const ENDS: readonly Step[] = [
  [9 * MINUTE_MS, 'state', closed],
  [9 * MINUTE_MS, 'state', closed, 0, 1],
];
/** A quote on home at 2.02 is taken after a minute. */
const FILLED: readonly Step[] = [[MINUTE_MS, 'trade for', 2.02, 50, 0]];

interface Given {
  readonly hedges: readonly object[];
  readonly steps?: readonly Step[];
  readonly stake?: number;
}

async function both({ hedges, steps = [], stake = 50 }: Given): Promise<readonly ScenarioResult[]> {
  const parameters = {
    quotes: [{ outcome: 'h', tick: tickOf(2.02), stakeMicros: toMicros(stake) }],
    hedges,
  };
  const tape = tapeOf([...BOOK, ...FILLED, ...steps, ...ENDS], SELECTIONS);
  return inBothEngines(FILE, parameters, tape);
}

const shown = ({ fills }: ScenarioResult): string[] =>
  fills.map(
    ({ selectionId, direction, tick, stakeMicros, cause, hedge }) =>
      `${direction} ${selectionId.split('|').at(-1)} ${fromMicros(stakeMicros)} @ ${priceOf(tick)} ${cause} ${hedge ?? ''}`,
  );

const QUOTE = 'for h 50 @ 2.02 trade ';

it.each<readonly [string, object, readonly Step[], readonly string[]]>([
  [
    'flattens',
    { hedge: 'flat', goal: { kind: 'flatten', outcome: 'h' } },
    [],
    ['against h 49.5 @ 2.04 taken flat'],
  ],
  [
    'flattens by an offer that rests until a trade reaches it',
    { hedge: 'flat', goal: { kind: 'flatten', outcome: 'h' }, way: 'offer' },
    [[3 * MINUTE_MS, 'trade against', 1.98, 60, 0]],
    ['against h 51.01 @ 1.98 trade flat'],
  ],
  [
    'bounds by the cheapest single bet',
    { hedge: 'bound', goal: { kind: 'bound', boundMicros: 20e6 } },
    [],
    ['against h 30 @ 2.04 taken bound'],
  ],
  [
    'equalises a market',
    { hedge: 'green', goal: { kind: 'equalise', marketType: 'wdw' } },
    [],
    ['against h 49.5 @ 2.04 taken green'],
  ],
])('a strategy %s, the same in both engines', async (_, hedge, steps, expected) => {
  const [fast, full] = await both({ hedges: [hedge], steps });
  for (const result of [fast, full]) expect(shown(result as ScenarioResult)).toEqual([QUOTE, ...expected]);
  for (const result of [fast, full]) {
    const { hedges } = summarise(result as ScenarioResult, 1);
    expect([hedges.count, hedges.worthMicros < 0]).toEqual([1, expected[0]?.includes('taken')]);
  }
});

it('makes one hedge after the other, and none twice, in both engines', async () => {
  const hedges = [
    { hedge: 'a', goal: { kind: 'bound', boundMicros: 40e6 } },
    { hedge: 'b', goal: { kind: 'bound', boundMicros: 10e6 } },
  ];
  for (const result of await both({ hedges }))
    expect(shown(result)).toEqual([QUOTE, 'against h 10 @ 2.04 taken a', 'against h 30 @ 2.04 taken b']);
});

/** Books change so seldom that bets which lapse do so long before the next change, whenever an engine sent them. */
const PERIOD_MS = 3 * MINUTE_MS;
/** Within ten minutes of the first fill: then a view shows it no more, and the strategy would quote again. */
const PERIODS = 3;
const SEEDS = 6;
const GOALS: readonly object[] = [
  { kind: 'flatten', outcome: 'h' },
  { kind: 'flatten', outcome: 'over,2.5' },
  { kind: 'equalise', marketType: 'wdw' },
  { kind: 'equalise', marketType: 'ou' },
  { kind: 'equalise', marketType: null },
  ...[0, 5, 20, 40].map((usdt) => ({ kind: 'bound', boundMicros: toMicros(usdt) })),
];

/** Quotes on home, on over, or on both, that trades fill; then up to three hedges, whose books change after each period. */
function generated(seed: number) {
  const random = seededRandom(seed, 'hedges');
  const oneOf = <T>(values: readonly T[]): T => values[integerBetween(random, 0, values.length - 1)] as T;
  const quoted = oneOf([[0], [3], [0, 3]]);
  const quotes = quoted.map((at) => ({
    outcome: SELECTIONS.selections?.[at]?.outcome,
    tick: tickOf(at === 0 ? 2.02 : 2),
    stakeMicros: toMicros(integerBetween(random, 20, 60)),
  }));
  const hedges = Array.from({ length: integerBetween(random, 1, 3) }, (_, at) => ({
    hedge: `hedge ${at}`,
    goal: oneOf(GOALS),
    way: oneOf(['take', 'take', 'offer']),
  }));
  const trades = quoted.map((at): Step => [MINUTE_MS, 'trade for', at === 0 ? 2.02 : 2, 60, at]);
  const steps: Step[] = [...BOOK, ...trades];
  for (let period = 1; period < PERIODS; period++)
    for (const [selection, [rests, against]] of PRICES.entries()) {
      const atMs = period * PERIOD_MS;
      if (random.next() < 0.4) steps.push([atMs, 'for', rests[0], integerBetween(random, 0, 60), selection]);
      if (random.next() < 0.4)
        steps.push([atMs, 'against', against[0], integerBetween(random, 0, 60), selection]);
      if (random.next() < 0.3)
        steps.push([atMs + MINUTE_MS, 'trade against', against[0], integerBetween(random, 5, 80), selection]);
    }
  const ends = [0, 1].map((market): Step => [PERIODS * PERIOD_MS, 'state', closed, 0, market]);
  const ordered = steps.toSorted((a, b) => a[0] - b[0]);
  return { quotes, hedges, tape: tapeOf([...ordered, ...ends], SELECTIONS) };
}

/** The fills of each selection, with the period of each and what they hedge. */
const byPeriod = ({ fills }: ScenarioResult): string[] =>
  fills
    .map(
      ({ atMs, selectionId, direction, stakeMicros, tick, hedge }) =>
        `${selectionId} in period ${Math.floor((atMs - TAPE_START_MS) / PERIOD_MS)}: ${direction} ${fromMicros(stakeMicros)} @ ${priceOf(tick)} ${hedge ?? ''}`,
    )
    .toSorted();

it('generated hedges make the same bets in both engines', async () => {
  let hedging = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { quotes, hedges, tape } = generated(seed);
    const [fast, full] = (await inBothEngines(FILE, { quotes, hedges }, tape)).map(byPeriod);
    expect([seed, fast]).toEqual([seed, full]);
    hedging += full?.filter((each) => each.includes('hedge')).length ?? 0;
  }
  expect(hedging).toBeGreaterThan(SEEDS / 2);
});
