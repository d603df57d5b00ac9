/** Filters that let everything pass when they are absent. */

export const isAmong = <T>(value: T, wanted: readonly T[] | undefined): boolean =>
  wanted === undefined || wanted.includes(value);

/** Both bounds included. */
export const isWithin = (value: number, from = -Infinity, to = Infinity): boolean =>
  value >= from && value <= to;
