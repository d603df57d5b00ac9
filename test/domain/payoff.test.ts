import { describe, expect, it } from 'vitest';
import {
  GRID_SIZE,
  HALF_LOSS,
  HALF_WIN,
  LOSS,
  PUSH,
  readSettlementGrid,
  settlementGrid,
  SPLIT,
  WIN,
} from '../../src/domain/payoff.ts';

/** A grid of the exchange with one code at 2-1, and losses elsewhere. */
const gridWith = (code: string): string[][] => {
  const grid = Array.from({ length: GRID_SIZE }, () => Array<string>(GRID_SIZE).fill('l'));
  (grid[2] as string[])[1] = code;
  return grid;
};
const AT_2_1 = 2 * GRID_SIZE + 1;

describe('a grid of the exchange', () => {
  it.each([
    ['w', 1, 0],
    ['hw', 0.5, 0],
    ['v/w', 0.5, 0],
    ['p', 0, 0],
    ['v', 0, 0],
    ['hl', 0, 0.5],
    ['l/v', 0, 0.5],
    ['l', 0, 1],
    ['l/w', 0.5, 0.5],
  ])(
    'says by %s that %f of the stake is won and %f lost, by the direction of its request',
    (code, won, lost) => {
      const own = readSettlementGrid('for', gridWith(code));
      expect([own?.won[AT_2_1], own?.lost[AT_2_1]]).toEqual([won, lost]);
      const other = readSettlementGrid('against', gridWith(code));
      expect([other?.won[AT_2_1], other?.lost[AT_2_1]]).toEqual([lost, won]);
      expect([own?.won.length, own?.won[0], own?.lost[0], other?.won[0]]).toEqual([400, 0, 1, 1]);
    },
  );

  it('cannot be read with an unknown code, or in another form', () => {
    expect(readSettlementGrid('for', gridWith('x'))).toBeNull();
    expect(readSettlementGrid('for', gridWith('w').slice(1))).toBeNull();
    expect(readSettlementGrid('for', [...gridWith('w'), Array<string>(GRID_SIZE).fill('l')])).toBeNull();
    for (const row of [0, GRID_SIZE - 1]) {
      expect(readSettlementGrid('for', gridWith('w').with(row, Array<string>(19).fill('l')))).toBeNull();
      expect(readSettlementGrid('for', gridWith('w').with(row, Array<string>(21).fill('l')))).toBeNull();
    }
  });
});

it('a grid of a rule has the rule’s settlement of each final score, row by row', () => {
  const ends = [WIN, LOSS, PUSH, HALF_WIN, HALF_LOSS, SPLIT];
  const endOf = (home: number, away: number) => ends[(7 * home + away) % ends.length] ?? PUSH;
  const { won, lost } = settlementGrid(endOf);
  expect([won.length, lost.length]).toEqual([400, 400]);
  for (let home = 0; home < 20; home++)
    for (let away = 0; away < 20; away++)
      expect({ won: won[home * 20 + away], lost: lost[home * 20 + away] }).toEqual(endOf(home, away));
});
