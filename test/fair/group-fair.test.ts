import { describe, expect, it } from 'vitest';
import { groupFair } from '../../src/fair/group-fair.ts';
import type { BookState } from '../../src/fair/recorded-books.ts';

/** A book that may have a fair value. */
const book = (p: number): BookState => ({ mid: Math.log(p / (1 - p)), width: 0.2, why: null, atMost: 0 });
/** A runner without two sides, which holds at most so much. */
const oneSided = (atMost: number): BookState => ({ mid: null, width: 0, why: 'a side is empty', atMost });

describe('a set with runners that nobody sells', () => {
  it.each([
    [1, 0.01, true],
    [1, 0.0101, false],
    [3, 0.0101, true],
    [3, 0.03, true],
    [3, 0.0301, false],
  ])('with %i winners and %f of the others has fair values: %s', (winners, outside, hasFair) => {
    const books = Array.from({ length: winners + 1 }, () => book(winners / (winners + 1)));
    const fair = groupFair([...books, oneSided(outside)], winners);
    expect(fair.slice(0, -1).map(({ why }) => why)).toEqual(
      books.map(() => (hasFair ? null : 'other runners may win')),
    );
    expect(fair.at(-1)?.why).toBe('a side is empty');
  });

  it('adds what all of them may hold', () => {
    const states = [book(0.5), book(0.5), oneSided(0.006), oneSided(0.006)];
    expect(groupFair(states, 1)[0]?.why).toBe('other runners may win');
  });
});
