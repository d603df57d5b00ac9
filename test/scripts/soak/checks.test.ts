import { describe, expect, it } from 'vitest';
import { atLeast, atMost, lineOf, none, passed, slopeBelow } from '../../../scripts/soak/checks.ts';

describe('a slope', () => {
  it.each([
    ['ok', 'surely below the bound', 6, 2],
    ['ok', 'falling', -50, 2],
    ['undecided', 'below, but by less than two standard errors', 9, 2],
    ['undecided', 'above, but by less than two standard errors', 13, 2],
    ['failed', 'surely above', 15, 2],
  ])('is %s if it is %s', (verdict, _, slope, standardError) => {
    const check = slopeBelow('heap', { slope, standardError, points: 20 }, 10, 'MB/h');
    expect(check).toMatchObject({ verdict, text: `${slope} ± 2 MB/h; at most 10` });
  });

  it('is undecided without enough samples', () => {
    expect(slopeBelow('heap', null, 10, 'MB/h').verdict).toBe('undecided');
  });
});

describe('a figure', () => {
  it.each([
    [5, 'ok'],
    [5.1, 'failed'],
    [NaN, 'failed'],
  ])('of %d is %s for at most 5', (value, verdict) => {
    expect(atMost('descriptors', value, 5, 'more').verdict).toBe(verdict);
  });

  it.each([
    [5, 'ok'],
    [4.9, 'failed'],
    [NaN, 'failed'],
  ])('of %d is %s for at least 5', (value, verdict) => {
    expect(atLeast('orders', value, 5, 'a day').verdict).toBe(verdict);
  });
});

it('shows the first five of what must not be there', () => {
  expect(none('error lines', [])).toEqual({ name: 'error lines', verdict: 'ok', text: 'none' });
  const found = none('error lines', ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(lineOf(found)).toBe('failed    error lines: a; b; c; d; e and 2 more');
});

it('passes a shortened run, but no full one, that leaves a check undecided', () => {
  const checks = [atMost('a', 1, 2, ''), slopeBelow('b', null, 1, '')];
  expect(passed(checks, false)).toBe(true);
  expect(passed(checks, true)).toBe(false);
  expect(passed([atMost('a', 3, 2, '')], false)).toBe(false);
});
