import { expect, it } from 'vitest';
import { OrderOutcomes } from '../../src/app/risk-desk/order-outcomes.ts';
import { requestUuid } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/lifecycle.ts';

const lifeOf = (outcomes: OrderOutcomes, n: number, states: readonly OrderState[]): readonly unknown[] => {
  const uuid = requestUuid(`00000000-0000-4000-8000-00000000000${n}`);
  return states.map((state) => outcomes.see({ requestUuid: uuid, state }));
};

it('what became of a create request is told once, and nothing is left of an order that is decided', () => {
  const outcomes = new OrderOutcomes();
  const lives: readonly (readonly OrderState[])[] = [
    ['prepared', 'sending', 'live', 'live', 'closing', 'closed'],
    ['prepared', 'sending', 'unknown', 'unknown', 'live', 'closed', 'closed'],
    ['prepared', 'sending', 'refused'],
    ['prepared', 'sending', 'unknown', 'absent'],
    ['prepared', 'absent'],
    ['live', 'closed'],
  ];
  expect(lives.map((states, n) => lifeOf(outcomes, n, states))).toEqual([
    [null, null, 'accepted', null, null, null],
    [null, null, 'unknown', null, 'accepted', null, null],
    [null, null, 'refused'],
    [null, null, 'unknown', null],
    [null, null],
    [null, null],
  ]);
  expect(outcomes.undecided).toBe(0);
});
