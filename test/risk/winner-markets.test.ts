import { describe, expect, it } from 'vitest';
import { betType } from '../../src/domain/ids.ts';
import type { Bench } from './support/harness.ts';
import { FACTS, ask, bench, codesOf, fillOf } from './support/harness.ts';

const worstOf = ({ risk }: Bench): number => risk.accountExposure().worstMicros;
const lay = (runner: number, stake = 10) => ask({ betType: `against,win,${runner}`, price: 4, stake });
const wonEverywhere = Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => 'w'));

describe('a winner market', () => {
  it('holds bets that were told before it, as after a restart', () => {
    const world = bench({ order: { maxLiabilityUsdt: 40 }, worstCase: { selectionUsdt: 40, eventUsdt: 40 } });
    world.facts = null;
    for (const runner of [1, 2]) world.risk.onFill(fillOf(lay(runner), 10));
    expect(worstOf(world)).toBe(-60e6);
    world.facts = { ...FACTS, marketTypeOf: () => null };
    world.risk.tick();
    expect(worstOf(world)).toBe(-60e6);
    world.facts = { ...FACTS, marketTypeOf: () => 'win' };
    world.risk.tick();
    expect(worstOf(world)).toBe(-30e6);
    expect(world.risk.exposure().scopes.map(({ worstMicros }) => worstMicros)).toEqual(Array(4).fill(-30e6));
    world.reference = { forBest: null, againstBest: null, fair: 0.25, ageMs: 0 };
    expect(codesOf(world.risk, lay(3, 5))).toEqual([]);
  });

  it('holds its bets after the catalogue has dropped it, whatever else is told then', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: () => 'win' };
    for (const runner of [1, 2]) world.risk.onFill(fillOf(lay(runner), 10));
    world.facts = null;
    world.risk.setGrid(betType('for,h'), wonEverywhere);
    expect(worstOf(world)).toBe(-30e6);
  });
});
