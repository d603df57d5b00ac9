import { describe, expect, it } from 'vitest';
import { StrategyTurns } from '../../../src/orders/targets/strategy-turns.ts';

function bench() {
  const state = { nowMs: 0 };
  const turns = new StrategyTurns(() => state.nowMs);
  const begin = (strategy: string, times: number): void => {
    for (let create = 0; create < times; create++) turns.begin(strategy);
  };
  return { state, turns, begin };
}

describe('the turns of strategies', () => {
  it('make a strategy yield to one that waits and had fewer creates', () => {
    const { turns, begin } = bench();
    begin('a', 2);
    begin('b', 1);
    expect(turns.mustYield('a', 99, () => ['b'])).toBe(true);
    expect(turns.mustYield('b', 99, () => ['a'])).toBe(false);
    begin('b', 1);
    expect(turns.mustYield('a', 99, () => ['b'])).toBe(false);
  });

  it('make nobody yield to a strategy that does not wait, or to itself', () => {
    const { turns, begin } = bench();
    begin('a', 3);
    begin('b', 1);
    expect([turns.mustYield('a', 99, () => []), turns.mustYield('a', 99, () => ['a'])]).toEqual([
      false,
      false,
    ]);
  });

  it('ask for the waiting strategies only if there are several', () => {
    const { turns, begin } = bench();
    begin('a', 3);
    const waiting = (): never => expect.fail('it was asked');
    expect(turns.mustYield('a', 1, waiting)).toBe(false);
  });

  it('give each strategy its share of the requests in flight while several place orders', () => {
    const { state, turns, begin } = bench();
    begin('b', 1);
    const ends = [turns.begin('a'), turns.begin('a'), turns.begin('a')];
    const nobody = (): readonly string[] => [];
    expect([turns.mustYield('a', 5, nobody), turns.mustYield('b', 5, nobody)]).toEqual([true, false]);
    ends[0]?.();
    expect(turns.mustYield('a', 5, nobody)).toBe(false);
    turns.begin('a');
    state.nowMs = 10_000;
    expect(turns.mustYield('a', 5, nobody)).toBe(false);
  });

  it('forget creates of ten seconds ago', () => {
    const { state, turns, begin } = bench();
    begin('a', 9);
    state.nowMs = 10_000;
    begin('b', 1);
    expect(turns.mustYield('a', 99, () => ['b'])).toBe(false);
  });

  it('give one strategy alone the value of its creates, and several the order in which they began', () => {
    const { turns, begin } = bench();
    begin('a', 1);
    expect(turns.worthOf(7)).toBe(7);
    begin('b', 1);
    const first = turns.worthOf(1);
    begin('a', 1);
    expect(turns.worthOf(1e9)).toBeLessThan(first);
  });

  it('count the creates of all strategies that are in flight, and tell when that changes', () => {
    const { turns } = bench();
    expect([turns.inFlight, turns.revision]).toEqual([0, 0]);
    const ends = [turns.begin('a'), turns.begin('b'), turns.begin('a')];
    const begun = turns.revision;
    expect([turns.inFlight, begun]).toEqual([3, 5]);
    for (const [at, end] of ends.entries()) {
      end();
      expect([turns.inFlight, turns.revision]).toEqual([2 - at, begun + at + 1]);
    }
  });

  it('may change ten seconds after the oldest create that is still recent', () => {
    const { state, turns, begin } = bench();
    expect(turns.changesMs).toBe(Infinity);
    begin('a', 1);
    state.nowMs = 4_000;
    begin('b', 1);
    expect(turns.changesMs).toBe(10_000);
    state.nowMs = 10_000;
    expect(turns.changesMs).toBe(14_000);
    begin('a', 1);
    expect(turns.changesMs).toBe(14_000);
    state.nowMs = 20_000;
    expect(turns.changesMs).toBe(Infinity);
  });
});
