import type { Formats } from '../lib/formats.ts';

/** The part of a hedge's bet that tells whether it came to anything. */
interface Bet {
  readonly name: string;
  readonly direction: string;
  readonly state: 'wanted' | 'sent' | 'ended';
  readonly filledUsdt: number;
  readonly why?: string | undefined;
}

/** A hedge and its bets, as the admin interface tells them. */
export interface HedgeOutcome {
  readonly bets: readonly Bet[];
  /** The worst case of what is matched. */
  readonly worstUsdt: number;
  /** The loss to which the hedge was to bound the event; absent for other hedges. */
  readonly boundUsdt?: number | undefined;
  readonly isOver: boolean;
  readonly secondsLeft: number;
}

/** Takes are over within half a minute; what lives longer is an offer, which rests. */
const LONGEST_FOLLOWED_S = 60;

/** Stakes are whole cents: half of one is rounding. */
const HALF_CENT_USDT = 0.005;

/** Whether it is worth waiting for the end of a hedge: offers rest for minutes. */
export const isAtWork = ({ isOver, secondsLeft }: HedgeOutcome): boolean =>
  !isOver && secondsLeft <= LONGEST_FOLLOWED_S;

/** The bets that came to nothing: all without a fill once the hedge is followed no more, except for offers that rest. */
export function unmatchedOf({ bets, isOver, secondsLeft }: HedgeOutcome): readonly Bet[] {
  const mayRest = !isOver && secondsLeft > LONGEST_FOLLOWED_S;
  return bets.filter(({ state, filledUsdt }) => filledUsdt <= 0 && (state === 'ended' || !mayRest));
}

/** Each bet that came to nothing, with the reason. */
export const unmatchedInWords = (outcome: HedgeOutcome): readonly string[] =>
  unmatchedOf(outcome).map(
    ({ name, direction, why = 'the reason is not known' }) => `${direction} ${name}: nothing matched: ${why}`,
  );

/** Whether a worst case is beyond the bound. */
export const isBeyond = (worstUsdt: number, boundUsdt: number | undefined): boolean =>
  boundUsdt !== undefined && worstUsdt < 0 - boundUsdt - HALF_CENT_USDT;

/** Whether a hedge that is followed no more has missed its bound. An offer that rests may still reach it. */
export const hasMissedBound = ({ worstUsdt, boundUsdt, isOver, secondsLeft }: HedgeOutcome): boolean =>
  isBeyond(worstUsdt, boundUsdt) && (isOver || secondsLeft <= LONGEST_FOLLOWED_S);

/** A bound that was missed. */
export const missedInWords = ({ worstUsdt, boundUsdt = 0 }: HedgeOutcome, formats: Formats): string =>
  `bound ${formats.cents(boundUsdt)} not reached: ${formats.cents(worstUsdt)} matched; ask for the hedge again to bound the rest`;
