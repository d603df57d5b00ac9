import type { ReportSource } from '../../account/orders.ts';
import { ProtocolError, VenueRejection } from '../../domain/errors.ts';
import {
  LONGEST_WINDOW_MS,
  SETTLED_MS,
  type UpdatesWindow,
  updateWindows,
  WINDOW_OVERLAP_MS,
} from '../../domain/order-listing.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { OrderContext } from '../state/context.ts';

/** Margin for an exchange clock that is behind ours. */
const CLOCK_MARGIN_MS = 3_000;

/** Returns the windows from the cursor to the latest instant that may be requested. Pure. */
export const windowsSince = (cursorMs: number, nowMs: number): readonly UpdatesWindow[] => [
  ...updateWindows(cursorMs - WINDOW_OVERLAP_MS, nowMs - SETTLED_MS - CLOCK_MARGIN_MS),
];

/**
 * The time that the exchange has proven, whatever our clock shows: updates can be read up to a minute before
 * now. If our clock is behind, it is the time at which an earlier run had read them. Pure.
 */
export const shownMs = (reachedMs: number): number => reachedMs + SETTLED_MS + CLOCK_MARGIN_MS;

/** Reading ends at most this far before the instant that the exchange refuses. */
const CLOSE_ENOUGH_MS = 60_000;

/**
 * Reads and applies the account's changes since the cursor, window by window, and returns the new cursor.
 * Rejects on the first window that cannot be read; the windows before it remain applied.
 *
 * The exchange judges windows by its own clock. If ours is ahead, the latest accepted instant is found by
 * halving, and only its last minute is left for later.
 */
export async function readUpdates(
  context: OrderContext,
  reports: ExecutionReports,
  cursorMs: number,
  source: ReportSource = 'updates',
): Promise<number> {
  const read: ReadWindow = (window) => readWindow(context, reports, window, source);
  let reachedMs = cursorMs;
  for (const window of windowsSince(cursorMs, context.deps.clock.wallMs())) {
    if (!(await read(window))) return closeIn(read, reachedMs, window.toMs);
    reachedMs = window.toMs;
  }
  return reachedMs;
}

/**
 * Returns where to continue reading: the cursor, or an earlier instant if the exchange finds the cursor too
 * recent because a clock was ahead. Only windows that the exchange accepted are noted as read. Rejects when it
 * accepts none.
 */
export async function trustedCursor(
  context: OrderContext,
  reports: ExecutionReports,
  cursorMs: number,
): Promise<number> {
  for (let backMs = 0; ; backMs = Math.max(SETTLED_MS, 2 * backMs)) {
    const toMs = cursorMs - backMs;
    if (await readWindow(context, reports, { fromMs: toMs - WINDOW_OVERLAP_MS, toMs }, 'recovery'))
      return toMs;
    if (toMs < 0) throw new ProtocolError('the exchange takes no updates window', { cursorMs });
  }
}

/**
 * The cursor of a journal without one: none of its runs has placed an order yet. Their wall clocks may have
 * been wrong, so at most one window back is read. Pure.
 */
export function firstCursor(firstRunMs: number | null, nowMs: number): number {
  const sinceMs = Math.max(firstRunMs ?? nowMs, nowMs - LONGEST_WINDOW_MS);
  return Math.min(sinceMs, nowMs) - SETTLED_MS - CLOCK_MARGIN_MS;
}

/**
 * Reads a window and resolves to whether the exchange accepts it. Its orders are then applied, and the cursor
 * moves to its end.
 */
type ReadWindow = (window: UpdatesWindow) => Promise<boolean>;

/** Reads on until less than a minute before the instant that the exchange refuses. Returns the new cursor. */
async function closeIn(read: ReadWindow, reachedMs: number, refusedMs: number): Promise<number> {
  if (refusedMs - reachedMs <= CLOSE_ENOUGH_MS) return reachedMs;
  const middleMs = Math.floor((reachedMs + refusedMs) / 2);
  return (await read({ fromMs: reachedMs - WINDOW_OVERLAP_MS, toMs: middleMs }))
    ? closeIn(read, middleMs, refusedMs)
    : closeIn(read, reachedMs, middleMs);
}

/** Resolves to false when the exchange finds the window too recent. */
async function readWindow(
  context: OrderContext,
  reports: ExecutionReports,
  { fromMs, toMs }: UpdatesWindow,
  source: ReportSource,
): Promise<boolean> {
  const page = await context.deps.venue
    .orderUpdates(fromMs, toMs, { priority: 'reducing' })
    .catch(unlessTooRecent);
  if (page === null) return false;
  await context.queue.run(() => {
    for (const order of page.orders) reports.order(order, source);
    if (context.book.held().length === 0) context.journalWriter.note({ kind: 'cursor', updatesToMs: toMs });
  });
  return true;
}

function unlessTooRecent(error: unknown): null {
  if (isTooRecent(error)) return null;
  throw error;
}

/**
 * Returns whether a window was refused as too recent. The reason is checked, too (published facts): a window
 * refused for any other reason must not be skipped.
 */
function isTooRecent(error: unknown): boolean {
  if (!(error instanceof VenueRejection) || error.code !== 'validation_error') return false;
  const { updated_at_to: to = [], updated_at_from: from = [] } = error.validation;
  return [...to, ...from].some((reason) => reason.includes('recent'));
}

/**
 * Reads the account's updates, independently of the stream, and applies them. Every change that this makes was
 * missed by the stream, and is counted as a difference.
 */
export class DropCopy {
  readonly #context: OrderContext;
  readonly #reports: ExecutionReports;
  #cursorMs: number | null = null;
  #nextMs = Infinity;
  #out = false;

  constructor(context: OrderContext, reports: ExecutionReports) {
    this.#context = context;
    this.#reports = reports;
  }

  /** Called once recovery is done. */
  start(cursorMs: number): void {
    this.#cursorMs = cursorMs;
    this.#nextMs = this.#now() + this.#context.options.dropCopyEveryMs;
  }

  sweep(): void {
    if (this.#cursorMs === null || this.#out || this.#now() < this.#nextMs) return;
    const from = this.#cursorMs;
    this.#out = true;
    this.#nextMs = this.#now() + this.#context.options.dropCopyEveryMs;
    this.#context.queue.call(
      () => readUpdates(this.#context, this.#reports, from),
      (cursorMs) => {
        this.#out = false;
        this.#cursorMs = cursorMs;
      },
      (error) => {
        this.#out = false;
        this.#context.log.warn('updates could not be read', { error });
      },
    );
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
