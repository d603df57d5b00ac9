/**
 * Freezes a value of plain data and all that it holds, so that a strategy that changes it fails at once. Returns the value.
 *
 * @example
 * Object.isFrozen(frozen({ parts: [1, 2] }).parts); // true
 */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
