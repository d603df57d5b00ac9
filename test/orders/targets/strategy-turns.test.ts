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
    expect(turns.mustYield('a', () => ['b'])).toBe(true);
    expect(turns.mustYield('b', () => ['a'])).toBe(false);
    begin('b', 1);
    expect(turns.mustYield('a', () => ['b'])).toBe(false);
  });

  it('make nobody yield to a strategy that does not wait, or to itself', () => {
    const { turns, begin } = bench();
    begin('a', 3);
    begin('b', 1);
    expect([turns.mustYield('a', () => []), turns.mustYield('a', () => ['a'])]).toEqual([false, false]);
  });

  it('ask for the waiting strategies only if there are several', () => {
    const { turns, begin } = bench();
    begin('a', 3);
    const waiting = (): never => expect.fail('it was asked');
    expect(turns.mustYield('a', waiting)).toBe(false);
  });

  it('forget creates of ten seconds ago', () => {
    const { state, turns, begin } = bench();
    begin('a', 9);
    state.nowMs = 10_000;
    begin('b', 1);
    expect(turns.mustYield('a', () => ['b'])).toBe(false);
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
});
