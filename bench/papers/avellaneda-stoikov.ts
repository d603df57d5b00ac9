/**
 * The simulation of Avellaneda and Stoikov (High-frequency trading in a limit order book, Quantitative Finance 2008,
 * section 3.3): a dealer who quotes around the reservation price, beside one who quotes the same average spread around
 * the mid.
 */
import { type Random, seededRandom } from '../../src/lib/random.ts';
import { optimalSpread, reservationPrice } from '../../src/strategy/sdk.ts';

/** Section 3.3: s = 100, T = 1, σ = 2, dt = 0.005, q = 0, k = 1.5, A = 140. */
const START_PRICE = 100;
const HORIZON = 1;
const VOLATILITY = 2;
const STEPS = 200;
const STEP = HORIZON / STEPS;
const DECAY = 1.5;
const ARRIVALS = 140;

export type Dealer = 'inventory' | 'symmetric';

/** The figures that a table prints for one dealer. */
export interface Figures {
  readonly averageSpread: number;
  readonly profit: number;
  readonly profitDeviation: number;
  readonly finalHeld: number;
  readonly finalHeldDeviation: number;
}

export interface Experiment {
  readonly aversion: number;
  readonly dealer: Dealer;
  readonly paths: number;
  readonly seed: number;
  /** The probability that a quote is filled in a step, from its rate of fills and the step. The paper's is rate × step. */
  readonly fillProbability?: (rate: number, step: number) => number;
}

const literally = (rate: number, step: number): number => rate * step;

/** Runs the experiment. The same seed gives the same figures, and both dealers meet the same mids. */
export function simulate(experiment: Experiment): Figures {
  const { paths, seed, aversion, dealer } = experiment;
  const model = { aversion, volatility: VOLATILITY, decay: DECAY };
  const average = averageSpread(aversion);
  const quotesAt = (remaining: number, mid: number, held: number): Quotes =>
    dealer === 'inventory'
      ? around(reservationPrice(model, mid, held, remaining), optimalSpread(model, remaining))
      : around(mid, average);
  const profits: number[] = [];
  const held: number[] = [];
  for (let path = 0; path < paths; path++) {
    const end = walk(seededRandom(seed, `path ${path}`), quotesAt, experiment.fillProbability ?? literally);
    profits.push(end.profit);
    held.push(end.held);
  }
  const [profit, profitDeviation] = meanAndDeviation(profits);
  const [finalHeld, finalHeldDeviation] = meanAndDeviation(held);
  return { averageSpread: average, profit, profitDeviation, finalHeld, finalHeldDeviation };
}

/**
 * The mean of the optimal spread over time: the paper's "average spread", which its symmetric dealer quotes throughout.
 * The spread falls linearly, so it is the one at half of the time. A mean over the 200 instants of quoting would be
 * 0.01 wider for γ = 1 and print 3.03, where the paper prints 3.02.
 */
export const averageSpread = (aversion: number): number =>
  optimalSpread({ aversion, volatility: VOLATILITY, decay: DECAY }, HORIZON / 2);

interface Quotes {
  readonly bid: number;
  readonly ask: number;
}

const around = (middle: number, spread: number): Quotes => ({
  bid: middle - spread / 2,
  ask: middle + spread / 2,
});

/** Plays a path. The quotes of a step are filled at its start, and the mid then moves up or down by σ√dt. */
function walk(
  random: Random,
  quotesAt: (remaining: number, mid: number, held: number) => Quotes,
  fillProbability: (rate: number, step: number) => number,
): { profit: number; held: number } {
  let mid = START_PRICE;
  let held = 0;
  let cash = 0;
  const isFilled = (distance: number): boolean =>
    random.next() < fillProbability(ARRIVALS * Math.exp(-DECAY * distance), STEP);
  for (let step = 0; step < STEPS; step++) {
    const { bid, ask } = quotesAt(HORIZON - step * STEP, mid, held);
    const isSold = isFilled(ask - mid);
    const isBought = isFilled(mid - bid);
    cash += (isSold ? ask : 0) - (isBought ? bid : 0);
    held += (isBought ? 1 : 0) - (isSold ? 1 : 0);
    mid += (random.next() < 0.5 ? 1 : -1) * VOLATILITY * Math.sqrt(STEP);
  }
  return { profit: cash + held * mid, held };
}

/** Mean and standard deviation (over n - 1) of a sample. */
function meanAndDeviation(values: readonly number[]): [mean: number, deviation: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [mean, Math.sqrt(squares / (values.length - 1))];
}
