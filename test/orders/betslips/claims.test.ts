import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { BetslipClaims } from '../../../src/orders/betslips/plan.ts';

const MINUTE_MS = 60_000;

const rig = () => {
  const clock = new VirtualClock();
  return { clock, claims: new BetslipClaims(() => clock.monotonicMs()) };
};

describe('claims to scarce betslips', () => {
  it('serve the most valuable one that waits, in any order of claims', () => {
    const { claims } = rig();
    expect(claims.ask('cheap', 1, 0)).toBe(false);
    expect(claims.ask('dear', 9, 0)).toBe(false);
    expect(claims.ask('cheap', 1, 1)).toBe(false);
    expect(claims.ask('dear', 9, 1)).toBe(true);
    expect(claims.ask('cheap', 1, 1)).toBe(true);
  });

  it('do not block others when served otherwise', () => {
    const { claims } = rig();
    claims.ask('dear', 9, 0);
    claims.over('dear');
    expect(claims.ask('cheap', 1, 1)).toBe(true);
  });

  it('serve as many as there are places', () => {
    const { claims } = rig();
    for (const [key, value] of [
      ['a', 3],
      ['b', 2],
      ['c', 1],
    ] as const)
      claims.ask(key, value, 0);
    expect([claims.ask('c', 1, 2), claims.ask('b', 2, 2), claims.ask('a', 3, 1)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('serve an older claim before one that is worth a little more', async () => {
    const { clock, claims } = rig();
    claims.ask('patient', 10, 0);
    for (let atMs = 0; atMs < 5 * MINUTE_MS; atMs += 4_000) {
      await clock.advance(4_000);
      claims.sweep();
      claims.ask('patient', 10, 0);
    }
    claims.ask('new', 12, 0);
    expect(claims.ask('new', 12, 1)).toBe(false);
    expect(claims.ask('patient', 10, 1)).toBe(true);
  });

  it('serve a claim of unbounded worth before all others', () => {
    const { claims } = rig();
    claims.ask('dear', 1e9, 0);
    claims.ask('cheap', 1, 0);
    claims.ask('reduces', Infinity, 0);
    expect(claims.ask('dear', 1e9, 1)).toBe(false);
    expect(claims.ask('reduces', Infinity, 1)).toBe(true);
    expect([claims.ask('cheap', 1, 1), claims.ask('dear', 1e9, 1)]).toEqual([false, true]);
  });

  it('drop a claim that was given up', async () => {
    const { clock, claims } = rig();
    claims.ask('gone', 100, 0);
    await clock.advance(6_000);
    claims.sweep();
    expect(claims.ask('here', 1, 1)).toBe(true);
  });

  it('cost the same for each of many that wait as for each of few while no place is free', () => {
    const costOfEach = (waiting: number): number => {
      let looks = 0;
      const claims = new BetslipClaims(() => looks++);
      for (let round = 0; round < 2; round++) for (let at = 0; at < waiting; at++) claims.ask(`${at}`, at, 0);
      return looks / waiting;
    };
    expect(costOfEach(1_000)).toBeLessThanOrEqual(2 * costOfEach(10));
  });

  it('serve every claim in the end, whatever the others are worth', async () => {
    const values = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const { clock, claims } = rig();
        const servedMs = given.map(() => 0);
        const longestMs = given.map(() => 0);
        // Each minute a betslip becomes free. Each market claims again once it is served.
        for (let turn = 0; turn < 300 * 15; turn++) {
          await clock.advance(4_000);
          claims.sweep();
          for (const [at, value] of given.entries()) claims.ask(`${at}`, value, 0);
          if (turn % 15 !== 0) continue;
          const winner = given.findIndex((value, at) => claims.ask(`${at}`, value, 1));
          for (const at of given.keys()) {
            longestMs[at] = Math.max(longestMs[at] as number, clock.monotonicMs() - (servedMs[at] as number));
          }
          servedMs[winner] = clock.monotonicMs();
        }
        // The bound is ten doublings of ten minutes, and one turn of every other market.
        const bound = (100 + 2 * given.length) * MINUTE_MS;
        expect(Math.max(...longestMs)).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 12 },
    );
  });
});
