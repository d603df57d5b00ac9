/** A minute in milliseconds. */
export const MINUTE_MS = 60_000;

/** An hour in milliseconds. */
export const HOUR_MS = 3_600_000;

/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** An instant on both clocks. Durations use the monotonic clock; the exchange and people use the wall clock. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The present instant on both clocks. */
export const momentOf = (clock: { monotonicMs(): number; wallMs(): number }): Moment => ({
  monotonicMs: clock.monotonicMs(),
  wallMs: clock.wallMs(),
});
