import { invariant } from '../lib/assert.ts';
import type { Direction } from './selection.ts';

/**
 * Index into the price ladder: 0 is 1.01, 349 is 1000.
 *
 * @example
 * const even: Tick = 99;
 * priceOf(even); // 2
 */
export type Tick = number;

/** Bands of the published tick schedule in hundredths: up to `to`, in steps of `step`. */
const BANDS = [
  { to: 200, step: 1 },
  { to: 300, step: 2 },
  { to: 400, step: 5 },
  { to: 600, step: 10 },
  { to: 1000, step: 20 },
  { to: 2000, step: 50 },
  { to: 3000, step: 100 },
  { to: 5000, step: 200 },
  { to: 10000, step: 500 },
  { to: 100000, step: 1000 },
] as const;

const LOWEST_HUNDREDTHS = 101;

const HUNDREDTHS: readonly number[] = buildLadder();

function buildLadder(): number[] {
  const ladder = [LOWEST_HUNDREDTHS];
  let price = LOWEST_HUNDREDTHS;
  for (const band of BANDS) {
    while (price < band.to) {
      price += band.step;
      ladder.push(price);
    }
  }
  return ladder;
}

/** Every price of the ladder, ascending; the index is the tick. */
export const LADDER: readonly number[] = HUNDREDTHS.map((h) => h / 100);
const TICK_COUNT = LADDER.length;
/**
 * The tick of the highest price, 1000.
 *
 * @example
 * LAST_TICK; // 349
 */
export const LAST_TICK: Tick = TICK_COUNT - 1;

/** The highest tick at or below each hundredth, up to the last: strategies look up several ticks for each quote. */
const TICK_BY_HUNDREDTHS = tickByHundredths();

function tickByHundredths(): Uint16Array {
  const ticks = new Uint16Array((HUNDREDTHS[LAST_TICK] as number) + 1);
  for (let tick = 0; tick < TICK_COUNT; tick++) ticks.fill(tick, HUNDREDTHS[tick]);
  return ticks;
}

/**
 * The decimal price of a tick. Throws InvariantError outside the ladder.
 *
 * @example
 * priceOf(0); // 1.01
 * priceOf(99); // 2
 */
export function priceOf(tick: Tick): number {
  const price = LADDER[tick];
  // The details are made only when they are needed: this is called for every level of every price list.
  if (price === undefined) invariant(false, 'tick outside the ladder', { tick });
  return price;
}

/**
 * The tick of a price that is exactly on the ladder, else null.
 *
 * @example
 * tickOf(2); // 99
 * tickOf(2.01); // null
 */
export function tickOf(price: number): Tick | null {
  const tick = floorTick(price);
  return tick !== null && LADDER[tick] === price ? tick : null;
}

/**
 * The highest tick whose price is at most `price`, or null below the ladder or when not finite.
 *
 * @example
 * floorTick(2.01); // 99
 */
export function floorTick(price: number): Tick | null {
  if (!(price >= 1.01) || price === Infinity) return null;
  if (price >= 1000) return LAST_TICK;
  // Rounding may put the product one hundredth off, so the neighbours are compared as prices.
  let tick = TICK_BY_HUNDREDTHS[Math.floor(price * 100)] as number;
  while ((LADDER[tick] as number) > price) tick--;
  while ((LADDER[tick + 1] as number) <= price) tick++;
  return tick;
}

/**
 * The lowest tick whose price is at least `price`, or null above the ladder or when not finite.
 *
 * @example
 * ceilTick(2.01); // 100
 */
export function ceilTick(price: number): Tick | null {
  if (!(price <= 1000) || price === -Infinity) return null;
  if (price <= 1.01) return 0;
  const below = floorTick(price) as Tick;
  return LADDER[below] === price ? below : below + 1;
}

/**
 * The first tick that honours a limit price (specification, orders: "an off-tick limit moves to the first tick that
 * honours it"): up for `for`, down for `against`. Null when there is none.
 */
export function honouringTick(direction: Direction, limitPrice: number): Tick | null {
  return direction === 'for' ? ceilTick(limitPrice) : floorTick(limitPrice);
}

/**
 * Whether price `a` is better than `b` for a bet in this direction: higher for `for`, lower for `against`. Works on
 * ticks, too. No other code knows this rule.
 *
 * @example
 * isBetter('for', 2.4, 2.3); // true
 * isBetter('against', 2.4, 2.3); // false
 */
export function isBetter(direction: Direction, a: number, b: number): boolean {
  return direction === 'for' ? a > b : a < b;
}

/**
 * Implied probability of a decimal price.
 *
 * @example
 * probabilityOf(2.5); // 0.4
 */
export const probabilityOf = (price: number): number => 1 / price;

/** The middle of both directions' prices, as a probability; null without both. */
export function midProbability(forPrice: number | null, againstPrice: number | null): number | null {
  if (forPrice === null || againstPrice === null) return null;
  return (probabilityOf(forPrice) + probabilityOf(againstPrice)) / 2;
}

/**
 * Log-odds of a probability.
 *
 * @example
 * logit(0.4); // -0.40547
 */
export const logit = (probability: number): number => Math.log(probability / (1 - probability));

/**
 * Log-odds (logit of the implied probability) of a decimal price: -ln(O-1).
 *
 * @example
 * logOddsOf(2.5); // -0.40547
 */
export const logOddsOf = (price: number): number => -Math.log(price - 1);

/**
 * Decimal price of log-odds.
 *
 * @example
 * priceOfLogOdds(0); // 2
 * priceOfLogOdds(logOddsOf(2.5) + 0.03); // 2.4557
 */
export const priceOfLogOdds = (logOdds: number): number => 1 + Math.exp(-logOdds);
