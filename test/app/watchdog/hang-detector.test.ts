import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HangDetector, LastCreate, TICK_MS } from '../../../src/app/watchdog/hang-detector.ts';

const HANG_MS = 2_000;
const reading = (call: number | null, creates = 0) => ({ call, hangMs: HANG_MS, creates });

/** Ticks in time with the same reading; returns the instant of the first tick that reports a hang. */
function detectedAt(
  detector: HangDetector,
  fromMs: number,
  untilMs: number,
  call: number | null,
): number | null {
  for (let nowMs = fromMs; nowMs <= untilMs; nowMs += TICK_MS)
    if (detector.tick(nowMs, reading(call)) !== null) return nowMs;
  return null;
}

describe('the detector of hangs', () => {
  it('reports a call that does not return, once it has lasted long enough', () => {
    const detector = new HangDetector();
    expect(detectedAt(detector, 0, 60_000, null)).toBeNull();
    expect(detectedAt(detector, 60_100, 70_000, 7)).toBe(60_100 + HANG_MS);
  });

  it('never reports calls that are shorter, however many follow each other', () => {
    const calls = fc.array(
      fc.record({ ticks: fc.integer({ min: 1, max: HANG_MS / TICK_MS }), inside: fc.boolean() }),
    );
    fc.assert(
      fc.property(calls, (given) => {
        const detector = new HangDetector();
        let nowMs = 0;
        for (const [at, { ticks, inside }] of given.entries())
          for (let tick = 0; tick < ticks; tick++) {
            expect(detector.tick(nowMs, reading(inside ? 2 * at + 1 : null))).toBeNull();
            nowMs += TICK_MS;
          }
      }),
    );
  });

  it.each([
    ['the process was suspended', 3_600_000],
    ['the machine gave it no processor', 500],
  ])('counts anew after %s', (_, gapMs) => {
    const detector = new HangDetector();
    expect(detectedAt(detector, 0, HANG_MS - TICK_MS, 7)).toBeNull();
    const resumedMs = HANG_MS - TICK_MS + gapMs;
    expect(detectedAt(detector, resumedMs, resumedMs + 60_000, 7)).toBe(resumedMs + HANG_MS);
  });

  it('never reports a call while each tick is late', () => {
    const detector = new HangDetector();
    const late = Array.from({ length: 100 }, (_, at) => detector.tick(at * 5 * TICK_MS, reading(7)));
    expect(late.every((hang) => hang === null)).toBe(true);
  });
});

describe('the last create request', () => {
  it('may be one of an earlier run until this run sends one', () => {
    const last = new LastCreate(500);
    last.tick(9_000, reading(null, 0));
    expect(last.atMs).toBe(500);
    last.tick(9_100, reading(null, 2));
    last.tick(9_200, reading(null, 2));
    expect(last.atMs).toBe(9_100);
  });
});
