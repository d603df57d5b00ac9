import { GRID_SIZE, type SettlementGrid } from '../../domain/payoff.ts';

/** Probability of each final score, index home × 20 + away; adds up to 1. */
export type ScoreGrid = Float64Array;

export interface ScoreRates {
  /** Expected goals. */
  readonly home: number;
  readonly away: number;
  /** Dixon and Coles's dependence of low scores; negative makes draws likelier. */
  readonly rho: number;
}

/** 0-0, 0-1, 1-0, 1-1. */
const LOW_SCORES = [0, 1, GRID_SIZE, GRID_SIZE + 1];

/**
 * Independent Poisson scores with the factor of Dixon and Coles (Applied Statistics 1997) on the four lowest. Null when
 * the rates are not positive, or the dependence would make a probability negative.
 */
export function scoreGrid({ home, away, rho }: ScoreRates): ScoreGrid | null {
  const low = [1 - home * away * rho, 1 + home * rho, 1 + away * rho, 1 - rho];
  if (!(home > 0 && away > 0) || !low.every((factor) => factor >= 0)) return null;
  const [homeGoals, awayGoals] = [poissonPoints(home), poissonPoints(away)];
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

/** Scales the grid itself so that it adds up to 1. */
function normalised(grid: ScoreGrid): ScoreGrid {
  let total = 0;
  for (let at = 0; at < grid.length; at++) total += grid[at] as number;
  for (let at = 0; at < grid.length; at++) grid[at] = (grid[at] as number) / total;
  return grid;
}

/** One way to settle, and how likely it is. */
export interface Outcome {
  readonly won: number;
  readonly lost: number;
  readonly probability: number;
}

/** Shares of the stake come in halves. */
const HALVES = 3;

/** The ways to settle that can occur: at most five, where there are four hundred scores. */
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

/** Expected shares of the stake that win and that lose. */
export function expectedShares(grid: ScoreGrid, settlement: SettlementGrid): { won: number; lost: number } {
  let [won, lost] = [0, 0];
  for (let at = 0; at < grid.length; at++) {
    const probability = grid[at] as number;
    won += probability * (settlement.won[at] as number);
    lost += probability * (settlement.lost[at] as number);
  }
  return { won, lost };
}

/** The price at which the bet earns nothing: 1 + E[lost] / E[won]. Infinity when it cannot win. */
export function fairPrice(grid: ScoreGrid, settlement: SettlementGrid): number {
  const { won, lost } = expectedShares(grid, settlement);
  return 1 + lost / won;
}

/** Expected profit per unit of stake of a `for` bet. */
export function expectedProfit(grid: ScoreGrid, settlement: SettlementGrid, price: number): number {
  const { won, lost } = expectedShares(grid, settlement);
  return won * (price - 1) - lost;
}

/**
 * The grid as someone with constant absolute risk aversion prices by it who holds `payoff` (profit in each final
 * score): π̃ ∝ π·e^(-aversion × payoff). Scores that would hurt weigh more.
 */
export function tiltedGrid(grid: ScoreGrid, payoff: ArrayLike<number>, aversion: number): ScoreGrid {
  let worst = Infinity;
  for (let at = 0; at < grid.length; at++) worst = Math.min(worst, payoff[at] as number);
  // Relative to the worst score, so that no exponent is positive.
  return normalised(grid.map((p, at) => p * Math.exp(-aversion * ((payoff[at] as number) - worst))));
}
