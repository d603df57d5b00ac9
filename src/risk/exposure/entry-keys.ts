import { type Direction, DIRECTIONS } from '../../domain/selection.ts';

/** The key of a bet of unknown terms in one of the directions that it may have. */
export const doubtfulKey = (key: string, direction: Direction): string => `${key} ${direction}`;

export const doubtfulKeys = (key: string): readonly string[] =>
  DIRECTIONS.map((direction) => doubtfulKey(key, direction));

/** Whether an entry of the exposure book is one of those that a bet of unknown terms has. */
export const isOfDoubtfulBet = (entry: string): boolean =>
  DIRECTIONS.some((direction) => entry.endsWith(` ${direction}`));
