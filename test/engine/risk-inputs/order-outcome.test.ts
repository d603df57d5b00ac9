import { expect, it } from 'vitest';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import { outcomeOf } from '../../../src/engine/risk-inputs/risk-inputs.ts';

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
