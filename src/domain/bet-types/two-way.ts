import { PUSH } from '../payoff.ts';
import { type Rule, type ScoreReader, scoreRule, winIf } from './rule.ts';

/** The market family of match odds without a draw. */
export const TWO_WAY = 'ml';

/**
 * Match odds without a draw: `h` and `a`. A tie voids the bet. Only the order of the two scores counts; they may be sets,
 * points or runs.
 */
export function twoWayRule(outcome: string, read: ScoreReader): Rule | null {
  if (outcome !== 'h' && outcome !== 'a') return null;
  const sign = outcome === 'h' ? 1 : -1;
  const text = outcome === 'h' ? 'Home' : 'Away';
  return scoreRule(TWO_WAY, text, read, (h, a) => (h === a ? PUSH : winIf(sign * (h - a) > 0)));
}
