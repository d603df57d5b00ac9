import { expect, it } from 'vitest';
import { boreFruit, type Slot } from '../../../src/orders/betslips/slot.ts';

/** A betslip whose request took its time. */
const slot = (over: Partial<Slot>): Slot => ({ isUsed: false, beganMs: 0, openedMs: 8_000, ...over }) as Slot;

it.each([
  ['while it is not open', slot({ openedMs: Infinity }), 60_000, false],
  ['as long as its request took', slot({}), 8_000, false],
  ['just before 5 s of its own', slot({}), 12_999, false],
  ['after 5 s of its own', slot({}), 13_000, true],
  ['once it is used', slot({ isUsed: true, openedMs: Infinity }), 1, true],
])('a betslip bears fruit %s: %s', (_, of, nowMs, fruit) => {
  expect(boreFruit(of, nowMs)).toBe(fruit);
});
