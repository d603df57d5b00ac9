import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { type LiveFill, type LiveSelection, PIECES } from '../../../src/read-model/live/message.ts';
import { pointsOf } from '../../../src/web/components/sparkline-points.ts';
import { NO_TRACES, type Traces, tracesAfter } from '../../../src/web/dashboard/stream/traces.ts';
import { linesOf } from '../../../src/web/dashboard/workspace/price-lines.ts';
import { liveEvent } from '../../support/live-event.ts';
import { aProfit } from '../../support/status.ts';

const SELECTION: LiveSelection = {
  id: 'e|h' as SelectionId,
  name: 'Home',
  ifWin: 0,
  ifLose: 0,
  missing: null,
  restriction: null,
  fair: 0.5,
  market: { for: [[1.9, 5]], against: [[2.1, 5]] },
  quotes: [],
  byHand: [],
};

const pieces = (expected: number, selection: LiveSelection | null = SELECTION): Map<string, unknown> =>
  new Map<string, unknown>([
    [PIECES.event('e'), liveEvent('e', { profit: { ...aProfit().run, expected } })],
    [PIECES.event('f'), liveEvent('f')],
    ...(selection === null ? [] : [[PIECES.selection(selection.id), selection] as [string, unknown]]),
  ]);

/** The traces after a message in each second. */
const afterSeconds = (seconds: number, selection?: LiveSelection | null): Traces =>
  Array.from({ length: seconds }, (_, at) => at).reduce(
    (before, at) => tracesAfter(before, pieces(at, selection), 1_000 * at),
    NO_TRACES,
  );

describe('what the page remembers', () => {
  it('is the profit of events with bets every five seconds, and prices every second', () => {
    const traces = afterSeconds(11);
    expect([...traces.profits]).toEqual([['e', [0, 5, 10]]]);
    expect(traces.prices.get(SELECTION.id)?.map(({ atMs }) => atMs / 1_000)).toEqual(
      Array.from({ length: 11 }, (_, at) => at),
    );
    expect(traces.prices.get(SELECTION.id)?.at(-1)).toEqual({
      atMs: 10_000,
      toBack: 1.9,
      toLay: 2.1,
      fair: 2,
      against: null,
      for: null,
      isSuspended: false,
    });
  });

  it('does not change between two points', () => {
    const traces = afterSeconds(3);
    expect(tracesAfter(traces, pieces(9), 2_500)).toBe(traces);
  });

  it('is bounded, and ends with a selection that nobody has looked at for long', () => {
    const traces = afterSeconds(1_200);
    expect(traces.profits.get('e')).toHaveLength(40);
    expect(traces.prices.get(SELECTION.id)).toHaveLength(900);
    const later = tracesAfter(traces, pieces(0, null), 1_500_000);
    expect(later.prices.get(SELECTION.id)).toHaveLength(900);
    expect(tracesAfter(later, pieces(0, null), 2_500_000).prices.size).toBe(0);
  });

  it('has the best of our quotes on each side', () => {
    const quote = (direction: 'for' | 'against', price: number) => ({ direction, price }) as never;
    const quotes = [quote('for', 2.2), quote('for', 2.1), quote('against', 1.8), quote('against', 1.9)];
    const point = afterSeconds(1, { ...SELECTION, fair: null, quotes }).prices.get(SELECTION.id)?.[0];
    expect([point?.for, point?.against, point?.fair]).toEqual([2.1, 1.9, null]);
  });
});

describe('the lines of a price chart', () => {
  it('mark a fill at the first point after it, and leave out earlier ones', () => {
    const points = afterSeconds(4).prices.get(SELECTION.id) ?? [];
    const fill = (atMs: number, price: number): LiveFill => ({ atMs, price }) as LiveFill;
    const { atS, lines } = linesOf(points, [fill(1_500, 2), fill(-5, 3), fill(9_000, 4)]);
    expect(atS).toEqual([0, 1, 2, 3]);
    expect(lines.find(({ isMarks }) => isMarks === true)?.values).toEqual([null, null, 2, null]);
    expect(lines.map(({ name }) => name)).toEqual([
      'ours for',
      'ours against',
      'fair',
      'to back',
      'to lay',
      'fills',
    ]);
  });
});

describe('the shade of a price chart', () => {
  it('is where the event was suspended', () => {
    const shown = (suspended: boolean): Map<string, unknown> =>
      new Map<string, unknown>([
        [PIECES.event('fb|1'), liveEvent('fb|1', { suspended })],
        [PIECES.selection('fb|1|h'), { ...SELECTION, id: 'fb|1|h' as SelectionId }],
      ]);
    const traces = [false, true, true, false].reduce(
      (before, suspended, at) => tracesAfter(before, shown(suspended), 1_000 * at),
      NO_TRACES,
    );
    expect(linesOf(traces.prices.get('fb|1|h') ?? [], []).shades).toEqual([{ fromS: 1, toS: 3 }]);
  });
});

describe('a sparkline', () => {
  it('goes from the left to the right, the highest at the top', () => {
    expect(pointsOf([0, 2, 1])).toBe('0.0,15.0 24.0,1.0 48.0,8.0');
  });

  it.each([[[]], [[1]], [[3, 3, 3]]])('is empty for %j', (values) => {
    expect(pointsOf(values)).toBe('');
  });
});
