import type { EvidenceSource } from './api.ts';
import type { Desk } from './desk.ts';
import type { Evidence } from './evidence.ts';

/** Both bounds of an updates window must be this far in the past (specification, orders/updates). */
const SETTLED_MS = 60_000;
const LONGEST_WINDOW_MS = 70 * 60_000;
/** Windows overlap, since the bounds' exactness is not documented. */
const OVERLAP_MS = 5_000;
/** Allows for the exchange's clock being behind ours. */
const CLOCK_MARGIN_MS = 3_000;

export interface UpdatesWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The windows that cover everything from the cursor to the latest instant that may be asked for. Pure. */
export function windowsSince(cursorMs: number, nowMs: number): readonly UpdatesWindow[] {
  const endMs = nowMs - SETTLED_MS - CLOCK_MARGIN_MS;
  const windows: UpdatesWindow[] = [];
  for (let fromMs = cursorMs - OVERLAP_MS; fromMs < endMs;) {
    const toMs = Math.min(fromMs + LONGEST_WINDOW_MS, endMs);
    windows.push({ fromMs, toMs });
    if (toMs >= endMs) break;
    fromMs = toMs - OVERLAP_MS;
  }
  return windows;
}

/**
 * Reads what changed on the account since the cursor and applies it; the cursor moves with the evidence, window by
 * window. Returns the new cursor. Rejects on the first window that cannot be read, keeping what was read before it.
 */
export async function readUpdates(
  desk: Desk,
  evidence: Evidence,
  cursorMs: number,
  source: EvidenceSource = 'updates',
): Promise<number> {
  let cursor = cursorMs;
  for (const { fromMs, toMs } of windowsSince(cursorMs, desk.deps.clock.wallMs())) {
    const orders = await desk.deps.venue.orderUpdates(fromMs, toMs, { priority: 'reducing' });
    await desk.queue.run(() => {
      for (const order of orders) evidence.order(order, source);
      desk.scribe.note({ kind: 'cursor', updatesToMs: toMs });
    });
    cursor = toMs;
  }
  return cursor;
}
