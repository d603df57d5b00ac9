import { fillDistance } from './avellaneda-stoikov.ts';
import { exponentialOf } from './matrix-exponential.ts';

/**
 * Model of optimal quotes with bounded inventory (Guéant, Lehalle, Fernandez-Tapia: Dealing with the inventory risk,
 * 2013). The mid diffuses with `volatility`. A quote at distance δ from it is filled at the rate A·e^(-kδ). Wealth at
 * the horizon is valued with constant absolute risk aversion. The caller chooses the units of distance and time.
 *
 * @example
 * const model: GlftModel = { volatility: 0.3, arrivals: 0.9, decay: 0.3, aversion: 0.01, bound: 30 };
 */
export interface GlftModel {
  /** γ, per unit of wealth. */
  readonly aversion: number;
  /** σ, in the unit of distance per square root of the unit of time. */
  readonly volatility: number;
  /** A, fills per unit of time at distance 0. */
  readonly arrivals: number;
  /** k, per unit of distance. */
  readonly decay: number;
  /** Q, in fills. There is no bid at an inventory of Q, and no ask at -Q. */
  readonly bound: number;
}

/**
 * Distances of the two quotes from the mid, in the model's unit. Null when the bound forbids the quote.
 *
 * @example
 * const isTwoSided = ({ bid, ask }: QuoteDistances): boolean => bid !== null && ask !== null;
 * isTwoSided({ bid: null, ask: 1.2 }); // false
 */
export interface QuoteDistances {
  readonly bid: number | null;
  readonly ask: number | null;
}

/**
 * v(t) for every inventory q from -Q to Q (index q + Q), up to a common factor: the quotes depend on ratios only.
 *
 * @example
 * const value: GlftValue = glftValue({ volatility: 1, arrivals: 1, decay: 1, aversion: 0.1, bound: 2 }, 10);
 * value.length; // 5
 */
export type GlftValue = Float64Array;

/**
 * Solves v(t) = e^(-M(T-t))·1, with M tridiagonal: αq² on the diagonal, -η beside it. `remaining` is T-t in the model's
 * unit of time.
 *
 * M and the start are symmetric in q, so the basis 0 and the pairs ±q halves the problem. A factor in v does not matter,
 * so a multiple of the identity is added to -M to make all its entries positive. The series of the exponential and its
 * squarings then add only positive numbers and lose no digits.
 *
 * @example
 * const model = { volatility: 0.3, arrivals: 0.9, decay: 0.3, aversion: 0.01, bound: 30 };
 * const value = glftValue(model, 600);
 * glftDistances(model, value, 0).bid; // 3.313045
 */
export function glftValue(model: GlftModel, remaining: number): GlftValue {
  const { aversion, volatility, arrivals, decay, bound } = model;
  const key = `${aversion} ${volatility} ${arrivals} ${decay} ${bound} ${remaining}`;
  const known = SOLVED.get(key);
  if (known !== undefined) return known;
  const value = solve(model, remaining);
  if (SOLVED.size >= MOST_SOLVED) SOLVED.clear();
  SOLVED.set(key, value);
  return value;
}

/** A strategy asks again at each turn, and most turns change the price of one selection at most. */
const SOLVED = new Map<string, GlftValue>();
const MOST_SOLVED = 256;

function solve({ aversion, volatility, arrivals, decay, bound }: GlftModel, remaining: number): GlftValue {
  const alpha = (decay * aversion * volatility ** 2) / 2;
  const eta = arrivals * (1 + aversion / decay) ** -(1 + decay / aversion);
  const grown = exponentialOf(halvedMatrix(alpha, eta, bound), bound + 1, remaining);
  const half = Array.from({ length: bound + 1 }, (_, q) => pairSum(grown, q, bound + 1));
  return Float64Array.from({ length: 2 * bound + 1 }, (_, i) => half[Math.abs(i - bound)] as number);
}

/** αQ² - M in the basis of pairs, row by row. */
function halvedMatrix(alpha: number, eta: number, bound: number): Float64Array {
  const size = bound + 1;
  const matrix = new Float64Array(size * size);
  for (let q = 0; q < size; q++) {
    matrix[q * size + q] = alpha * (bound ** 2 - q ** 2);
    if (q === bound) break;
    const beside = q === 0 ? eta * Math.SQRT2 : eta;
    matrix[q * size + q + 1] = beside;
    matrix[(q + 1) * size + q] = beside;
  }
  return matrix;
}

/** Row q times the vector of ones, converted back from the basis of pairs. */
function pairSum(matrix: Float64Array, q: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (matrix[q * size + i] as number) * (i === 0 ? 1 : Math.SQRT2);
  return q === 0 ? sum : sum / Math.SQRT2;
}

/**
 * The distances for an inventory of `held` fills (a whole number from -Q to Q). `value` is that of the same model.
 *
 * @example
 * const model = { volatility: 0.3, arrivals: 0.9, decay: 0.3, aversion: 0.01, bound: 30 };
 * const value = glftValue(model, 600);
 * glftDistances(model, value, 5); // { bid: 3.6535, ask: 2.9725 }
 * glftDistances(model, value, 30).bid; // null
 */
export function glftDistances(model: GlftModel, value: GlftValue, held: number): QuoteDistances {
  const { aversion, decay, bound } = model;
  const at = (inventory: number): number => value[inventory + bound] as number;
  const own = fillDistance(aversion, decay);
  const distance = (next: number): number | null =>
    Math.abs(next) > bound ? null : Math.log(at(held) / at(next)) / decay + own;
  return { bid: distance(held + 1), ask: distance(held - 1) };
}

/**
 * The distances of `glftClosedForm`. Without a bound there are always both.
 *
 * @example
 * const spreadOf = ({ bid, ask }: UnboundedDistances): number => bid + ask;
 */
export interface UnboundedDistances {
  readonly bid: number;
  readonly ask: number;
}

/**
 * The paper's closed form for the same distances, far from the horizon and without a bound (Guéant, Lehalle,
 * Fernandez-Tapia 2013, section 4): ln(1+γ/k)/γ ± (2q ± 1)/2 · step, where step = √(σ²γ/(2kA)·(1+γ/k)^(1+k/γ)) is how
 * far each fill moves both quotes.
 *
 * It replaces q by a continuous variable, so it holds for k·step well below 1, and for inventories within about two
 * standard deviations, each (k·step)^(-1/2) fills. A bound that is nearer than four of them matters: use
 * `glftDistances` then.
 *
 * @example
 * const model = { volatility: 0.3, arrivals: 0.9, decay: 0.3, aversion: 0.01 };
 * glftClosedForm(model, 0); // { bid: 3.3129, ask: 3.3129 }
 * glftClosedForm(model, 5); // { bid: 3.6522, ask: 2.9736 }
 */
export function glftClosedForm(model: Omit<GlftModel, 'bound'>, held: number): UnboundedDistances {
  const own = fillDistance(model.aversion, model.decay);
  const step = glftStep(model);
  return { bid: own + ((2 * held + 1) / 2) * step, ask: own - ((2 * held - 1) / 2) * step };
}

/**
 * How far each fill moves both quotes of `glftClosedForm`, in the model's unit of distance.
 *
 * @example
 * glftStep({ volatility: 0.3, arrivals: 0.9, decay: 0.3, aversion: 0.01 }); // 0.067866
 */
export function glftStep({ aversion, volatility, arrivals, decay }: Omit<GlftModel, 'bound'>): number {
  const growth = (1 + aversion / decay) ** (1 + decay / aversion);
  return Math.sqrt(((volatility ** 2 * aversion) / (2 * decay * arrivals)) * growth);
}
