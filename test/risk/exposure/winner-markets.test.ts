import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType } from '../../../src/domain/ids.ts';
import type { RiskSnapshot } from '../../../src/risk/index.ts';
import { ask, type Bench, bench, codesOf, FACTS, fillOf } from '../support/harness.ts';
import { runs } from '../support/share.ts';
import { betsOf } from '../../support/account.ts';

const worstOf = ({ risk }: Bench): number => risk.accountExposure().worstMicros;
const lay = (runner: number, stake = 10) => ask({ betType: `against,win,${runner}`, price: 4, stake });
const wonEverywhere = Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => 'w'));

describe('a winner market', () => {
  it('holds bets that arrived before it, as after a restart', () => {
    const world = bench({ order: { maxLiabilityUsdt: 40 }, worstCase: { selectionUsdt: 40, eventUsdt: 40 } });
    world.facts = null;
    for (const runner of [1, 2]) betsOf(world.risk).report(fillOf(lay(runner), 10));
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

  it('holds its bets after the catalogue has dropped it, whatever else arrives then', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: () => 'win' };
    for (const runner of [1, 2]) betsOf(world.risk).report(fillOf(lay(runner), 10));
    world.facts = null;
    world.risk.setGrid(betType('for,h'), wonEverywhere);
    expect(worstOf(world)).toBe(-30e6);
  });
});

describe('over a restart', () => {
  const WINNER = { ...FACTS, marketTypeOf: () => 'win' };
  /** A run’s snapshot, read back from the journal. */
  const left = ({ risk }: Bench): RiskSnapshot => JSON.parse(JSON.stringify(risk.snapshot())) as RiskSnapshot;

  /** A run whose catalogue is empty. */
  function after(snapshot: RiskSnapshot): Bench {
    const world = bench();
    world.facts = null;
    world.risk.restore(snapshot);
    return world;
  }

  it('the bets of a winner market count together, whether the catalogue describes it or not', () => {
    const bets = fc.array(
      fc.record({ runner: fc.integer({ min: 1, max: 4 }), side: fc.constantFrom('for', 'against') }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(bets, fc.integer({ min: 1, max: 2 }), (held, restarts) => {
        let world = bench();
        world.facts = WINNER;
        const fills = held.map(({ runner, side }) =>
          fillOf(ask({ betType: `${side},win,${runner}`, price: 4 }), 10),
        );
        for (const fill of fills) betsOf(world.risk).report(fill);
        const before = world.risk.exposure();
        for (let restart = 0; restart < restarts; restart++) {
          world = after(left(world));
          for (const fill of fills) betsOf(world.risk).report(fill);
        }
        expect(world.risk.exposure()).toEqual(before);
      }),
      runs(50),
    );
  });

  it('the catalogue overrides the memory', () => {
    const fills = [1, 2].map((runner) => fillOf(lay(runner), 10));
    const [selectionId] = fills.map((fill) => fill.selectionId);
    const world = after({ ...left(bench()), winnerMarkets: [{ selectionId: selectionId!, market: 'top' }] });
    world.facts = WINNER;
    for (const fill of fills) betsOf(world.risk).report(fill);
    expect(worstOf(world)).toBe(-30e6);
    world.facts = null;
    world.risk.setGrid(betType('for,h'), wonEverywhere);
    expect(worstOf(world)).toBe(-30e6);
  });

  it('bets without a remembered winner market count one by one, and an event without a stake leaves none', () => {
    const first = bench();
    first.facts = WINNER;
    const fills = [1, 2].map((runner) => fillOf(lay(runner), 10));
    for (const fill of fills) betsOf(first.risk).report(fill);
    expect(left(first).winnerMarkets).toEqual(
      fills.map(({ selectionId }) => ({ selectionId, market: 'win' })),
    );
    const second = after({ ...left(first), winnerMarkets: [] });
    for (const fill of fills) betsOf(second.risk).report(fill);
    expect(worstOf(second)).toBe(-60e6);
    first.risk.onEventOver(fills[0]!);
    expect(left(first).winnerMarkets).toEqual([]);
  });
});
