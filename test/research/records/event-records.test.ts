import { describe, expect, it } from 'vitest';
import { tickOf } from '../../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../../src/domain/payoff.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { EventRecords, type Positions } from '../../../src/research/records/event-records.ts';
import { OpenTimes } from '../../../src/research/records/open-times.ts';
import { closed, type Step, TAPE_START_MS, tapeOf, fairBetween } from '../../support/tapes.ts';

/** Profits of each selection if it wins and if it loses. */
function held(...profits: readonly (readonly [ifWin: number, ifLose: number])[]): Positions {
  return {
    ifWinMicros: (selection) => profits[selection]?.[0] ?? 0,
    ifLoseMicros: (selection) => profits[selection]?.[1] ?? 0,
  };
}

/** The first selection has a fair value of one half from 0 to 50 s, and no other ever has one. */
const STEPS: readonly Step[] = [
  [0, 'against', 1.96, 100, 0],
  [0, 'for', 2.04, 100, 0],
  [0, 'against', 2, 100, 1],
  [50_000, 'for', 2.04, 0, 0],
  [90_000, 'state', closed],
];
const tape = tapeOf(STEPS, { selections: [{ outcome: 'ah,h,1' }, { outcome: 'ah,h,2' }] });
const fair = fairBetween(1.96, 2.04);

const recordsOf = (): EventRecords => {
  const window = [-Infinity, Infinity] as const;
  const times = new OpenTimes({ tape, startMs: TAPE_START_MS, window, open: [true], isQuoted: () => false });
  return new EventRecords(tape, times);
};
const markedAt = (ms: number, positions: Positions): number =>
  recordsOf().markedMicros(TAPE_START_MS + ms, positions);

describe('open positions', () => {
  it.each<[string, number, Positions, number]>([
    ['at the fair value', 10_000, held([10e6, -8e6]), fair * 10e6 - (1 - fair) * 8e6],
    [
      'at the last fair value, when there is none any more',
      60_000,
      held([10e6, -8e6]),
      fair * 10e6 - (1 - fair) * 8e6,
    ],
    ['at their worst before the first fair value', -1, held([10e6, -8e6]), -8e6],
    ['at their worst where no fair value ever was, for', 10_000, held([0, 0], [10e6, -8e6]), -8e6],
    ['at their worst where no fair value ever was, against', 10_000, held([0, 0], [-6e6, 5e6]), -6e6],
    ['at what is certain where both results pay', 10_000, held([0, 0], [3e6, 2e6]), 2e6],
    ['each by itself', 10_000, held([2e6, 2e6], [-6e6, 5e6]), 2e6 - 6e6],
    ['at nothing without one', 10_000, held(), 0],
  ])('count %s', (_, ms, positions, expected) => {
    expect(markedAt(ms, positions)).toBeCloseTo(expected, -1);
  });

  it('count in samples and at the end alike', () => {
    const records = recordsOf();
    const positions = held([0, 0], [10e6, -8e6]);
    records.sample(TAPE_START_MS + 10_000, -8e6, positions);
    expect(records.equity).toMatchObject([{ markedMicros: -8e6, worstMicros: -8e6, inventoryMicros: 18e6 }]);
    const activity = { orders: 0, betslips: 0, refusals: {}, worstMicros: -8e6, besidesMicros: 0 };
    expect(records.finish(TAPE_START_MS + 90_000, null, positions, activity)).toMatchObject({
      markedMicros: -8e6,
      worstMicros: -8e6,
      settledMicros: null,
    });
  });
});

describe('the surprise of an event', () => {
  const settled = tapeOf(STEPS, {
    selections: [
      { outcome: 'ah,h,1', settlement: WIN },
      { outcome: 'ah,h,2', settlement: LOSS },
    ],
  });
  const activity = { orders: 0, betslips: 0, refusals: {}, worstMicros: 0, besidesMicros: 0 };
  const times = new OpenTimes({
    tape: settled,
    startMs: TAPE_START_MS,
    window: [-Infinity, Infinity],
    open: [true],
    isQuoted: () => false,
  });
  const order = { restedFromMs: null, queueAheadMicros: 0, tradedMicros: 0, take: undefined };
  const tick = tickOf(2.2) ?? -1;

  it('is what bets were paid beyond what the fair values at their fills expected, where there was one', () => {
    const records = new EventRecords(settled, times);
    const fill = (selection: number, direction: Direction, ms: number): void =>
      records.onFill(
        { selection, direction, ...order },
        { tick, stakeMicros: 10e6, cause: 'trade', atMs: TAPE_START_MS + ms, inPlay: false },
      );
    fill(0, 'for', 10_000);
    // Neither has a fair value: what they win and lose tells nothing of luck.
    fill(0, 'for', 70_000);
    fill(1, 'for', 10_000);
    const expected = 10e6 * (2.2 * fair - 1);
    const outcome = records.finish(TAPE_START_MS + 90_000, null, held(), activity);
    expect(outcome.surpriseMicros).toBeCloseTo(12e6 - expected, -1);
    expect(outcome.deviationMicros).toBeCloseTo(22e6 * Math.sqrt(fair * (1 - fair)), -1);
    expect(outcome.settledMicros).toBe(12e6 + 12e6 - 10e6);
  });
});
