/** How much of the fills the rule for recorded trades decides. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickOf } from '../../../src/domain/ladder.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { QUEUE } from '../../../src/fills/power-queue.ts';
import { FILL_MODELS } from '../../../src/fills/scenarios.ts';
import { fillsOfQuotes, type FixedQuote } from '../../../src/research/fast/fixed-quotes.ts';
import { besidesAtWholeSize, type RestedOrder } from '../../../src/research/fast/whole-trades.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { type Step, tapeOf } from '../../support/tapes.ts';
import { generatedCase, INSTANT } from './fixed-quotes.ts';

const WHOLE = QUEUE.atWholeSize ?? QUEUE;

/** The orders of quotes in a run of the rule. */
function restedIn(tape: EventTape, quotes: readonly FixedQuote[]): RestedOrder[] {
  const rowOf = (wallMs: number | null): number => {
    const row = wallMs === null ? -1 : tape.updates.atMs.findIndex((each) => each >= wallMs);
    return row === -1 ? tape.updates.length : row;
  };
  return fillsOfQuotes(tape, quotes, QUEUE, { settings: INSTANT }).flatMap((fate, at) => {
    const { selection, direction, tick, stakeMicros, closedMs } = quotes[at] as FixedQuote;
    const { restedFromMs, filledMicros } = fate;
    if (restedFromMs === null) return [];
    const [fromRow, toRow] = [rowOf(restedFromMs), rowOf(closedMs)];
    return [{ selection, direction, tick, stakeMicros, filledMicros, fromRow, toRow }];
  });
}

const besides = (steps: readonly Step[], order: Partial<RestedOrder>, model = QUEUE): number =>
  besidesAtWholeSize(
    tapeOf(steps),
    [
      {
        selection: 0,
        direction: 'for',
        tick: tickOf(2.5) ?? -1,
        stakeMicros: toMicros(40),
        filledMicros: 0,
        fromRow: 2,
        toRow: steps.length,
        ...order,
      },
    ],
    model,
  ) / 1e6;

const BOOK: readonly Step[] = [
  [0, 'for', 2.5, 100],
  [0, 'against', 2.3, 80],
];

describe('what orders would get besides if trades counted by their whole size', () => {
  it('is what trades without a fall would have given them while they rested', () => {
    const unmatched: readonly Step[] = [...BOOK, [100, 'trade for', 2.5, 130]];
    expect(besides(unmatched, {})).toBe(30);
    expect(besides(unmatched, { filledMicros: toMicros(25) })).toBe(5);
    expect(besides(unmatched, { toRow: 2 })).toBe(0);
    expect(besides(unmatched, { fromRow: 3 })).toBe(0);
    expect(besides(unmatched, { tick: tickOf(2.52) ?? -1 })).toBe(0);
    expect(besides(unmatched, { direction: 'against', tick: tickOf(2.3) ?? -1 })).toBe(0);
  });

  it('is nothing where levels fell by what traded, and in scenarios without a queue', () => {
    const matched: readonly Step[] = [
      ...BOOK,
      [50, 'for', 2.5, 200],
      [100, 'trade for', 2.5, 130],
      [100, 'for', 2.5, 70],
    ];
    expect(besides(matched, {})).toBe(0);
    const unmatched: readonly Step[] = [...BOOK, [100, 'trade for', 2.5, 130]];
    for (const scenario of ['touch', 'through'] as const)
      expect(besides(unmatched, {}, FILL_MODELS[scenario])).toBe(0);
  });

  it('needs no delay: an order rested after its delay, in play too', () => {
    const steps: readonly Step[] = [...BOOK, [5, 'state', 4, 5_000], [100, 'trade for', 2.5, 110]];
    expect(besides(steps, { fromRow: 3 })).toBe(10);
  });

  it('is the difference of both rules, order by order, and never negative', () => {
    let different = 0;
    fc.assert(
      fc.property(generatedCase, ({ steps, quotes }) => {
        const tape = tapeOf(steps);
        const [rule, whole] = [QUEUE, WHOLE].map((model) =>
          fillsOfQuotes(tape, quotes, model, { settings: INSTANT }),
        );
        fc.pre(
          [...(rule ?? []), ...(whole ?? [])].every(({ fills }) =>
            fills.every(({ cause }) => cause !== 'taken'),
          ),
        );
        let expected = 0;
        for (const at of quotes.keys()) {
          const more = (whole?.[at]?.filledMicros ?? NaN) - (rule?.[at]?.filledMicros ?? NaN);
          expect(more).toBeGreaterThanOrEqual(0);
          expected += more;
        }
        expect(besidesAtWholeSize(tape, restedIn(tape, quotes), QUEUE)).toBe(expected);
        if (expected > 0) different++;
      }),
      { numRuns: 300 },
    );
    expect(different).toBeGreaterThan(20);
  });
});
