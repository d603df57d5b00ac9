import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FaultPlan } from '../../../src/simulator/faults/fault-plan.ts';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';

const T0 = 1_700_000_000_000;
const HORIZON_S = 600;

interface Course {
  /** When it happened, in seconds after it was added. */
  readonly struckS: readonly number[];
  /** How often it would have happened without `skip` and `probability`. */
  readonly tries: number;
}

/** The course of a repeated fault over ten minutes, in steps of this many seconds. */
function courseOf(fault: object, stepS = HORIZON_S, seed = 1): Course {
  const plan = new FaultPlan(seed);
  plan.add(faultSchema.parse({ target: 'stream', fault: 'raw_close', ...fault }), T0);
  const struckS: number[] = [];
  for (let nowS = 0; nowS <= HORIZON_S; nowS += stepS) {
    const nowMs = T0 + nowS * 1000;
    for (let due = plan.take(nowMs); due !== null; due = plan.take(nowMs)) {
      if (due.phase === 'begin') struckS.push((due.atMs - T0) / 1000);
    }
  }
  return { struckS, tries: plan.list(T0)[0]?.matched ?? 0 };
}

describe('a repeated fault', () => {
  it.each([
    [{ every_s: 1, times: 3 }, 3],
    [{ every_s: 1, for_s: 5 }, 5],
    [{ every_s: 1 }, 601],
    [{ times: 3 }, 1],
  ])('is repeated until its times or its window are over: %j', (fault, count) => {
    expect(courseOf(fault).struckS).toHaveLength(count);
  });

  it('counts only what happened, not what it let pass', () => {
    expect(courseOf({ every_s: 10, skip: 1, times: 1 }).struckS).toEqual([10]);
    expect(courseOf({ every_s: 10, times: 2, probability: 0.3 }).struckS).toHaveLength(2);
  });

  it('is tried at every instant of its window until it has happened as often as it may', () => {
    const seconds = fc.integer({ min: 1, max: 120 });
    const fault = fc.record(
      {
        at: fc.integer({ min: 0, max: 60 }),
        every_s: seconds,
        for_s: fc.integer({ min: 1, max: 900 }),
        times: fc.integer({ min: 1, max: 8 }),
        skip: fc.integer({ min: 0, max: 8 }),
        probability: fc.constantFrom(0.1, 0.5, 1),
      },
      { requiredKeys: ['at', 'every_s', 'skip', 'probability'] },
    );
    fc.assert(
      fc.property(fault, seconds, fc.integer(), (one, stepS, seed) => {
        const { struckS, tries } = courseOf(one, stepS, seed);
        const lastS = Math.floor(HORIZON_S / stepS) * stepS;
        const untilS = Math.min(one.at + (one.for_s ?? Infinity), lastS + 1);
        const instantsS = Array.from({ length: HORIZON_S + 1 }, (_, i) => one.at + i * one.every_s).filter(
          (atS) => atS < untilS,
        );
        const times = one.times ?? Infinity;
        const passedS = instantsS.slice(one.skip);
        expect(struckS.length).toBeLessThanOrEqual(times);
        expect(passedS).toEqual(expect.arrayContaining([...struckS]));
        if (struckS.length < times) expect(tries).toBe(instantsS.length);
        if (one.probability === 1) expect(struckS).toEqual(passedS.slice(0, times));
      }),
    );
  });
});
