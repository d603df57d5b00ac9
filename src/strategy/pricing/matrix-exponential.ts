/** Terms of the series; with a norm of at most 1/2 its error is below a double's resolution. */
const SERIES_TERMS = 14;
const SERIES_NORM = 0.5;

/**
 * e^(matrix × time), up to a common factor, of a square matrix without negative entries (row by row): the series of a
 * fraction of the time, squared back up.
 */
export function exponentialOf(matrix: Float64Array, size: number, time: number): Float64Array {
  const squarings = Math.max(0, Math.ceil(Math.log2((norm(matrix, size) * time) / SERIES_NORM)));
  const fraction = time / 2 ** squarings;
  let result = series(
    matrix.map((entry) => entry * fraction),
    size,
  );
  for (let round = 0; round < squarings; round++) result = scaled(product(result, result, size));
  return result;
}

/** Largest sum of a row. */
function norm(matrix: Float64Array, size: number): number {
  let most = 0;
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0; column < size; column++) sum += matrix[row * size + column] as number;
    most = Math.max(most, sum);
  }
  return most;
}

function series(matrix: Float64Array, size: number): Float64Array {
  const result = new Float64Array(size * size);
  for (let i = 0; i < size; i++) result[i * size + i] = 1;
  let term: Float64Array = result.slice();
  for (let n = 1; n <= SERIES_TERMS; n++) {
    term = product(term, matrix, size);
    for (let i = 0; i < term.length; i++) {
      term[i] = (term[i] as number) / n;
      result[i] = (result[i] as number) + (term[i] as number);
    }
  }
  return result;
}

function product(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const result = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < size; k++) {
      const factor = a[row * size + k] as number;
      if (factor !== 0) addRow(result, row * size, b, k * size, factor, size);
    }
  }
  return result;
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

/** Keeps squarings within range. */
function scaled(matrix: Float64Array): Float64Array {
  const largest = matrix.reduce((most, entry) => Math.max(most, entry), 0);
  return matrix.map((entry) => entry / largest);
}
