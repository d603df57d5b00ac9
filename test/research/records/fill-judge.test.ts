import { describe, expect, it } from 'vitest';
import { tickOf } from '../../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../../src/domain/payoff.ts';
import { fairSeries } from '../../../src/fair/series.ts';
import { FillJudge } from '../../../src/research/records/fill-judge.ts';
import {
  closed,
  inPlay,
  open,
  type Step,
  suspended,
  TAPE_START_MS,
  tapeOf,
  fairBetween,
} from '../../support/tapes.ts';

const REMOVAL_MS = 60_000;
const FACTOR = 30;

/** A race from which another runner is removed. */
const raceWith = (...then: readonly Step[]) =>
  tapeOf([[0, 'against', 2.9, 100], [0, 'for', 3.1, 100], ...then, [900_000, 'state', closed]], {
    selections: [
      { outcome: 'win,1', settlement: WIN },
      { outcome: 'win,2', settlement: LOSS },
    ],
    markets: [{ marketType: 'win', winners: null }],
    removals: [{ atMs: REMOVAL_MS, market: 0, selection: 1, factor: FACTOR }],
  });
/** Its book says the same before and after. */
const race = raceWith();
const FAIR = fairBetween(2.9, 3.1);

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

  it('goes by the price of the fill where no fair value came after it', () => {
    const before = raceWith([REMOVAL_MS, 'clear', 0]);
    const { lastMicros } = new FillJudge(before, fairSeries(before)).judged({
      selection: 0,
      direction: 'for',
      tick: tickOf(3) ?? -1,
      stakeMicros: 10e6,
      atMs: TAPE_START_MS + REMOVAL_MS - 20_000,
      settledMicros: null,
    });
    expect(lastMicros).toBeCloseTo(worthAt(3), -1);
    expect(judgedAt(REMOVAL_MS - 20_000).lastMicros).toBeCloseTo(worthAt(3 * (1 - FACTOR / 100)), -1);
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

describe('what a fill is worth where a draw returns the stake', () => {
  const SUSPENDED_MS = 600_000;
  /** The draw becomes likelier 30 s after the fill, again before play, and again in play. */
  const DRAWS = [
    [0, 4, 4.2],
    [40_000, 3, 3.1],
    [500_000, 2, 2.04],
    [700_000, 1.5, 1.52],
  ] as const;
  const match = tapeOf(
    [
      [0, 'against', 1.96, 100, 0],
      [0, 'for', 2.04, 100, 0],
      ...DRAWS.flatMap(([ms, back, lay], at): Step[] => [
        ...(at === 0 ? [] : [[ms, 'clear', 1] as const]),
        [ms, 'against', back, 200, 1],
        [ms, 'for', lay, 200, 1],
      ]),
      [SUSPENDED_MS, 'state', suspended],
      [SUSPENDED_MS + 20_000, 'state', open + inPlay],
      [900_000, 'state', closed],
    ].toSorted(([a], [b]) => Number(a) - Number(b)) as Step[],
    { selections: [{ outcome: 'dnb,h' }, { outcome: 'd' }] },
  );
  const judge = new FillJudge(match, fairSeries(match));
  const judgedAt = (ms: number) => {
    const fill = { selection: 0, direction: 'for', tick: tickOf(2.2) ?? -1, stakeMicros: 10e6 } as const;
    return judge.judged({ ...fill, atMs: TAPE_START_MS + ms, settledMicros: null });
  };
  /** The worth with the draw of one of `DRAWS`. */
  const worthWith = (at: 0 | 1 | 2 | 3): number => {
    const [, back, lay] = DRAWS[at];
    return Math.round(10e6 * (1 - fairBetween(back, lay)) * (2.2 * fairBetween(1.96, 2.04) - 1));
  };

  it('goes by the draw of the instant of each fair value, not by that of the fill', () => {
    const { worthMicros, markMicros, closingMicros } = judgedAt(10_000);
    expect(worthMicros).toBe(worthWith(0));
    expect(markMicros).toEqual([worthWith(0), worthWith(1), worthWith(1)]);
    expect(closingMicros).toBe(worthWith(2));
  });

  it('goes by the last draw where nothing but the last fair value judges it', () => {
    expect(judgedAt(650_000)).toMatchObject({ closingMicros: null, lastMicros: worthWith(3) });
  });
});
