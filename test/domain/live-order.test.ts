import { expect, it } from 'vitest';
import { ORDER_STATES } from '../../src/domain/lifecycle.ts';
import { isUnintendedTake, unfilledMicros } from '../../src/domain/live-order.ts';
import { EXCHANGE_MODES, modeOf } from '../../src/domain/orders.ts';
import { liveOrder } from '../support/orders.ts';

it('an order has what is not filled of its stake, until it has ended', () => {
  for (const state of ORDER_STATES) {
    const isOver = ['closed', 'refused', 'absent'].includes(state);
    const left = [0, 4, 10, 11].map((filledMicros) =>
      unfilledMicros({ ...liveOrder(), state, stakeMicros: 10, filledMicros }),
    );
    expect([state, left]).toEqual([state, isOver ? [0, 0, 0, 0] : [10, 6, 0, 0]]);
  }
});

it('an order that was meant to rest takes by mistake, as does one that names no mode', () => {
  const takes = (role: 'maker' | 'taker' | 'unknown') =>
    EXCHANGE_MODES.filter((mode) => isUnintendedTake({ role, mode }));
  expect(takes('taker')).toEqual(['make_and_take', 'dark']);
  expect([takes('maker'), takes('unknown')]).toEqual([[], []]);
  expect([isUnintendedTake({ role: 'taker' }), isUnintendedTake({ role: 'maker' })]).toEqual([true, false]);
  expect([modeOf({}), modeOf({ mode: 'dark' })]).toEqual(['make_and_take', 'dark']);
});
