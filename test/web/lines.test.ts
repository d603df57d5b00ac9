import { describe, expect, it } from 'vitest';
import { csvOfLines, stretchesOf } from '../../src/web/components/lines.ts';

describe('the file of a chart', () => {
  it('has a row for each instant and a column for each line, and nothing where a line has a gap', () => {
    const lines = [
      { name: 'fair', values: [2, null] },
      { name: 'Over 2.5, ours', values: [2.1, 2.2] },
    ];
    expect(csvOfLines([0, 1.5], lines)).toBe(
      'at,fair,"Over 2.5, ours"\r\n1970-01-01T00:00:00.000Z,2,2.1\r\n1970-01-01T00:00:01.500Z,,2.2\r\n',
    );
  });
});

describe('the stretches in which a condition holds', () => {
  const of = (...holds: readonly boolean[]): readonly (readonly [number, number])[] =>
    stretchesOf(
      holds.map((_, at) => 10 * at),
      (at) => holds[at] === true,
    ).map(({ fromS, toS }) => [fromS, toS]);

  it.each<[string, boolean[], [number, number][]]>([
    ['none', [false, false], []],
    ['until the next instant', [true, false], [[0, 10]]],
    ['as one while it goes on', [false, true, true, false], [[10, 30]]],
    [
      'apart',
      [true, false, true, false],
      [
        [0, 10],
        [20, 30],
      ],
    ],
    ['up to the last instant', [false, true], [[10, 10]]],
  ])('are %s', (_what, holds, expected) => {
    expect(of(...holds)).toEqual(expected);
  });
});
