/** The published tick schedule, written again for the judge: up to a price, in steps, in hundredths. */
const SCHEDULE: readonly (readonly [upTo: number, step: number])[] = [
  ...([
    [200, 1],
    [300, 2],
    [400, 5],
    [600, 10],
    [1_000, 20],
  ] as const),
  ...([
    [2_000, 50],
    [3_000, 100],
    [5_000, 200],
    [10_000, 500],
    [100_000, 1_000],
  ] as const),
];
const LOWEST = 101;

function* hundredths(): Generator<number> {
  let price = LOWEST;
  yield price;
  for (const [upTo, step] of SCHEDULE) while (price < upTo) yield (price += step);
}

/** Every price that an order may have, ascending. */
export const PRICES: readonly number[] = Array.from(hundredths(), (price) => price / 100);

const ON_LADDER: ReadonlySet<number> = new Set(PRICES);

/** The price of a tick; NaN off the ladder, which no price equals. */
export const priceAt = (tick: number): number => PRICES[tick] ?? NaN;

export const isOnLadder = (price: number): boolean => ON_LADDER.has(price);
