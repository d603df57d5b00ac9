import { describe, expect, it } from 'vitest';
import { patienceOf, patient } from '../support/patience.ts';

describe('the patience of the tests', () => {
  it.each([
    [0, 1],
    [100, 1],
    [250, 1],
    [500, 2],
    [2_500, 10],
    [1_000_000, 40],
  ])('for a command that starts in %d ms is %d', (startMs, factor) => {
    expect(patienceOf(startMs)).toBe(factor);
  });

  it('is never less than on an idle machine', () => {
    expect(patient(1_000)).toBeGreaterThanOrEqual(1_000);
    expect(patient(0)).toBe(0);
  });
});
