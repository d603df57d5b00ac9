import type { Micros } from '../../domain/money.ts';

/** The least profit over all final states, "everything is void" included: at most 0. */
export interface WorstCases {
  /** Of the matched bets alone: every open order lapses, and every bet in doubt is void. */
  readonly matched: Micros;
  /** Over all subsets of the open orders that may fill, together with the matched bets. */
  readonly possible: Micros;
}

/**
 * Whether an order reduces risk, given the worst cases without it and with it filled. It must improve what is matched, because
 * open orders that it would offset may lapse and leave it alone. It must not make any subset of fills worse than the worst so far.
 * Between no fill and a whole one both worst cases are concave, so a partial fill does no harm either.
 *
 * Everything that treats reducing orders apart calls this: limits, funds, trading states, betslips and budgets kept back.
 */
export const reduces = (without: WorstCases, filled: WorstCases): boolean =>
  filled.matched > without.matched && filled.possible >= without.possible;

/**
 * Whether an order worsens nothing, given the worst cases without it and with its losses alone: no subset of fills leaves the event worse, be
 * the order matched whole, in part or not at all. It is asked of the bets of a hedge, which lift the worst case together: each of them alone
 * may leave it where it is.
 */
export const worsensNothing = (without: WorstCases, open: WorstCases): boolean =>
  open.matched >= without.matched && open.possible >= without.possible;
