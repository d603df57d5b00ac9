import { VenueRejection } from '../domain/errors.ts';
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

/** How much earlier windows end, tried in turn, when the exchange finds them too recent: our clock is ahead of its. */
const AHEAD_MS = [0, 60_000, 600_000, 4_200_000] as const;
/** The reading ends this close to where the exchange would refuse it, at most. */
const CLOSE_ENOUGH_MS = 60_000;

/**
 * Reads what changed on the account since the cursor and applies it; the cursor moves with the evidence, window by
 * window. Returns the new cursor. Rejects on the first window that cannot be read, keeping what was read before it. The
 * exchange judges windows by its own clock: when ours is ahead, by how much is found out by halving, and only the last
 * minute of what could be read is left for later.
 */
export async function readUpdates(
  desk: Desk,
  evidence: Evidence,
  cursorMs: number,
  source: EvidenceSource = 'updates',
): Promise<number> {
  const nowMs = desk.deps.clock.wallMs();
  let cursor = cursorMs;
  const isRefused: IsRefused = async (aheadMs) => {
    try {
      cursor = await readUntil(desk, evidence, { cursorMs: cursor, nowMs: nowMs - aheadMs }, source);
      return false;
    } catch (error) {
      if (!isTooRecent(error) || aheadMs === AHEAD_MS.at(-1)) throw error;
      return true;
    }
  };
  const rung = await firstTaken(isRefused);
  await closeIn(isRefused, AHEAD_MS[Math.max(0, rung - 1)] as number, AHEAD_MS[rung] as number);
  return cursor;
}

/** Whether the exchange finds windows too recent that end so much earlier; what it takes is read. */
type IsRefused = (aheadMs: number) => Promise<boolean>;

async function firstTaken(isRefused: IsRefused): Promise<number> {
  let rung = 0;
  while (await isRefused(AHEAD_MS[rung] as number)) rung++;
  return rung;
}

async function closeIn(isRefused: IsRefused, refusedMs: number, takenMs: number): Promise<void> {
  if (takenMs - refusedMs <= CLOSE_ENOUGH_MS) return;
  const aheadMs = (refusedMs + takenMs) / 2;
  if (await isRefused(aheadMs)) await closeIn(isRefused, aheadMs, takenMs);
  else await closeIn(isRefused, refusedMs, aheadMs);
}

const isTooRecent = (error: unknown): boolean =>
  error instanceof VenueRejection &&
  error.code === 'validation_error' &&
  ('updated_at_to' in error.validation || 'updated_at_from' in error.validation);

async function readUntil(
  desk: Desk,
  evidence: Evidence,
  { cursorMs, nowMs }: { readonly cursorMs: number; readonly nowMs: number },
  source: EvidenceSource,
): Promise<number> {
  let cursor = cursorMs;
  for (const { fromMs, toMs } of windowsSince(cursorMs, nowMs)) {
    const orders = await desk.deps.venue.orderUpdates(fromMs, toMs, { priority: 'reducing' });
    await desk.queue.run(() => {
      for (const order of orders) evidence.order(order, source);
      desk.scribe.note({ kind: 'cursor', updatesToMs: toMs });
    });
    cursor = toMs;
  }
  return cursor;
}

/** Beyond this the order list is shorter work than windows, and the tracked look-up is not to be relied on any more. */
const LONG_OUTAGE_MS = 6 * 3_600_000;
const PAGE_SIZE = 1_000;
/** The longest that one of our orders may have lived before the outage and changed in it. */
const LONGEST_ORDER_MS = 24 * 3_600_000;

/** Reads what was missed while away: by updates windows, after a long outage by the order list. As `readUpdates`. */
export async function readMissed(desk: Desk, evidence: Evidence, cursorMs: number): Promise<number> {
  const nowMs = desk.deps.clock.wallMs();
  if (nowMs - cursorMs <= LONG_OUTAGE_MS) return readUpdates(desk, evidence, cursorMs, 'recovery');
  const updatesToMs = nowMs - SETTLED_MS - CLOCK_MARGIN_MS;
  await readList(desk, evidence, cursorMs - LONGEST_ORDER_MS);
  await desk.queue.run(() => desk.scribe.note({ kind: 'cursor', updatesToMs }));
  return updatesToMs;
}

/** Page by page, newest first, until every order of a page was placed before `sinceMs`. */
async function readList(desk: Desk, evidence: Evidence, sinceMs: number): Promise<void> {
  for (let page = 1; ; page++) {
    const orders = await desk.deps.venue.orders({ page, pageSize: PAGE_SIZE }, { priority: 'reducing' });
    await desk.queue.run(() => {
      for (const order of orders) evidence.order(order, 'recovery');
    });
    const allOld = orders.every(({ placementTimeMs }) => (placementTimeMs ?? Infinity) < sinceMs);
    if (orders.length < PAGE_SIZE || allOld) return;
  }
}
