import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/lib/random.ts';
import { beforeStart, planOf, RecordedWindows } from '../../../src/research/facts/windows.ts';
import { open, type Step, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';

const MINUTE_MS = 60_000;
const STEPS: readonly Step[] = [
  [-90 * MINUTE_MS, 'state', open],
  [-60 * MINUTE_MS, 'for', 3, 10],
  [-2 * MINUTE_MS, 'against', 2.5, 10],
  [-MINUTE_MS / 2, 'against', 2.6, 10],
];
const TAPE = { ...tapeOf(STEPS), startMs: TAPE_START_MS, inPlayMs: null };
const PLAYED = { ...tapeOf([...STEPS, [MINUTE_MS, 'for', 4, 1]]), inPlayMs: TAPE_START_MS };

const windowsOf = (...tapes: (typeof TAPE | typeof PLAYED)[]) => {
  const windows = new RecordedWindows();
  for (const tape of tapes) windows.add(tape);
  return windows.sports().get('fb') ?? { windows: [], marketTypes: [] };
};

describe('the window of a recorded event', () => {
  it('reaches from its first update to its start, and without play to the last update of all', () => {
    const { windows, marketTypes } = windowsOf(TAPE, PLAYED);
    expect(windows).toEqual([
      { leadMinutes: 90, lengthMinutes: 91 },
      { leadMinutes: 90, lengthMinutes: null },
    ]);
    expect(marketTypes).toEqual(['wdw']);
  });
});

describe('a modelled evening', () => {
  it('has a few of the recorded events, which start about as late', () => {
    const { opening, hasPlay, eveningMs } = planOf(
      'fb',
      windowsOf(...Array.from({ length: 20 }, () => TAPE)),
      seededRandom(1),
    );
    expect(opening.length).toBeGreaterThan(3);
    expect(opening.length).toBeLessThan(20);
    expect([hasPlay, eveningMs]).toEqual([false, 89.5 * MINUTE_MS]);
    for (const [sport, startMinutes] of opening) {
      expect(sport).toBe('fb');
      expect(Math.abs(startMinutes - 90)).toBeLessThanOrEqual(9);
    }
    const starts = opening.map(([, startMinutes]) => startMinutes);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('lasts until play is over where play was recorded', () => {
    const { hasPlay, eveningMs } = planOf('fb', windowsOf(PLAYED), seededRandom(1));
    expect(hasPlay).toBe(true);
    expect(eveningMs).toBeGreaterThan(5 * 60 * MINUTE_MS);
  });
});

it('an evening has play if any of its events had, and lasts as long as the longest needs', () => {
  const { hasPlay, eveningMs } = planOf('fb', windowsOf(TAPE, PLAYED), seededRandom(1));
  expect(hasPlay).toBe(true);
  expect(eveningMs).toBeGreaterThan(8 * 60 * MINUTE_MS);
});

describe('a tape before its start', () => {
  it('ends a minute before it, and was never in play', () => {
    const { updates, inPlayMs } = beforeStart(PLAYED);
    expect(inPlayMs).toBeNull();
    expect(updates.length).toBe(3);
    expect(updates.atMs.at(-1)).toBe(TAPE_START_MS - 2 * MINUTE_MS);
    expect([updates.op.length, updates.of.length, updates.tick.length, updates.micros.length]).toEqual([
      3, 3, 3, 3,
    ]);
  });
});
