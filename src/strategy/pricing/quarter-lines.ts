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
 * Settlement of an Asian line, in quarters of a goal. A margin of half a goal or more wins or loses the whole stake, a
 * quarter wins or loses half of it, and no margin returns it.
 */
function byQuarters(beatenBy: number): Settlement {
  if (Math.abs(beatenBy) >= 2) return beatenBy > 0 ? WIN : LOSS;
  if (beatenBy === 0) return PUSH;
  return beatenBy > 0 ? HALF_WIN : HALF_LOSS;
}

/** Settlement of a handicap bet. `lineQuarters` quarters are added to the backed team's goals: -1 is a line of -0.25. */
export function handicapGrid(team: 'home' | 'away', lineQuarters: number): SettlementGrid {
  const sign = team === 'home' ? 1 : -1;
  return settlementGrid((home, away) => byQuarters(4 * sign * (home - away) + lineQuarters));
}

/** Settlement of a bet on more (`over`) or fewer goals than the line, in quarters of a goal: 9 is a line of 2.25. */
export function totalGrid(side: 'over' | 'under', lineQuarters: number): SettlementGrid {
  const sign = side === 'over' ? 1 : -1;
  return settlementGrid((home, away) => byQuarters(sign * (4 * (home + away) - lineQuarters)));
}
