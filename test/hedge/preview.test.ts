import { describe, expect, it } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { cellsOf, worstOfGroup } from '../../src/hedge/book.ts';
import { previewOf } from '../../src/hedge/preview.ts';
import { CENT, scoreLeg, scores } from './support/books.ts';

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
        group: 0,
        before: [190, -100, -100].map((cents) => cents * CENT),
        after: [19, 19, 19].map((cents) => cents * CENT),
        ifHalf: [104.5, -40, -40].map((cents) => cents * CENT),
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
