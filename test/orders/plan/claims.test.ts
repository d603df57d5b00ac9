import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Claimant, type Claims, inTurn, renewedClaims } from '../../../src/orders/plan/claims.ts';

const MINUTE_MS = 60_000;
const NONE: Claims = new Map();

const claimants = (values: Readonly<Record<string, number>>): readonly Claimant[] =>
  Object.entries(values).map(([key, value]) => ({ key, selection: key, value }));

const turns = (waiting: readonly Claimant[], claims: Claims, nowMs: number): readonly string[] =>
  inTurn(waiting, renewedClaims(claims, waiting, nowMs), nowMs).map(({ key }) => key);

describe('claims to scarce betslips', () => {
  it('serve the most valuable market first', () => {
    expect(turns(claimants({ cheap: 1, dear: 9, middling: 3 }), NONE, 0)).toEqual([
      'dear',
      'middling',
      'cheap',
    ]);
  });

  it('serve an older claim before one that is worth a little more', () => {
    const claims = renewedClaims(NONE, claimants({ patient: 10 }), 0);
    const kept = renewedClaims(claims, claimants({ patient: 10 }), 5_000);
    expect(turns(claimants({ patient: 10, fresh: 10.01 }), kept, 5_000)).toEqual(['patient', 'fresh']);
    expect(turns(claimants({ patient: 10, fresh: 12 }), kept, 5_000)).toEqual(['fresh', 'patient']);
  });

  it('serve a claim of unbounded worth before all others', () => {
    expect(turns(claimants({ dear: 1e9, reduces: Infinity }), NONE, 0)).toEqual(['reduces', 'dear']);
  });

  it('end a few seconds after the last target is gone', () => {
    const claims = renewedClaims(NONE, claimants({ gone: 100 }), 0);
    expect(renewedClaims(claims, [], 5_000).has('gone')).toBe(true);
    expect(renewedClaims(claims, [], 5_001).has('gone')).toBe(false);
    const back = renewedClaims(claims, claimants({ gone: 100 }), 4_000);
    expect(back.get('gone')).toEqual({ sinceMs: 0, lastMs: 4_000 });
  });

  it('keep their order while only time passes', () => {
    const values = fc.uniqueArray(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 2, maxLength: 12 });
    const ages = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(values, ages, fc.integer({ min: 1, max: 10_000_000 }), (given, minutes, laterMs) => {
        const waiting = given.map((value, at) => ({ key: `${at}`, selection: `${at}`, value }));
        const claims: Claims = new Map(
          waiting.map(({ key }, at) => [key, { sinceMs: -1 * (minutes[at] ?? 0) * MINUTE_MS, lastMs: 0 }]),
        );
        const order = (nowMs: number): readonly string[] =>
          inTurn(waiting, claims, nowMs).map(({ key }) => key);
        expect(order(laterMs)).toEqual(order(0));
      }),
    );
  });

  it('serve every market in the end, whatever the others are worth', () => {
    const values = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(values, (given) => {
        const waiting = given.map((value, at) => ({ key: `${at}`, selection: `${at}`, value }));
        const servedMs = new Map(waiting.map(({ key }) => [key, 0]));
        let longestMs = 0;
        let claims = NONE;
        // Each minute a betslip becomes free. Each market claims again once it is served.
        for (let nowMs = 0; nowMs < 300 * MINUTE_MS; nowMs += 5_000) {
          claims = renewedClaims(claims, waiting, nowMs);
          if (nowMs % MINUTE_MS !== 0) continue;
          for (const atMs of servedMs.values()) longestMs = Math.max(longestMs, nowMs - atMs);
          const [winner] = inTurn(waiting, claims, nowMs);
          servedMs.set(winner?.key ?? '', nowMs);
          claims = new Map([...claims].filter(([key]) => key !== winner?.key));
        }
        // The bound is ten doublings of ten minutes, and one turn of every other market.
        expect(longestMs).toBeLessThanOrEqual((100 + 2 * given.length) * MINUTE_MS);
      }),
      { numRuns: 12 },
    );
  });
});
