import { describe, expect, it } from 'vitest';
import { FAIR } from '../../src/fair/options.ts';
import { RecordedBooks } from '../../src/fair/recorded-books.ts';
import { type Step, updatesOf } from '../support/tapes.ts';

const logOddsOf = (price: number): number => -Math.log(price - 1);

describe('a book', () => {
  const width = logOddsOf(2) - logOddsOf(2.04);

  it.each([
    ['of the greatest width is good enough', width, null],
    ['that is any wider is not', width - 1e-9, 'the sides are far apart'],
  ])('%s', (_, most, why) => {
    const books = new RecordedBooks(1, { ...FAIR, width: most });
    const updates = updatesOf([
      [0, 'against', 2, 100],
      [0, 'for', 2.04, 100],
    ]);
    for (const at of updates.op.keys()) books.apply(updates, at);
    expect(books.state(0, null).why).toBe(why);
  });
});

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
