import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { type BookGroup, cellsOf, worstMicros, worstOfGroup } from '../../src/hedge/book.ts';
import { leastStake, withBets } from '../../src/hedge/legs.ts';
import { previewOf } from '../../src/hedge/preview.ts';
import { CENT, fillsOf, scoreLeg, scores, smallCases } from './support/books.ts';
import { filledWorst } from './support/judges.ts';

const TIMES = { betslipMs: 2_000, orderMs: 500, betDelayMs: 5_000 };
const lay = scoreLeg(
  { id: 'home', kind: 'lay-for', tick: tickOf(2.5) as number, available: 1_000, loss: 0.02 },
  [WIN, LOSS, LOSS],
);
const book = [scores([200, -100, -100])];

describe('the preview of a hedge', () => {
  it('shows what each score pays after commission, what remains if half fills, and what it takes', () => {
    const preview = previewOf(book, [{ leg: lay, stakeMicros: 120 * CENT }], 0.05, TIMES);

    expect(preview.groups).toEqual([
      {
        before: [190, -100, -100, 0].map((cents) => cents * CENT),
        after: [19, 19, 19, 0].map((cents) => cents * CENT),
        ifHalf: [104.5, -40, -40, 0].map((cents) => cents * CENT),
      },
    ]);
    expect(preview.worst).toEqual({
      before: -100 * CENT,
      after: 0,
      ifHalf: -40 * CENT,
      least: -100 * CENT,
    });
    expect(preview.expectedLossMicros).toBe(2.4 * CENT);
    expect(preview.commissionMicros).toBe(CENT);
    expect([preview.betslips, preview.seconds]).toEqual([1, 7.5]);
  });

  it('is that of every state and every subset of fills, whatever is hedged', () => {
    fc.assert(
      fc.property(
        smallCases({ cells: 4, legs: 4, available: 40 }),
        fc.constantFrom(0, 0.02, 0.1),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        ({ book: held, legs: offered }, rate, open) => {
          const legs = offered.map((leg, index) => ({
            leg: { ...leg, hasBetslip: open[index] === true },
            stakeMicros: leastStake(leg) * (index + 1),
          }));
          const preview = previewOf(held, legs, rate, TIMES);
          const halves = legs.map(({ leg, stakeMicros }) => ({
            leg,
            stakeMicros: Math.floor(stakeMicros / 2),
          }));
          expect(preview.worst).toEqual({
            before: worstMicros(held),
            after: filledWorst(held, legs),
            ifHalf: filledWorst(held, halves),
            least: Math.min(...fillsOf(legs).map((fills) => filledWorst(held, fills))),
          });

          const cells = (bets: typeof legs, group: number): readonly number[] =>
            cellsOf(withBets(held, bets, 'all')[group] as BookGroup);
          const commission = (micros: number): number => (micros > 0 ? Math.ceil(micros * rate) : 0);
          const ends = (bets: typeof legs, group: number): readonly number[] =>
            held[group]?.kind === 'scores' ? [...cells(bets, group), 0] : cells(bets, group);
          const net = (bets: typeof legs, group: number): readonly number[] =>
            ends(bets, group)
              .map((micros) => micros + Math.min(...ends(bets, 1 - group)))
              .map((micros) => micros - commission(micros));
          expect(preview.groups).toEqual(
            [0, 1].map((group) => ({
              before: net([], group),
              after: net(legs, group),
              ifHalf: net(halves, group),
            })),
          );
          const { worst } = preview;
          for (const group of preview.groups)
            expect([group.before, group.after, group.ifHalf].map((each) => Math.min(...each))).toEqual([
              worst.before,
              worst.after,
              worst.ifHalf,
            ]);
          const touched = [...new Set(legs.map(({ leg }) => leg.group))];
          const growthIn = (group: number): number => {
            const before = cells([], group).map(commission);
            return Math.max(
              0,
              ...cells(legs, group).map((micros, at) => commission(micros) - (before[at] ?? NaN)),
            );
          };
          expect(preview.commissionMicros).toBe(touched.map(growthIn).reduce((sum, each) => sum + each, 0));

          const closed = legs.filter(({ leg }) => !leg.hasBetslip).length;
          expect([preview.betslips, preview.seconds]).toEqual([closed, closed > 0 ? 7.5 : 5.5]);
          const isKnown = legs.every(({ leg }) => leg.lossPerUnit !== null);
          const loss = legs.reduce(
            (sum, { leg, stakeMicros }) => sum + stakeMicros * (leg.lossPerUnit ?? 0),
            0,
          );
          expect(preview.expectedLossMicros).toBe(isKnown ? Math.ceil(loss) : null);
        },
      ),
    );
  });

  it('needs no time for betslips that are open, and none at all without a bet', () => {
    const open = { ...lay, hasBetslip: true, lossPerUnit: null };
    const preview = previewOf(book, [{ leg: open, stakeMicros: CENT }], 0, TIMES);
    expect([preview.betslips, preview.seconds, preview.expectedLossMicros]).toEqual([0, 5.5, null]);
    expect(previewOf(book, [], 0, TIMES).seconds).toBe(0);
  });
});

describe('the final states of a group', () => {
  it('count reachable scores alone', () => {
    expect(cellsOf({ ...scores([-500, 20, -30]), reachable: [1, 2] } as never)).toEqual([
      20 * CENT,
      -30 * CENT,
    ]);
    expect(worstOfGroup({ kind: 'scores', micros: Float64Array.of(-5, 7), reachable: [1] })).toBe(0);
  });

  it('count no gain of a beaten runner, which may be void', () => {
    const group = { kind: 'runners', micros: Float64Array.of(100, -20, -70, 30) } as const;
    expect(cellsOf(group)).toEqual([100, -90, -20]);
    expect(worstOfGroup(group)).toBe(-90);
  });
});
