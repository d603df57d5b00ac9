/**
 * A dealer's quotes while the inventory can be traded until a horizon T (Avellaneda and Stoikov, High-frequency trading
 * in a limit order book, Quantitative Finance 2008). The mid diffuses with `volatility`, a quote at distance δ from it
 * is filled at the rate A·e^(-kδ), and wealth at the horizon is valued with constant absolute risk aversion.
 *
 * The quotes lie half of `optimalSpread` on either side of `reservationPrice`. They are an expansion for small
 * inventories without a bound; `glftDistances` solves the same problem exactly, with a bound.
 *
 * @example
 * const model: AvellanedaStoikovModel = { aversion: 0.1, volatility: 2, decay: 1.5 };
 */
export interface AvellanedaStoikovModel {
  /** γ, per unit of money. Above 0. */
  readonly aversion: number;
  /** σ, in the unit of price per square root of the unit of time. */
  readonly volatility: number;
  /** k, per unit of price. */
  readonly decay: number;
}

/**
 * The price at which the dealer is indifferent to one unit more or less: r = s - qγσ²(T-t). `held` is q in units (one
 * fill is one unit), `remaining` is T-t. A long dealer values a unit below the mid, a short one above it.
 *
 * @example
 * reservationPrice({ aversion: 0.1, volatility: 2 }, 100, 5, 0.5); // 99
 */
export function reservationPrice(
  { aversion, volatility }: Omit<AvellanedaStoikovModel, 'decay'>,
  mid: number,
  held: number,
  remaining: number,
): number {
  return mid - held * aversion * volatility ** 2 * remaining;
}

/**
 * The distance between the two quotes, in the unit of price: γσ²(T-t) + (2/γ)·ln(1+γ/k). It is the total spread, and
 * the same for every inventory.
 *
 * @example
 * optimalSpread({ aversion: 0.1, volatility: 2, decay: 1.5 }, 1); // 1.6908
 */
export function optimalSpread(
  { aversion, volatility, decay }: AvellanedaStoikovModel,
  remaining: number,
): number {
  return aversion * volatility ** 2 * remaining + 2 * fillDistance(aversion, decay);
}

/**
 * The distance from the reservation price that is best for a single fill, ln(1+γ/k)/γ. It is 1/k for a dealer without
 * risk aversion.
 */
export const fillDistance = (aversion: number, decay: number): number =>
  aversion === 0 ? 1 / decay : Math.log1p(aversion / decay) / aversion;
