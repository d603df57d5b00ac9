import { GRID_SIZE, type Settlement } from '../../src/domain/payoff.ts';
import type { ParsedBetType } from '../../src/domain/bet-types/result.ts';

const SIDE = Array.from({ length: GRID_SIZE }, (_, goals) => goals);

/** Every final score of the grid. */
export const SCORES: readonly (readonly [home: number, away: number])[] = SIDE.flatMap((home) =>
  SIDE.map((away) => [home, away] as const),
);

/** How a bet type settles at a score that was also the half-time score. Throws when a score does not decide it. */
export function settleAt(parsed: ParsedBetType, home: number, away: number): Settlement {
  const settled = parsed.settle({ kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away });
  if (settled === null) throw new Error(`${parsed.outcome} is not settled by a score`);
  return settled;
}
