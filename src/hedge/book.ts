import type { Micros } from '../domain/money.ts';

/** Numbers to which each bet adds its own, in micros. */
export type Position = Float64Array;

/**
 * The matched bets of an event whose outcomes depend on each other.
 * - `scores`: the position is the profit in each final score, row by row. Only the `reachable` ones count.
 * - `runners`: the position is, runner after runner, the profit if the runner wins and the profit if it does not. At most one runner wins,
 *   and each of the others may turn out to be void.
 */
export type BookGroup =
  | { readonly kind: 'scores'; readonly micros: Position; readonly reachable: readonly number[] }
  | { readonly kind: 'runners'; readonly micros: Position };

/** The matched bets of an event. Its groups end independently of each other. */
export type OutcomeBook = readonly BookGroup[];

/**
 * The profit in each final state of a group: of each reachable score, or of each runner as the winner and then of none of them.
 *
 * @example
 * cellsOf({ kind: 'runners', micros: Float64Array.of(100, -20, 40, -30) }); // [70, 20, -50]
 */
export function cellsOf(group: BookGroup): readonly Micros[] {
  const { micros } = group;
  if (group.kind === 'scores') return group.reachable.map((cell) => micros[cell] as number);
  const allBeaten = beatenMicros(micros);
  const winners = Array.from({ length: micros.length / 2 }, (_, runner) => {
    const [win, lose] = [micros[2 * runner] as number, micros[2 * runner + 1] as number];
    return allBeaten - Math.min(0, lose) + win;
  });
  return [...winners, allBeaten];
}

/** A beaten runner's gain does not count: it may be void instead. */
function beatenMicros(micros: Position): Micros {
  let beaten = 0;
  for (let at = 1; at < micros.length; at += 2) beaten += Math.min(0, micros[at] as number);
  return beaten;
}

/** The least profit of a group, "everything is void" included: at most 0. */
export function worstOfGroup(group: BookGroup): Micros {
  const { micros } = group;
  let worst = 0;
  if (group.kind === 'scores') {
    for (const cell of group.reachable) worst = Math.min(worst, micros[cell] as number);
    return worst;
  }
  for (const profit of cellsOf(group)) worst = Math.min(worst, profit);
  return worst;
}

/** The least profit of an event's matched bets; at most 0. */
export const worstMicros = (book: OutcomeBook): Micros =>
  book.reduce((sum, group) => sum + worstOfGroup(group), 0);
