/** An interval of wall-clock instants for which updated orders are requested. */
export interface UpdatesWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Both bounds of a window must be this far in the past (specification, orders/updates). */
export const SETTLED_MS = 60_000;
/** The longest window that the updates endpoint takes (specification, orders/updates). */
export const LONGEST_WINDOW_MS = 70 * 60_000;
/** Windows overlap because the exactness of the bounds is not documented: an update at a seam is in at least one window. */
export const WINDOW_OVERLAP_MS = 5_000;

/** Windows that cover `[fromMs, toMs]` without a gap, overlapping, none longer than the exchange takes. Pure. */
export function* updateWindows(fromMs: number, toMs: number): Generator<UpdatesWindow, void, undefined> {
  for (let start = fromMs; start < toMs; start += LONGEST_WINDOW_MS - WINDOW_OVERLAP_MS) {
    const end = Math.min(toMs, start + LONGEST_WINDOW_MS);
    yield { fromMs: start, toMs: end };
    if (end === toMs) return;
  }
}
