/** Fair values of the selections of one group, from their books at one instant. */
import { solveSet } from './exclusive-set.ts';
import type { SetBook } from './moved-books.ts';
import type { BookState } from './recorded-books.ts';
import type { Fair, Reason } from './steps.ts';

/** Runners without two sides may hold this much of each winner. */
const MOST_OUTSIDE = 0.01;

const none = (why: Reason): Fair => ({ logOdds: null, why });

/** Of each state, in their order. `winners` is null for a selection that is no part of a set. */
export function groupFair(states: readonly BookState[], winners: number | null): readonly Fair[] {
  if (winners === null) return states.map((state) => ownFair(state));
  const isOpen = (state: BookState): boolean => state.why === null;
  if (!states.some(isOpen)) return states.map(ownFair);
  const outside = states.reduce((sum, { atMost }) => sum + atMost, 0);
  if (outside > MOST_OUTSIDE * winners) return states.map(({ why }) => none(why ?? 'other runners may win'));
  const books = states.flatMap(({ mid, width, why }): SetBook[] =>
    mid === null ? [] : [{ mid, width, isValid: why === null }],
  );
  const solved = solveSet(books, winners);
  if (solved === null) return states.map(({ why }) => none(why ?? 'the books of the set disagree'));
  let place = 0;
  return states.map((state): Fair => {
    const logOdds = state.mid === null ? null : (solved[place++] as number);
    return state.why === null && logOdds !== null ? { logOdds, why: null } : ownFair(state);
  });
}

/** By the book alone. */
const ownFair = ({ mid, why }: BookState): Fair =>
  why === null && mid !== null ? { logOdds: mid, why: null } : none(why ?? 'a side is empty');
