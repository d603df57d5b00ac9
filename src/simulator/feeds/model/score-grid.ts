import { GRID_SIZE } from '../../../domain/payoff.ts';

/** Probability per final score, home × 20 + away. */
export type ScoreGrid = Float64Array;

export interface GoalRates {
  /** Expected goals still to come. */
  readonly home: number;
  readonly away: number;
  /** Dixon-Coles dependence of the goals still to come; 0 makes the teams independent. */
  readonly rho: number;
}

/**
 * Probabilities of final scores: the score so far, plus Poisson goals to come with the Dixon-Coles factor on the four
 * lowest counts (Dixon and Coles 1997). The sum is 1; goals beyond 19 count as 19. Strategies have their own grid on
 * purpose: a market that priced with the same code would hide its mistakes.
 */
export function scoreGrid(rates: GoalRates, scored: readonly [home: number, away: number]): ScoreGrid {
  const home = poissonTable(rates.home);
  const away = poissonTable(rates.away);
  const grid = new Float64Array(GRID_SIZE * GRID_SIZE);
  let total = 0;
  for (let h = 0; h < GRID_SIZE; h++) {
    const row = Math.min(GRID_SIZE - 1, scored[0] + h) * GRID_SIZE;
    for (let a = 0; a < GRID_SIZE; a++) {
      const at = row + Math.min(GRID_SIZE - 1, scored[1] + a);
      const probability = (home[h] as number) * (away[a] as number) * dependence(rates, h, a);
      grid[at] = (grid[at] as number) + probability;
      total += probability;
    }
  }
  return grid.map((probability) => probability / total);
}

function poissonTable(mean: number): Float64Array {
  const table = new Float64Array(GRID_SIZE);
  table[0] = Math.exp(-mean);
  for (let n = 1; n < GRID_SIZE; n++) table[n] = ((table[n - 1] as number) * mean) / n;
  return table;
}

function dependence({ home, away, rho }: GoalRates, h: number, a: number): number {
  if (h > 1 || a > 1) return 1;
  if (h === 0) return a === 0 ? 1 - home * away * rho : 1 + home * rho;
  return a === 0 ? 1 + away * rho : 1 - rho;
}
