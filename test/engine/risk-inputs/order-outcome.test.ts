import { expect, it } from 'vitest';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import { figure, outcomeOf } from '../../../src/engine/risk-inputs/risk-inputs.ts';

const lifeOf = (states: readonly OrderState[]): readonly unknown[] =>
  states.map((state, at) => outcomeOf(states[at - 1] ?? null, state));

it('reports the outcome of a create request once', () => {
  const lives: readonly (readonly OrderState[])[] = [
    ['prepared', 'sending', 'live', 'live', 'closing', 'closed'],
    ['prepared', 'sending', 'unknown', 'unknown', 'live', 'closed', 'closed'],
    ['prepared', 'sending', 'refused', 'refused'],
    ['prepared', 'sending', 'unknown', 'absent'],
    ['prepared', 'absent'],
    ['live', 'closed'],
  ];
  expect(lives.map(lifeOf)).toEqual([
    [null, null, 'accepted', null, null, null],
    [null, null, 'unknown', null, 'accepted', null, null],
    [null, null, 'refused', null],
    [null, null, 'unknown', null],
    [null, null],
    [null, null],
  ]);
});

it.each([
  [0.412_345_678, 0.4123],
  [1_234.567_8, 1_235],
  [2, 2],
  [0, 0],
  ['halted', 'halted'],
  [null, null],
])('logs the figure %s of a guard as %s', (value, shown) => {
  expect(figure(value)).toBe(shown);
});
