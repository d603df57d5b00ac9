/** Terms of the series. With a norm of at most 1/2 the error is below the precision of a double. */
const SERIES_TERMS = 14;
const SERIES_NORM = 0.5;
/** Squarings between two scalings. Entries of 1 grow to at most size^15 meanwhile, far within range. */
const SCALE_EVERY = 4;

/**
 * e^(matrix × time), up to a common factor. `matrix` is symmetric, without negative entries, size × size, row by row.
 * Sums the series for a fraction of the time, then squares. Few arrays are made: every quote of every frame needs this.
 */
export function exponentialOf(matrix: Float64Array, size: number, time: number): Float64Array {
  const squarings = Math.max(0, Math.ceil(Math.log2((norm(matrix, size) * time) / SERIES_NORM)));
  const fraction = time / 2 ** squarings;
  let [result, spare] = series(
    matrix.map((entry) => entry * fraction),
    size,
  );
  for (let round = 0; round < squarings; round++) {
    square(spare, result, size);
    if (round % SCALE_EVERY === 0) scale(spare);
    [result, spare] = [spare, result];
  }
  return result;
}

/** The largest sum of a row. */
function norm(matrix: Float64Array, size: number): number {
  let most = 0;
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0; column < size; column++) sum += matrix[row * size + column] as number;
    most = Math.max(most, sum);
  }
  return most;
}

/** The sum of the series, and an array that is no longer needed. */
function series(matrix: Float64Array, size: number): [Float64Array, Float64Array] {
  const result = new Float64Array(size * size);
  for (let i = 0; i < size; i++) result[i * size + i] = 1;
  let term: Float64Array = result.slice();
  let spare: Float64Array = new Float64Array(size * size);
  const factors = nonZero(matrix, size);
  for (let n = 1; n <= SERIES_TERMS; n++) {
    multiply(spare, factors, term, 1 / n, size);
    [term, spare] = [spare, term];
    for (let i = 0; i < term.length; i++) result[i] = (result[i] as number) + (term[i] as number);
  }
  return [result, spare];
}

/** An entry of a matrix. */
interface Factor {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

/** Most entries are zero. */
function nonZero(matrix: Float64Array, size: number): Factor[] {
  const factors: Factor[] = [];
  for (let at = 0; at < matrix.length; at++) {
    const value = matrix[at] as number;
    if (value !== 0) factors.push({ row: Math.floor(at / size), column: at % size, value });
  }
  return factors;
}

/** Puts a × b × `share` into `to`, where a has these entries. */
function multiply(
  to: Float64Array,
  a: readonly Factor[],
  b: Float64Array,
  share: number,
  size: number,
): void {
  to.fill(0);
  for (const { row, column, value } of a) addRow(to, row * size, b, column * size, value * share, size);
}

function addRow(
  to: Float64Array,
  at: number,
  from: Float64Array,
  start: number,
  factor: number,
  size: number,
): void {
  for (let i = 0; i < size; i++) to[at + i] = (to[at + i] as number) + factor * (from[start + i] as number);
}

/** Puts the square of a symmetric matrix into `to`: each entry is the product of two of its rows. */
function square(to: Float64Array, matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    for (let column = row; column < size; column++) {
      const entry = rowsProduct(matrix, row * size, column * size, size);
      to[row * size + column] = entry;
      to[column * size + row] = entry;
    }
  }
}

function rowsProduct(matrix: Float64Array, a: number, b: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (matrix[a + i] as number) * (matrix[b + i] as number);
  return sum;
}

/** Divides by the largest entry, so that squarings stay within range. */
function scale(matrix: Float64Array): void {
  let largest = 0;
  for (let i = 0; i < matrix.length; i++) largest = Math.max(largest, matrix[i] as number);
  const share = 1 / largest;
  for (let i = 0; i < matrix.length; i++) matrix[i] = (matrix[i] as number) * share;
}
