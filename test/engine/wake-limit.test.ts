import { expect, it } from 'vitest';
import { MOST_WAKES_A_SECOND, WakeLimit } from '../../src/engine/wake-limit.ts';

it('drops what a strategy emits beyond the limit of a second, and tells the first one apart', () => {
  const wakes = new WakeLimit();
  const outcomes = Array.from({ length: MOST_WAKES_A_SECOND + 3 }, (_, index) => wakes.at(index));
  expect(outcomes.slice(0, MOST_WAKES_A_SECOND).every((outcome) => outcome === 'passes')).toBe(true);
  expect(outcomes.slice(MOST_WAKES_A_SECOND)).toEqual(['first dropped', 'dropped', 'dropped']);
  expect([wakes.at(999), wakes.at(1_000)]).toEqual(['dropped', 'passes']);
});
