import { GRID_SIZE } from '../../../domain/payoff.ts';
import { invariant } from '../../../lib/assert.ts';
import { parseBetType } from '../../../domain/bet-types/index.ts';

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

/** The fractions of the stake that an outcome wins and loses at each score, by index into the grid. */
interface Payoff {
  readonly won: Float64Array;
  readonly lost: Float64Array;
}

/** Payoffs of football outcomes over the score grid, computed once each. */
export class PayoffTable {
  readonly #payoffs = new Map<string, Payoff>();

  /** Fair log-odds of an outcome; infinite when it cannot win or cannot lose. */
  fairLogOdds(outcome: string, grid: ScoreGrid): number {
    const { won, lost } = this.#of(outcome);
    let win = 0;
    let lose = 0;
    for (let at = 0; at < grid.length; at++) {
      const probability = grid[at] as number;
      win += probability * (won[at] as number);
      lose += probability * (lost[at] as number);
    }
    return Math.log(win / lose);
  }

  #of(outcome: string): Payoff {
    const known = this.#payoffs.get(outcome);
    if (known !== undefined) return known;
    const payoff = payoffOf(outcome);
    this.#payoffs.set(outcome, payoff);
    return payoff;
  }
}

function payoffOf(outcome: string): Payoff {
  const parsed = parseBetType('fb', `for,${outcome}`);
  invariant(parsed !== null, 'modelled outcome does not parse', { outcome });
  const won = new Float64Array(GRID_SIZE * GRID_SIZE);
  const lost = new Float64Array(GRID_SIZE * GRID_SIZE);
  for (let at = 0; at < won.length; at++) {
    const home = Math.floor(at / GRID_SIZE);
    const away = at % GRID_SIZE;
    const settled = parsed.settle({ kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away });
    won[at] = settled?.won ?? 0;
    lost[at] = settled?.lost ?? 0;
  }
  return { won, lost };
}
