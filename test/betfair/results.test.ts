import { describe, expect, it } from 'vitest';
import { type Ended, settle } from '../../src/betfair/results.ts';

const ended = (outcome: string, status: string, winners = 1, paid = 1): Ended => ({
  outcome,
  status,
  winners,
  paid,
  ended: true,
});
const shown = (sport: string, ...all: readonly Ended[]): unknown[] =>
  settle(sport, all).settlements.map((each) => each && [each.won, each.lost]);

describe('a dead heat', () => {
  it.each<[string, readonly Ended[], unknown[]]>([
    [
      'for one place shares it',
      [ended('win,1', 'WINNER', 2), ended('win,2', 'WINNER', 2), ended('win,3', 'LOSER', 2)],
      [
        [0.5, 0.5],
        [0.5, 0.5],
        [0, 1],
      ],
    ],
    [
      'of both sides of a match shares the stake',
      [ended('h', 'WINNER', 2), ended('a', 'WINNER', 2)],
      [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
    ],
    [
      'is none where there are places for all',
      [ended('top,2,1', 'WINNER', 2, 2), ended('top,2,2', 'WINNER', 2, 2)],
      [
        [1, 0],
        [1, 0],
      ],
    ],
    [
      'is none where any number may win',
      [ended('h', 'WINNER', 2, Infinity), ended('a', 'WINNER', 2, Infinity)],
      [
        [1, 0],
        [1, 0],
      ],
    ],
  ])('%s', (_, all, expected) => {
    expect(shown('cricket', ...all)).toEqual(expected);
  });

  it('for the last of several places has no settlement, which a remark says; the beaten lose', () => {
    const all = [1, 2, 3, 4].map((id) => ended(`top,3,${id}`, 'WINNER', 4, 3));
    expect(shown('horse', ...all, ended('top,3,5', 'LOSER', 4, 3))).toEqual([null, null, null, null, [0, 1]]);
    expect(settle('horse', all).remarks).toEqual([
      expect.stringMatching(
        /would be guessed, so that there is none: 4 runners won and the market pays 3 places/,
      ),
    ]);
  });
});

describe('an Asian line', () => {
  it.each<[string, readonly Ended[], unknown[]]>([
    [
      'returns a level stake if both sides have one status',
      [ended('ah,h,-4', 'LOSER'), ended('ah,a,-4', 'LOSER')],
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'returns a removed stake',
      [ended('ah,h,0', 'REMOVED'), ended('ah,a,0', 'REMOVED')],
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'settles a level line by its own status',
      [ended('ah,h,-4', 'WINNER'), ended('ah,a,-4', 'LOSER')],
      [
        [1, 0],
        [0, 1],
      ],
    ],
    // Home won by one: half of -0.75 wins, half is returned.
    [
      'settles a quarter line by half where other lines tell it',
      [
        ended('ah,h,-3', 'WINNER'),
        ended('ah,a,-3', 'LOSER'),
        ended('ah,h,-4', 'LOSER'),
        ended('ah,a,-4', 'LOSER'),
      ],
      [
        [0.5, 0],
        [0, 0.5],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'settles a quarter line whole where nothing else is possible',
      [ended('ah,h,-1', 'WINNER'), ended('ah,a,-1', 'LOSER')],
      [
        [1, 0],
        [0, 1],
      ],
    ],
    [
      'has no settlement where a half is possible',
      [ended('ah,h,-3', 'WINNER'), ended('ah,a,-3', 'LOSER')],
      [null, null],
    ],
    [
      'returns no stake of a line that cannot be level, whatever its sides say',
      [
        ended('ah,h,-1', 'LOSER'),
        ended('ah,a,-1', 'LOSER'),
        ended('ahover,10', 'LOSER'),
        ended('ahunder,10', 'LOSER'),
      ],
      [null, null, [0, 1], [0, 1]],
    ],
  ])('%s', (_, all, expected) => {
    expect(shown('fb', ...all)).toEqual(expected);
  });

  it('without a settlement is remarked', () => {
    expect(settle('fb', [ended('ah,h,-3', 'WINNER'), ended('ah,a,-3', 'LOSER')]).remarks).toEqual([
      'any settlement of ah,h,-3 ah,a,-3 would be guessed, so that there is none: the file does not tell whether half of the stake is returned',
    ]);
  });
});
