import { describe, expect, it } from 'vitest';
import { tickOf } from '../../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../../src/domain/payoff.ts';
import { fairSeries } from '../../../src/fair/series.ts';
import { FillJudge } from '../../../src/research/records/fill-judge.ts';
import { closed, type Step, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';

const REMOVAL_MS = 60_000;
const FACTOR = 30;

/** A race whose book says the same before and after the removal of another runner. */
const race = tapeOf(
  [
    [0, 'against', 2.9, 100],
    [0, 'for', 3.1, 100],
    [900_000, 'state', closed],
  ] satisfies Step[],
  {
    selections: [
      { outcome: 'win,1', settlement: WIN },
      { outcome: 'win,2', settlement: LOSS },
    ],
    markets: [{ marketType: 'win', winners: null }],
    removals: [{ atMs: REMOVAL_MS, market: 0, selection: 1, factor: FACTOR }],
  },
);
const FAIR = 1 / (1 + Math.sqrt(1.9 * 2.1));

describe('what a fill is worth around the removal of another runner', () => {
  const judge = new FillJudge(race, fairSeries(race));
  const judgedAt = (ms: number, direction: 'for' | 'against' = 'for') =>
    judge.judged({
      selection: 0,
      direction,
      tick: tickOf(3) ?? -1,
      stakeMicros: 10e6,
      atMs: TAPE_START_MS + ms,
      settledMicros: null,
    });
  const worthAt = (price: number): number => 10e6 * (price * FAIR - 1);

  it('goes by the price of the fill until the removal, and by the reduced one after it', () => {
    const { worthMicros, markMicros } = judgedAt(REMOVAL_MS - 20_000);
    expect(worthMicros).toBeCloseTo(worthAt(3), -1);
    expect(markMicros[0]).toBeCloseTo(worthAt(3), -1);
    expect(markMicros[1]).toBeCloseTo(worthAt(3 * (1 - FACTOR / 100)), -1);
  });

  it.each(['for', 'against'] as const)(
    'goes by the whole price of a fill %s the runner after it',
    (direction) => {
      const { worthMicros, markMicros } = judgedAt(REMOVAL_MS + 20_000, direction);
      const sign = direction === 'for' ? 1 : -1;
      for (const micros of [worthMicros, ...markMicros]) expect(micros).toBeCloseTo(sign * worthAt(3), -1);
    },
  );
});
