import { describe, expect, it } from 'vitest';
import { BetslipCap } from '../../src/orders/betslip-cap.ts';

const CROWDED_MS = 60_000;
const PROBE_MS = 600_000;

function made(nowMs = 0) {
  const clock = { nowMs };
  const cap = new BetslipCap({ initial: 20, probeEveryMs: PROBE_MS, now: () => clock.nowMs });
  cap.crowdedFor(CROWDED_MS);
  return { cap, clock };
}

function restAfterRefusal(cap: BetslipCap, clock: { nowMs: number }, open: number): number {
  cap.refusedAt(open);
  const sinceMs = clock.nowMs;
  while (cap.resting) clock.nowMs += 100;
  return clock.nowMs - sinceMs;
}

describe('the cap of open betslips', () => {
  it('holds what a refusal tells beside betslips of an earlier run until those are gone', () => {
    const { cap, clock } = made();
    expect(cap.value).toBe(1);
    cap.fits(2);
    cap.refusedAt(2);
    expect(cap.value).toBe(3);
    cap.fits(3);
    expect(cap.value).toBe(4);
    clock.nowMs = CROWDED_MS;
    expect([cap.value, cap.learned]).toEqual([20, false]);
  });

  it('leaves room for one try at a time while none fits beside betslips of an earlier run', () => {
    const { cap, clock } = made();
    for (let refused = 0; refused < 6; refused++) cap.refusedAt(0);
    expect(cap.value).toBe(1);
    cap.fits(1);
    expect(cap.value).toBe(2);
    clock.nowMs = CROWDED_MS;
    cap.refusedAt(0);
    expect(cap.value).toBe(1);
  });

  it('falls to what was open when a create was refused after that', () => {
    const { cap, clock } = made();
    clock.nowMs = CROWDED_MS;
    cap.refusedAt(7);
    expect([cap.value, cap.learned]).toEqual([7, true]);
    clock.nowMs += PROBE_MS;
    expect(cap.value).toBe(8);
  });

  it('rises on at once when one more has fitted long after a refusal, and rests at the next refusal', () => {
    const { cap, clock } = made();
    clock.nowMs = CROWDED_MS;
    cap.refusedAt(3);
    clock.nowMs += PROBE_MS;
    for (const open of [4, 5, 6]) {
      expect(cap.value).toBe(open);
      cap.fits(open);
    }
    cap.refusedAt(6);
    expect(cap.value).toBe(6);
    clock.nowMs += PROBE_MS;
    expect(cap.value).toBe(7);
  });

  it('rests after a refusal, twice as long after each that follows, up to 8 s', () => {
    const { cap, clock } = made();
    const rests = Array.from({ length: 6 }, () => restAfterRefusal(cap, clock, 0));
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('rests half as long after each that fits, so that it goes at the pace at which places become free', () => {
    const { cap, clock } = made();
    for (let refusals = 0; refusals < 5; refusals++) restAfterRefusal(cap, clock, 0);
    cap.fits(1);
    expect(restAfterRefusal(cap, clock, 1)).toBe(8_000);
    for (const open of [2, 3, 4]) cap.fits(open);
    expect(restAfterRefusal(cap, clock, 4)).toBe(2_000);
    for (let open = 5; open < 12; open++) cap.fits(open);
    expect(restAfterRefusal(cap, clock, 11)).toBe(1_000);
  });

  it('counts refusals of creates that were out together once', () => {
    const { cap, clock } = made();
    for (let refused = 0; refused < 8; refused++) cap.refusedAt(0);
    clock.nowMs = 1_000;
    expect(cap.resting).toBe(false);
  });
});
