import { describe, expect, it } from 'vitest';
import { FAIR } from '../../src/fair/options.ts';
import { RecordedBooks } from '../../src/fair/recorded-books.ts';
import { type Step, updatesOf } from '../support/tapes.ts';

/** The most that a runner may hold after these steps. */
function atMostAfter(...steps: readonly Step[]): number {
  const books = new RecordedBooks(1, FAIR);
  const updates = updatesOf(steps);
  for (const at of updates.op.keys()) books.apply(updates, at);
  return books.state(0, null).atMost;
}

describe('a runner may hold, beyond its fair value,', () => {
  it.each<[string, Step[], number]>([
    ['everything where nobody offers anything', [], 1],
    ['everything where nobody lets it be backed', [[0, 'for', 100, 50]], 1],
    ['the inverse of its best back price', [[0, 'against', 50, 100]], 1 / 50],
    [
      'the inverse of its best back price, however thin that is',
      [
        [0, 'against', 130, 0.01],
        [0, 'against', 20, 500],
      ],
      1 / 130,
    ],
    [
      'the inverse of what is left of its back prices',
      [
        [0, 'against', 130, 5],
        [0, 'against', 20, 500],
        [1, 'against', 130, 0],
      ],
      1 / 20,
    ],
    [
      'nothing once it has two sides',
      [
        [0, 'against', 50, 100],
        [0, 'for', 60, 100],
      ],
      0,
    ],
  ])('%s', (_, steps, atMost) => {
    expect(atMostAfter(...steps)).toBe(atMost);
  });
});
