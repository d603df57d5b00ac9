/** When a wish of a person ends by itself; neither: it stands until it is replaced. */
export interface Ending {
  /** So many minutes from now. */
  readonly minutes?: number;
  /** At the start of the event, as the exchange announces it now. */
  readonly untilStart?: boolean;
}

/** What a person wants of an event: exactly one of `leave`, `stakeFactor` and `widenTicks`. `false`, 1 and 0 end an earlier wish. */
export interface AdjustWish extends Ending {
  /** A name, a unique part of one, or an id, in every sport that has the event; with `SPORT/` before it, in that sport alone. */
  readonly event: string;
  /** Neither quotes nor closes what rests. */
  readonly leave?: boolean;
  /** Multiplies the stakes of the strategy's quotes. */
  readonly stakeFactor?: number;
  /** Quotes so many ticks further from fair. */
  readonly widenTicks?: number;
  readonly reason: string;
}

/** Adjustments of events, as the admin interface gives them. */
export interface AdjustControls {
  /**
   * Adjusts how an event is quoted. Null if the daemon knows no such event. Throws TouchlineError `ambiguous`, or `refused` for an end that cannot
   * be.
   */
  adjust(wish: AdjustWish, by: string): unknown;
  /** Whether the wish lets more be traded, or less be closed, than now. Throws as `adjust`. */
  loosens(wish: AdjustWish): boolean;
}
