import {
  HALF_LOSS,
  HALF_WIN,
  LOSS,
  PUSH,
  type Settlement,
  type SettlementGrid,
  settlementGrid,
  WIN,
} from '../../domain/payoff.ts';

/**
 * Asian lines in quarters of a goal: beaten by half a goal or more wins or loses all, by a quarter half of the stake,
 * level returns it.
 */
function byQuarters(beatenBy: number): Settlement {
  if (Math.abs(beatenBy) >= 2) return beatenBy > 0 ? WIN : LOSS;
  if (beatenBy === 0) return PUSH;
  return beatenBy > 0 ? HALF_WIN : HALF_LOSS;
}

/** Settlement of a handicap bet; `lineQuarters` is added to the backed team's goals (-1 is a quarter given away). */
export function handicapGrid(team: 'home' | 'away', lineQuarters: number): SettlementGrid {
  const sign = team === 'home' ? 1 : -1;
  return settlementGrid((home, away) => byQuarters(4 * sign * (home - away) + lineQuarters));
}

/** Settlement of a bet on more (`over`) or fewer goals than the line (9 is 2.25). */
export function totalGrid(side: 'over' | 'under', lineQuarters: number): SettlementGrid {
  const sign = side === 'over' ? 1 : -1;
  return settlementGrid((home, away) => byQuarters(sign * (4 * (home + away) - lineQuarters)));
}
