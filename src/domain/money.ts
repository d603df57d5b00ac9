import { invariant } from '../lib/assert.ts';

/**
 * USDT amounts inside the program are integers of 1e-6 USDT; a decimal exists only at the edges.
 *
 * @example
 * const stakeMicros: Micros = 20_000_000;
 * fromMicros(stakeMicros); // 20
 */
export type Micros = number;

/**
 * Micros in 1 USDT.
 *
 * @example
 * MICROS_PER_UNIT; // 1000000
 */
export const MICROS_PER_UNIT = 1_000_000;

/** Largest rounding error of an amount on the wire: the exchange may round each amount to cents. */
export const ROUNDING_MICROS: Micros = 10_000;

/**
 * Nearest micro amount of a decimal. Throws InvariantError on a non-finite or unsafe amount: parse at the edge.
 *
 * @example
 * toMicros(20); // 20000000
 */
export function toMicros(amount: number): Micros {
  const micros = Math.round(amount * MICROS_PER_UNIT);
  invariant(Number.isSafeInteger(micros), 'money amount out of range', { amount });
  return micros;
}

/**
 * Decimal amount of micros, for the wire and for people.
 *
 * @example
 * fromMicros(1_500_000); // 1.5
 */
export function fromMicros(micros: Micros): number {
  return micros / MICROS_PER_UNIT;
}

/** The same for an amount that may not be known. */
export const usdtOf = (micros: Micros | null): number | null => (micros === null ? null : fromMicros(micros));

/**
 * Stake × (price - 1), free of rounding error where the result is whole. Prices on the ladder have two decimals, prices of other
 * makers and average fill prices up to eight. A complement has more: its result is as exact as a double.
 */
export function returnMicros(stakeMicros: Micros, price: number): number {
  const scaled = price * 1e8;
  const units = Math.round(scaled) - 1e8;
  if (Math.abs(scaled - units - 1e8) > EIGHT_DECIMALS) return stakeMicros * (price - 1);
  const fine = units % 1e4;
  return (stakeMicros * ((units - fine) / 1e4)) / 1e4 + (stakeMicros * fine) / 1e8;
}

/** A price within so much of a whole 1e-8 has eight decimals. A double of a price up to 1000 is exact to 1e-5 of them. */
const EIGHT_DECIMALS = 0.01;
