/** Takes of one selection in both engines of a backtest: the next one comes when the last one has ended, filled or not. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { integerBetween, seededRandom } from '../../../../src/lib/random.ts';
import { DIRECTIONS } from '../../../../src/domain/selection.ts';
import { priceOf, tickOf } from '../../../../src/domain/ladder.ts';
import { fromMicros, toMicros } from '../../../../src/domain/money.ts';
import type { ScenarioResult } from '../../../../src/research/result.ts';
import { inBothEngines } from '../../../support/both-engines.ts';
import { closed, open, type Step, TAPE_START_MS, tapeOf } from '../../../support/tapes.ts';

const FILE = fileURLToPath(new URL('../../../support/takes-strategy.ts', import.meta.url));

/** Offered to `for` takers at 2.3. */
const BOOK: readonly Step[] = [
  [0, 'state', open],
  [0, 'for', 2.5, 100],
  [0, 'against', 2.3, 80],
];
const END: Step = [600_000, 'state', closed];

const wanted = (take: string, stake: number, lifetimeS = 30): object => ({
  take,
  outcome: 'h',
  tick: tickOf(2.3),
  stakeMicros: toMicros(stake),
  lifetimeS,
});

/** The second, in whole tens, of each fill, its stake and its price. */
const shown = ({ fills }: ScenarioResult): string[] =>
  fills.map(
    ({ atMs, stakeMicros, tick, cause }) =>
      `${10 * Math.floor((atMs - TAPE_START_MS) / 10_000)} s: ${fromMicros(stakeMicros)} @ ${priceOf(tick)} ${cause}`,
  );

it.each<readonly [string, readonly object[], readonly Step[], readonly string[]]>([
  ['filled whole', [wanted('a', 30), wanted('b', 20)], [], ['0 s: 30 @ 2.3 taken', '0 s: 20 @ 2.3 taken']],
  [
    'filled in part, and waits for what is there for a moment only',
    [wanted('a', 90), wanted('b', 20)],
    [
      [50_000, 'against', 2.34, 500],
      [50_200, 'against', 2.34, 0],
    ],
    ['0 s: 80 @ 2.3 taken', '50 s: 20 @ 2.34 taken'],
  ],
  [
    'lapsed before something came',
    [wanted('a', 90, 20), wanted('b', 70, 20), wanted('c', 10, 20)],
    [
      [50_000, 'against', 2.32, 4],
      [50_200, 'against', 2.32, 0],
      [100_000, 'against', 2.34, 500],
    ],
    ['0 s: 80 @ 2.3 taken', '50 s: 4 @ 2.32 taken'],
  ],
])('the next take of a selection comes after one that was %s', async (_, takes, steps, expected) => {
  const results = await inBothEngines(FILE, { takes }, tapeOf([...BOOK, ...steps, END]));
  for (const result of results) expect(shown(result)).toEqual(expected);
});

/** Books change so seldom that takes which lapse do so long before the next change, whenever an engine sent them. */
const PERIOD_MS = 120_000;
const PERIODS = 5;
const LIFETIMES_S = [30, 3_600];
const SEEDS = 12;
const OUTCOMES = ['h', 'a'];
const PRICES = { against: [2.3, 2.32, 2.34], for: [2.5, 2.48, 2.46] } as const;

/** Up to three takes of each selection, of both directions, and books that change after each period. */
function generated(seed: number) {
  const random = seededRandom(seed, 'takes');
  const oneOf = <T>(values: readonly T[]): T => values[integerBetween(random, 0, values.length - 1)] as T;
  const takes = OUTCOMES.flatMap((outcome) =>
    Array.from({ length: integerBetween(random, 1, 3) }, (_, at) => {
      const direction = oneOf(DIRECTIONS);
      const tick = tickOf(oneOf(PRICES[direction === 'for' ? 'against' : 'for'])) ?? 0;
      const stakeMicros = toMicros(integerBetween(random, 5, 90));
      return {
        take: `${outcome}${at}`,
        outcome,
        direction,
        tick,
        stakeMicros,
        lifetimeS: oneOf(LIFETIMES_S),
      };
    }),
  );
  // The daemon chooses selections with prices on both sides.
  const changed = (period: number, side: 'for' | 'against', selection: number): Step[] =>
    period === 0 || random.next() < 0.6
      ? [
          [
            period * PERIOD_MS,
            side,
            oneOf(PRICES[side]),
            integerBetween(random, period === 0 ? 5 : 0, 60),
            selection,
          ],
        ]
      : [];
  const steps: Step[] = [[0, 'state', open]];
  for (let period = 0; period < PERIODS; period++)
    for (const selection of OUTCOMES.keys())
      for (const side of DIRECTIONS) steps.push(...changed(period, side, selection));
  const tape = tapeOf([...steps, [PERIODS * PERIOD_MS, 'state', closed]], {
    selections: OUTCOMES.map((outcome) => ({ outcome })),
  });
  return { takes, tape };
}

/** The fills of each selection, with the period of each. */
const byPeriod = ({ fills }: ScenarioResult): string[] =>
  fills
    .map(
      ({ atMs, selectionId, direction, stakeMicros, tick }) =>
        `${selectionId} in period ${Math.floor((atMs - TAPE_START_MS) / PERIOD_MS)}: ${direction} ${fromMicros(stakeMicros)} @ ${priceOf(tick)}`,
    )
    .toSorted();

it('generated takes get the same fills in both engines', async () => {
  let filled = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { takes, tape } = generated(seed);
    const [fast, full] = (await inBothEngines(FILE, { takes }, tape)).map(byPeriod);
    expect([seed, fast]).toEqual([seed, full]);
    filled += full?.length ?? 0;
  }
  expect(filled).toBeGreaterThan(SEEDS);
});
