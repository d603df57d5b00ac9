import {
  GRID_SIZE,
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
 * Probability of each of the 400 final scores, index home × 20 + away. The sum is 1.
 *
 * @example
 * const goalless = (grid: ScoreGrid): number => grid[0] ?? 0;
 */
export type ScoreGrid = Float64Array;

/**
 * Parameters of the model of Dixon and Coles.
 *
 * @example
 * const rates: ScoreRates = { home: 1.5, away: 1.2, rho: -0.05 };
 */
export interface ScoreRates {
  /** Expected goals of the home team. */
  readonly home: number;
  /** Expected goals of the away team. */
  readonly away: number;
  /** Dependence of low scores. A negative value makes 0-0 and 1-1 likelier. */
  readonly rho: number;
}

/** 0-0, 0-1, 1-0, 1-1. */
const LOW_SCORES = [0, 1, GRID_SIZE, GRID_SIZE + 1];

/**
 * Independent Poisson scores with the factor of Dixon and Coles (Applied Statistics 1997) on the four lowest scores. Null
 * when the rates are not positive, or when the dependence would make a probability negative.
 *
 * @example
 * const grid = scoreGrid({ home: 1.5, away: 1.2, rho: 0 });
 * grid?.[0]; // 0.067206
 * scoreGrid({ home: -1, away: 1.2, rho: 0 }); // null
 */
export function scoreGrid({ home, away, rho }: ScoreRates): ScoreGrid | null {
  const low = [1 - home * away * rho, 1 + home * rho, 1 + away * rho, 1 - rho];
  if (!(home > 0 && away > 0) || !low.every((factor) => factor >= 0)) return null;
  const homeGoals = poissonPoints(home);
  const awayGoals = poissonPoints(away);
  const grid = new Float64Array(GRID_SIZE ** 2);
  for (let h = 0; h < GRID_SIZE; h++) {
    for (let a = 0; a < GRID_SIZE; a++) {
      grid[h * GRID_SIZE + a] = (homeGoals[h] as number) * (awayGoals[a] as number);
    }
  }
  for (const [i, at] of LOW_SCORES.entries()) grid[at] = (grid[at] as number) * (low[i] as number);
  return normalised(grid);
}

function poissonPoints(mean: number): Float64Array {
  const points = new Float64Array(GRID_SIZE);
  points[0] = Math.exp(-mean);
  for (let n = 1; n < GRID_SIZE; n++) points[n] = ((points[n - 1] as number) * mean) / n;
  return points;
}

/** Scales the grid in place so that its sum is 1. */
function normalised(grid: ScoreGrid): ScoreGrid {
  let total = 0;
  for (let at = 0; at < grid.length; at++) total += grid[at] as number;
  for (let at = 0; at < grid.length; at++) grid[at] = (grid[at] as number) / total;
  return grid;
}

/** A way that a `for` bet settles: the shares of the stake that win and lose, and its probability. */
export interface Outcome {
  readonly won: number;
  readonly lost: number;
  readonly probability: number;
}

/** The shares of the stake are 0, a half or 1. */
const HALVES = 3;

/** The ways to settle that can occur. They are at most five, so they are faster to sum over than 400 scores. */
export function outcomesOf(grid: ScoreGrid, { won, lost }: SettlementGrid): readonly Outcome[] {
  const masses = new Float64Array(HALVES * HALVES);
  for (let at = 0; at < grid.length; at++) {
    const way = 2 * (HALVES * (won[at] as number) + (lost[at] as number));
    masses[way] = (masses[way] as number) + (grid[at] as number);
  }
  return Array.from(masses, (probability, way) => {
    const lostHalves = way % HALVES;
    return { won: (way - lostHalves) / HALVES / 2, lost: lostHalves / 2, probability };
  }).filter(({ probability }) => probability > 0);
}

/**
 * Expected shares of a `for` stake that win and that lose, each 0 to 1.
 *
 * @example
 * const grid = scoreGrid({ home: 1.5, away: 1.2, rho: 0 });
 * grid && expectedShares(grid, handicapGrid('home', -1)); // { won: 0.44147, lost: 0.43113 }
 */
export function expectedShares(grid: ScoreGrid, settlement: SettlementGrid): { won: number; lost: number } {
  let won = 0;
  let lost = 0;
  for (let at = 0; at < grid.length; at++) {
    const probability = grid[at] as number;
    won += probability * (settlement.won[at] as number);
    lost += probability * (settlement.lost[at] as number);
  }
  return { won, lost };
}

/**
 * The decimal price at which the bet has no expected profit: 1 + E[lost] / E[won]. Infinity when it cannot win.
 *
 * @example
 * const grid = scoreGrid({ home: 1.5, away: 1.2, rho: 0 });
 * grid && fairPrice(grid, handicapGrid('home', -1)); // 1.976581
 * grid && fairPrice(grid, totalGrid('over', 9)); // 1.732939
 */
export function fairPrice(grid: ScoreGrid, settlement: SettlementGrid): number {
  const { won, lost } = expectedShares(grid, settlement);
  return 1 + lost / won;
}

/**
 * Expected profit of a `for` bet at a decimal price, per unit of stake.
 *
 * @example
 * const grid = scoreGrid({ home: 1.5, away: 1.2, rho: 0 });
 * grid && expectedProfit(grid, handicapGrid('home', -1), 2); // 0.010339
 */
export function expectedProfit(grid: ScoreGrid, settlement: SettlementGrid, price: number): number {
  const { won, lost } = expectedShares(grid, settlement);
  return won * (price - 1) - lost;
}

/**
 * The grid as priced by a holder of `payoff` with constant absolute risk aversion: π̃ ∝ π·e^(-aversion × payoff). Scores
 * that lose money weigh more. `payoff` is the profit in each final score (`bookPayoff`), `aversion` per unit of profit.
 *
 * @example
 * const grid = scoreGrid({ home: 1.5, away: 1.2, rho: 0 });
 * const homeWins = settlementGrid((home, away) => (home > away ? WIN : LOSS));
 * const tilted = grid && tiltedGrid(grid, homeWins.won.map((won) => (won === 1 ? -130 : 100)), 0.001);
 * tilted && fairPrice(tilted, homeWins); // 2.0052
 */
export function tiltedGrid(grid: ScoreGrid, payoff: ArrayLike<number>, aversion: number): ScoreGrid {
  let worst = Infinity;
  for (let at = 0; at < grid.length; at++) worst = Math.min(worst, payoff[at] as number);
  // Profits count from the worst score, so that no exponent is positive.
  return normalised(grid.map((p, at) => p * Math.exp(-aversion * ((payoff[at] as number) - worst))));
}

/**
 * Settlement of an Asian line, in quarters of a goal. A margin of half a goal or more wins or loses the whole stake, a
 * quarter wins or loses half of it, and no margin returns it.
 */
function byQuarters(beatenBy: number): Settlement {
  if (Math.abs(beatenBy) >= 2) return beatenBy > 0 ? WIN : LOSS;
  if (beatenBy === 0) return PUSH;
  return beatenBy > 0 ? HALF_WIN : HALF_LOSS;
}

/**
 * Settlement of a handicap bet. `lineQuarters` quarters are added to the backed team's goals: -1 is a line of -0.25.
 *
 * @example
 * handicapGrid('home', -1).lost[0]; // 0.5
 */
export function handicapGrid(team: 'home' | 'away', lineQuarters: number): SettlementGrid {
  const sign = team === 'home' ? 1 : -1;
  return settlementGrid((home, away) => byQuarters(4 * sign * (home - away) + lineQuarters));
}

/**
 * Settlement of a bet on more (`over`) or fewer goals than the line, in quarters of a goal: 9 is a line of 2.25.
 *
 * @example
 * totalGrid('over', 10).won[2 * 20 + 1]; // 1
 */
export function totalGrid(side: 'over' | 'under', lineQuarters: number): SettlementGrid {
  const sign = side === 'over' ? 1 : -1;
  return settlementGrid((home, away) => byQuarters(sign * (4 * (home + away) - lineQuarters)));
}
