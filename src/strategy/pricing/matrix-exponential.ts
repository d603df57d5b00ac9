/** Terms of the series; with a norm of at most 1/2 its error is below a double's resolution. */
const SERIES_TERMS = 14;
const SERIES_NORM = 0.5;

/**
 * e^(matrix × time), up to a common factor, of a symmetric matrix without negative entries (row by row): the series of a
 * fraction of the time, squared back up.
 */
export function exponentialOf(matrix: Float64Array, size: number, time: number): Float64Array {
  const squarings = Math.max(0, Math.ceil(Math.log2((norm(matrix, size) * time) / SERIES_NORM)));
  const fraction = time / 2 ** squarings;
  let result = series(
    matrix.map((entry) => entry * fraction),
    size,
  );
  for (let round = 0; round < squarings; round++) result = scaled(squared(result, size));
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
    // In this order, since most entries of the matrix are zero.
    term = product(matrix, term, size);
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

/** Of a symmetric matrix: each entry is the product of two of its rows. */
function squared(matrix: Float64Array, size: number): Float64Array {
  const result = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = row; column < size; column++) {
      const entry = rowsProduct(matrix, row * size, column * size, size);
      result[row * size + column] = entry;
      result[column * size + row] = entry;
    }
  }
  return result;
}

function rowsProduct(matrix: Float64Array, a: number, b: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (matrix[a + i] as number) * (matrix[b + i] as number);
  return sum;
}

/** Keeps squarings within range. */
function scaled(matrix: Float64Array): Float64Array {
  let largest = 0;
  for (let i = 0; i < matrix.length; i++) largest = Math.max(largest, matrix[i] as number);
  for (let i = 0; i < matrix.length; i++) matrix[i] = (matrix[i] as number) / largest;
  return matrix;
}
