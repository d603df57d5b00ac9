import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RollingLimit } from '../../src/venue/budgets/rolling-limit.ts';

const SLOT_MS = 60_000;
const DAY_MS = 24 * 60 * SLOT_MS;

const fresh = (limit: number, nowMs = 0): RollingLimit => new RollingLimit(limit, DAY_MS, [], nowMs);

/** Room for so many requests beside a reserve. */
const need = (place: number, reserve = 0) => ({ place, reserve, isUrgent: false });

describe('a request of the day', () => {
  it.each([0, 1, 59_999, 60_000, 90_000])(
    'made at %i counts until its minute has left the window',
    (atMs) => {
      const limit = fresh(2);
      limit.take(atMs);
      const endMs = (Math.floor(atMs / SLOT_MS) + 1) * SLOT_MS + DAY_MS;
      expect(endMs - atMs).toBeGreaterThan(DAY_MS);
      expect([limit.left(atMs), limit.left(endMs - 1), limit.left(endMs)]).toEqual([1, 1, 2]);
    },
  );

  it('that was given back counts no longer, and none is given back twice', () => {
    const limit = fresh(3);
    limit.giveBack(0);
    expect(limit.left(0)).toBe(3);
    for (const atMs of [0, 1, SLOT_MS]) limit.take(atMs);
    expect(limit.left(SLOT_MS)).toBe(0);
    limit.giveBack(SLOT_MS);
    expect(limit.left(SLOT_MS)).toBe(1);
    limit.giveBack(SLOT_MS);
    expect(limit.left(SLOT_MS)).toBe(1);
  });
});

describe('the wait', () => {
  it('ends when as many requests have left the window as the place and the reserve need', () => {
    const limit = fresh(4);
    for (const atMs of [0, 1, SLOT_MS, 2 * SLOT_MS]) limit.take(atMs);
    const nowMs = 3 * SLOT_MS;
    const waits = [1, 2, 3, 4].map((place) => limit.waitMs(nowMs, need(place)));
    expect(waits).toEqual([SLOT_MS, SLOT_MS, 2 * SLOT_MS, 3 * SLOT_MS].map((ms) => ms + DAY_MS - nowMs));
    expect(limit.waitMs(nowMs, need(1, 2))).toBe(2 * SLOT_MS + DAY_MS - nowMs);
    expect(limit.waitMs(nowMs, need(5))).toBe(DAY_MS);
  });

  it('is none while place and reserve have room', () => {
    const limit = fresh(3);
    limit.take(0);
    expect([1, 2].map((place) => limit.waitMs(0, need(place)))).toEqual([0, 0]);
    expect(limit.waitMs(0, need(1, 1))).toBe(0);
    expect(limit.waitMs(0, need(1, 2))).toBe(SLOT_MS + DAY_MS);
  });
});

const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: DAY_MS / 3 }), fc.nat(3)), { maxLength: 60 });

it('never lets more than the limit into any day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (most, all) => {
      const limit = fresh(most);
      const takenMs: number[] = [];
      let nowMs = 0;
      for (const [passedMs, wanted] of all) {
        nowMs += passedMs;
        for (let at = 0; at < wanted; at++) {
          const waitMs = limit.waitMs(nowMs, need(1));
          if (waitMs > 0) break;
          limit.take(nowMs);
          takenMs.push(nowMs);
        }
        const ofDay = takenMs.filter((atMs) => nowMs - atMs < DAY_MS);
        expect(ofDay.length).toBeLessThanOrEqual(most);
        expect(limit.left(nowMs)).toBeGreaterThanOrEqual(0);
        expect(limit.left(nowMs)).toBeLessThanOrEqual(most - ofDay.length);
      }
    }),
  );
});

it('counts the same after a restart at any time', () => {
  fc.assert(
    fc.property(steps, fc.nat(DAY_MS), fc.nat(1e9), (all, laterMs, otherMs) => {
      const limit = fresh(1_000);
      let nowMs = 0;
      for (const [passedMs, wanted] of all) {
        nowMs += passedMs;
        for (let at = 0; at < wanted; at++) limit.take(nowMs);
      }
      const again = new RollingLimit(1_000, DAY_MS, limit.state(nowMs), otherMs);
      expect(again.left(otherMs + laterMs)).toBe(limit.left(nowMs + laterMs));
      expect(again.state(otherMs + laterMs)).toEqual(limit.state(nowMs + laterMs));
    }),
  );
});
