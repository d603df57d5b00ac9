import { expect } from 'vitest';

/** An estimate of one run, and the error that it states. */
export interface Stated {
  readonly value: number;
  readonly standardError: number;
}

/**
 * Asserts that estimates of independent runs scatter around the true value as their own standard errors say: each within
 * 4 of them, and together neither wider nor narrower than `spread` allows. Runs have fixed seeds.
 */
export function expectStatedErrors(
  truth: number,
  runs: readonly Stated[],
  spread = { least: 0.75, most: 1.25 },
): void {
  const scores = runs.map(({ value, standardError }) => (value - truth) / standardError);
  for (const score of scores) expect(Math.abs(score)).toBeLessThan(4);
  const rms = Math.sqrt(scores.reduce((sum, score) => sum + score ** 2, 0) / scores.length);
  expect(rms).toBeGreaterThan(spread.least);
  expect(rms).toBeLessThan(spread.most);
}
