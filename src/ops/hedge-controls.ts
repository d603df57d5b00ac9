/** A hedge that a person asks for: exactly one of `boundUsdt`, `equalise` and `flatten`. */
export interface HedgeQuestion {
  /** A name, a unique part of one, or an id. */
  readonly event: string;
  /** The worst case is to be no worse than this loss. */
  readonly boundUsdt?: number;
  /** The market family whose selections are to pay alike; empty: the one that is furthest from it. */
  readonly equalise?: string;
  /** The selection whose bets are to pay the same whatever its outcome. */
  readonly flatten?: string;
  /** Offers stake at the best prices instead of taking what is there. */
  readonly offer?: boolean;
}

/** Hedges, as the admin interface gives them. */
export interface HedgeControls {
  /** Returns what a hedge would do; null if the daemon knows no such event. Throws TouchlineError `ambiguous`, or `refused` with the reason. */
  preview(question: HedgeQuestion): unknown;
  /** Makes a previewed hedge, if it still can be made; null for an unknown one. Throws TouchlineError `refused` with the reason. */
  make(plan: string, reason: string, by: string): unknown;
  /** Returns what became of a hedge that was made; null for an unknown one. */
  progress(plan: string): unknown;
}
