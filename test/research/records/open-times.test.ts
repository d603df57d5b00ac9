import { describe, expect, it } from 'vitest';
import { OpenTimes } from '../../../src/research/records/open-times.ts';
import { tapeOf } from '../../support/tapes.ts';

/** Two selections in the first market, one in the second. */
const tape = tapeOf([], {
  selections: [{ outcome: 'h' }, { outcome: 'a' }, { outcome: 'odd', market: 1 }],
  markets: [{}, {}],
});

type Change =
  | readonly [ms: number, what: 'open' | 'shut', market: number]
  | readonly [ms: number, what: 'quoted' | 'free', selection: number];

/** The times of a tape from 0 to 100. */
function timesOf(window: readonly [number, number], ...changes: readonly Change[]) {
  const open = [true, true];
  const quoted = new Set<number>();
  const isQuoted = (selection: number): boolean => quoted.has(selection);
  const times = new OpenTimes({ tape, startMs: 0, window, open, isQuoted });
  for (const [ms, what, of] of changes) {
    if (what === 'open' || what === 'shut') {
      open[of] = what === 'open';
      times.onState(of, ms);
    } else {
      if (what === 'quoted') quoted.add(of);
      else quoted.delete(of);
      times.onQuotes(of, ms);
    }
  }
  times.finish(100);
  return { quotableMs: times.quotableMs, twoSidedMs: times.twoSidedMs };
}

const ALL = [-Infinity, Infinity] as const;

describe('the time of an event', () => {
  it('is that of each selection while its market is open', () => {
    expect(timesOf(ALL)).toEqual({ quotableMs: 300, twoSidedMs: 0 });
    expect(timesOf(ALL, [40, 'shut', 0], [60, 'open', 0])).toEqual({ quotableMs: 260, twoSidedMs: 0 });
    expect(timesOf(ALL, [40, 'shut', 1])).toEqual({ quotableMs: 240, twoSidedMs: 0 });
  });

  it('is two-sided while a selection is quoted and its market is open', () => {
    expect(timesOf(ALL, [10, 'quoted', 0], [30, 'free', 0]).twoSidedMs).toBe(20);
    expect(timesOf(ALL, [10, 'quoted', 0], [20, 'quoted', 2]).twoSidedMs).toBe(90 + 80);
    expect(timesOf(ALL, [10, 'quoted', 0], [40, 'shut', 0], [60, 'open', 0]).twoSidedMs).toBe(30 + 40);
  });

  it.each([
    [[20, 100], 3 * 80, 80],
    [[0, 70], 3 * 70, 60],
    [[20, 70], 3 * 50, 50],
    [[5, 95], 3 * 90, 85],
    [[200, 300], 0, 0],
    [[-200, 0], 0, 0],
  ] as const)('counts within its window alone: %j', (window, quotableMs, twoSidedMs) => {
    expect(timesOf(window, [10, 'quoted', 0])).toEqual({ quotableMs, twoSidedMs });
  });
});
