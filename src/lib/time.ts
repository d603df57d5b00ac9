/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** One instant on both clocks: durations go by the monotonic one, the other is what the exchange and people speak of. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The instant that both clocks show. */
export const momentOf = (clock: { monotonicMs(): number; wallMs(): number }): Moment => ({
  monotonicMs: clock.monotonicMs(),
  wallMs: clock.wallMs(),
});
