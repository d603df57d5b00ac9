import { invariant } from '../lib/assert.ts';

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

/** Every price of the ladder in hundredths, whole numbers, ascending. */
export const HUNDREDTHS: readonly number[] = buildLadder();

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
