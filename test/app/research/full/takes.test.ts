/** Takes of one selection in both engines of a backtest: the next one comes when the last one has ended, filled or not. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
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
