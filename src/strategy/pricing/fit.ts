import type { EventView, SelectionView } from '../../domain/event-view.ts';
import { fromMicros } from '../../domain/money.ts';
import { GRID_SIZE, type SettlementGrid } from '../../domain/payoff.ts';
import { logOddsWidth, topOfBook, weightedMid } from './fair.ts';
import { type ScoreGrid, scoreGrid, type ScoreRates } from './score-grid.ts';

/**
 * A price to fit: how a selection settles, its decimal mid price, and the weight of that price.
 *
 * @example
 * const target: FitTarget = { settlement: totalGrid('over', 10), price: 2, weight: 1 / 0.05 ** 2 };
 */
export interface FitTarget {
  readonly settlement: SettlementGrid;
  readonly price: number;
  /** 1 / (width in log-odds)². */
  readonly weight: number;
}

/**
 * Scores that fit the prices of an event.
 *
 * @example
 * const isUsable = ({ misfit, isDetermined }: FittedScores): boolean => isDetermined && misfit < 0.05;
 */
export interface FittedScores {
  readonly rates: ScoreRates;
  readonly grid: ScoreGrid;
  /** Root of the weighted mean square of the bets' expected profits, each in units of its own standard deviation. */
  readonly misfit: number;
  /**
   * Whether the prices determine the grid. Home, draw and away alone do not: they fit few goals as well as many, so the
   * grid is a guess wherever goals count.
   */
  readonly isDetermined: boolean;
}

/** ln λ, ln μ, ρ. */
type Point = readonly [number, number, number];

const START: Point = [Math.log(1.4), Math.log(1.1), -0.05];
/** Most fits need six rounds. A fit that the prices hardly determine would never end. Twelve rounds take 0.5 ms. */
const MOST_ROUNDS = 12;
/** A step that moves no coordinate by more than this ends the search, because prices have four digits. */
const SMALLEST_STEP = 1e-8;
const PROBE = 1e-6;
const FIRST_DAMPING = 1e-3;
const MOST_DAMPING = 1e12;
/** The search ends when a round reduces the weighted squares by less than this share. */
const SETTLED = 1e-9;
/** Markets that do not determine the grid reach 1e-13 by rounding. Those that do reach 1e-3 or more. */
const LEAST_INDEPENDENCE = 1e-6;

/**
 * Fits scoring rates and low-score dependence to all prices of an event at once. Minimises the weighted squares of each
 * bet's expected profit at its mid price, in units of its standard deviation, by the method of Levenberg and Marquardt.
 * Null with fewer than three targets, because three numbers are fitted.
 *
 * @example
 * const grid = (rule: (home: number, away: number) => boolean) =>
 *   settlementGrid((home, away) => (rule(home, away) ? WIN : LOSS));
 * const fitted = fitScores([
 *   { settlement: grid((home, away) => home > away), price: 1 / 0.5, weight: 1 },
 *   { settlement: grid((home, away) => home === away), price: 1 / 0.25, weight: 1 },
 *   { settlement: grid((home, away) => home < away), price: 1 / 0.25, weight: 1 },
 *   { settlement: totalGrid('over', 10), price: 1 / 0.55, weight: 1 },
 * ]);
 * fitted?.rates; // { home: 1.724071, away: 1.158529, rho: -0.054839 }
 */
export function fitScores(targets: readonly FitTarget[]): FittedScores | null {
  if (targets.length < 3) return null;
  const bets = targets.map(betOf);
  let point = START;
  let residuals = residualsAt(bets, point);
  let damping = FIRST_DAMPING;
  let columns: Columns | null = null;
  for (let round = 0; round < MOST_ROUNDS && residuals !== null && damping < MOST_DAMPING; round++) {
    columns ??= columnsAt(bets, point, residuals);
    const step = stepFrom(columns, residuals, damping);
    if (Math.max(...step.map(Math.abs)) < SMALLEST_STEP) break;
    const found = residualsAt(bets, move(point, step));
    const gain = found === null ? -1 : squares(residuals) - squares(found);
    if (found === null || !(gain >= 0)) {
      damping *= 10;
      continue;
    }
    const isSettled = gain <= SETTLED * squares(residuals);
    point = move(point, step);
    residuals = found;
    damping /= 10;
    columns = null;
    if (isSettled) break;
  }
  return residuals === null ? null : resultAt(targets, bets, point, residuals);
}

const ratesOf = ([logHome, logAway, rho]: Point): ScoreRates => ({
  home: Math.exp(logHome),
  away: Math.exp(logAway),
  rho,
});

const move = (from: Point, by: Point): Point => [from[0] + by[0], from[1] + by[1], from[2] + by[2]];

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((total, value, i) => total + value * (b[i] as number), 0);

const squares = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value * value, 0);

/** The part of a target that does not depend on the point. `profit` is for a stake of 1, in each final score. */
interface Bet {
  readonly profit: Float64Array;
  readonly rootWeight: number;
}

function betOf({ settlement: { won, lost }, price, weight }: FitTarget): Bet {
  const profit = new Float64Array(won.length);
  for (let at = 0; at < won.length; at++)
    profit[at] = (won[at] as number) * (price - 1) - (lost[at] as number);
  return { profit, rootWeight: Math.sqrt(weight) };
}

/** √w·R of each bet; null when the point gives no distribution. */
function residualsAt(bets: readonly Bet[], point: Point): number[] | null {
  const grid = scoreGrid(ratesOf(point));
  return grid && bets.map(({ profit, rootWeight }) => rootWeight * standardised(grid, profit));
}

/** Mean profit in units of its standard deviation. */
function standardised(grid: ScoreGrid, profit: Float64Array): number {
  let mean = 0;
  let square = 0;
  for (let at = 0; at < grid.length; at++) {
    const part = (grid[at] as number) * (profit[at] as number);
    mean += part;
    square += part * (profit[at] as number);
  }
  return mean / Math.sqrt(Math.max(square - mean * mean, Number.MIN_VALUE));
}

/** The Jacobian J by columns: the slope of each residual along each axis. */
type Columns = readonly (readonly number[])[];

const columnsAt = (bets: readonly Bet[], point: Point, residuals: readonly number[]): Columns =>
  [0, 1, 2].map((axis) => slopes(bets, point, residuals, axis));

/** Solves (JᵀJ + damping·diag JᵀJ)·step = -Jᵀr. */
function stepFrom(columns: Columns, residuals: readonly number[], damping: number): Point {
  const matrix = columns.map((a, i) =>
    columns.map((b, j) => product(a, b) * (i === j ? 1 + damping : 1) + (i === j ? Number.MIN_VALUE : 0)),
  );
  return solve3(
    matrix,
    columns.map((column) => -product(column, residuals)),
  );
}

function slopes(bets: readonly Bet[], point: Point, residuals: readonly number[], axis: number): number[] {
  const by: Point = [axis === 0 ? PROBE : 0, axis === 1 ? PROBE : 0, axis === 2 ? PROBE : 0];
  const moved = residualsAt(bets, move(point, by)) ?? residuals;
  return moved.map((value, i) => (value - (residuals[i] as number)) / PROBE);
}

/** Cramer's rule. A singular system gives no step. */
function solve3(m: readonly (readonly number[])[], right: readonly number[]): Point {
  const whole = determinant(m);
  const part = (column: number): number =>
    determinant(m.map((row, i) => row.map((value, j) => (j === column ? (right[i] as number) : value)))) /
    whole;
  const step: Point = [part(0), part(1), part(2)];
  return step.every(Number.isFinite) ? step : [0, 0, 0];
}

function determinant(m: readonly (readonly number[])[]): number {
  const at = (row: number, column: number): number => (m[row] as readonly number[])[column] as number;
  const minor = (a: number, b: number): number => at(1, a) * at(2, b) - at(1, b) * at(2, a);
  return at(0, 0) * minor(1, 2) - at(0, 1) * minor(0, 2) + at(0, 2) * minor(0, 1);
}

function resultAt(
  targets: readonly FitTarget[],
  bets: readonly Bet[],
  point: Point,
  residuals: readonly number[],
): FittedScores | null {
  const rates = ratesOf(point);
  const grid = scoreGrid(rates);
  const weights = targets.reduce((total, { weight }) => total + weight, 0);
  if (grid === null) return null;
  return {
    rates,
    grid,
    misfit: Math.sqrt(squares(residuals) / weights),
    // Computed only when read, because it costs a round of the fit.
    get isDetermined() {
      return independence(columnsAt(bets, point, residuals)) >= LEAST_INDEPENDENCE;
    },
  };
}

/** 1 when each of the three axes changes the prices in its own way, 0 when the others can replace one. */
function independence(columns: Columns): number {
  const units = columns.map((column) => column.map((value) => value / Math.sqrt(squares(column))));
  return determinant(units.map((a) => units.map((b) => product(a, b))));
}

/** Only three numbers are fitted. More markets cost time, and the widest hardly count. */
const MOST_TARGETS = 20;

/**
 * Fits the score grid to the event's two-sided markets with a known settlement that are at most `maxWidth` wide, in
 * log-odds. The twenty narrowest are used, each weighted by 1/width². Null when there are fewer than three.
 *
 * @example
 * const fitted = fitEvent(view, 0.2);
 * fitted?.isDetermined; // true
 * fitted?.rates.home; // 1.4965
 */
export function fitEvent({ selections }: EventView, maxWidth: number): FittedScores | null {
  const targets = selections.flatMap((selection) => targetOf(selection, maxWidth));
  return fitScores(targets.sort((a, b) => b.weight - a.weight).slice(0, MOST_TARGETS));
}

function targetOf({ market, grid }: SelectionView, maxWidth: number): FitTarget[] {
  const top = topOfBook(market);
  if (top === null || !grid) return [];
  const width = logOddsWidth(top);
  if (width > maxWidth) return [];
  return [{ settlement: grid, price: 1 / weightedMid(top), weight: 1 / width ** 2 }];
}

/**
 * Profit in USDT of all our matched bets on the event, in each of the 400 final scores (index home × 20 + away). Holdings
 * whose settlement is not known are left out, because they cannot be assigned to a score.
 *
 * @example
 * const payoff = bookPayoff(view);
 * payoff[1 * 20 + 0]; // 26
 * payoff[0 * 20 + 1]; // -20
 */
export function bookPayoff({ holdings = [] }: EventView): Float64Array {
  const payoff = new Float64Array(GRID_SIZE ** 2);
  for (const { position, grid } of holdings) {
    if (grid === null) continue;
    const win = fromMicros(position.ifWinMicros);
    const lose = fromMicros(position.ifLoseMicros);
    for (let at = 0; at < payoff.length; at++) {
      payoff[at] = (payoff[at] as number) + win * (grid.won[at] as number) + lose * (grid.lost[at] as number);
    }
  }
  return payoff;
}
