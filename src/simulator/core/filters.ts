/** Everything passes an absent filter. */

export const isAmong = <T>(value: T, wanted: readonly T[] | undefined): boolean =>
  wanted === undefined || wanted.includes(value);

/** Both bounds are included; everything passes an absent bound. */
export const isWithin = (value: number, from = -Infinity, to = Infinity): boolean =>
  value >= from && value <= to;
