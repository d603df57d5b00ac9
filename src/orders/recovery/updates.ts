import { ProtocolError, VenueRejection } from '../../domain/errors.ts';
import {
  LONGEST_WINDOW_MS,
  SETTLED_MS,
  type UpdatesWindow,
  updateWindows,
  WINDOW_OVERLAP_MS,
} from '../../domain/update-windows.ts';
import type { ReportSource } from '../api.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { OrderContext } from '../state/context.ts';

/** Allows for the exchange's clock being behind ours. */
const CLOCK_MARGIN_MS = 3_000;

/** The windows that cover everything from the cursor to the latest instant that may be asked for. Pure. */
export const windowsSince = (cursorMs: number, nowMs: number): readonly UpdatesWindow[] => [
  ...updateWindows(cursorMs - WINDOW_OVERLAP_MS, nowMs - SETTLED_MS - CLOCK_MARGIN_MS),
];

/**
 * What time it is as far as the exchange has shown, whatever our clock shows: what could be read of the updates ends a minute
 * before. Where our clock is behind, it is when an earlier run had read them. Pure.
 */
export const shownMs = (reachedMs: number): number => reachedMs + SETTLED_MS + CLOCK_MARGIN_MS;

/** The reading ends this close to where the exchange would refuse it, at most. */
const CLOSE_ENOUGH_MS = 60_000;

/**
 * Reads what changed on the account since the cursor and applies it; the cursor moves with the evidence, window by
 * window. Returns the new cursor. Rejects on the first window that cannot be read, keeping what was read before it. The
 * exchange judges windows by its own clock: when ours is ahead, by how much is found out by halving, and only the last
 * minute of what could be read is left for later.
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
 * Where to read on from: the cursor, or earlier when the exchange finds even that too recent, since a clock that was ahead
 * had a hand in it. Nothing but what the exchange took is ever noted as read. Rejects when it takes nothing at all.
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
 * Where a journal without a cursor begins: no run that it tells of has come to place anything. The wall clock of those that
 * tried may have been anything: no more than a window back is believed. Pure.
 */
export function firstCursor(firstRunMs: number | null, nowMs: number): number {
  const sinceMs = Math.max(firstRunMs ?? nowMs, nowMs - LONGEST_WINDOW_MS);
  return Math.min(sinceMs, nowMs) - SETTLED_MS - CLOCK_MARGIN_MS;
}

/** Whether the exchange takes a window; what it tells of one is applied, and the cursor moves to its end. */
type ReadWindow = (window: UpdatesWindow) => Promise<boolean>;

/** Reads on to less than a minute before where the exchange still refuses. Returns the new cursor. */
async function closeIn(read: ReadWindow, reachedMs: number, refusedMs: number): Promise<number> {
  if (refusedMs - reachedMs <= CLOSE_ENOUGH_MS) return reachedMs;
  const middleMs = Math.floor((reachedMs + refusedMs) / 2);
  return (await read({ fromMs: reachedMs - WINDOW_OVERLAP_MS, toMs: middleMs }))
    ? closeIn(read, middleMs, refusedMs)
    : closeIn(read, reachedMs, middleMs);
}

/** False when the exchange finds the window too recent. */
async function readWindow(
  context: OrderContext,
  reports: ExecutionReports,
  { fromMs, toMs }: UpdatesWindow,
  source: ReportSource,
): Promise<boolean> {
  const orders = await context.deps.venue
    .orderUpdates(fromMs, toMs, { priority: 'reducing' })
    .catch(unlessTooRecent);
  if (orders === null) return false;
  await context.queue.run(() => {
    for (const order of orders) reports.order(order, source);
    if (!reports.isInDoubt) context.journalWriter.note({ kind: 'cursor', updatesToMs: toMs });
  });
  return true;
}

function unlessTooRecent(error: unknown): null {
  if (isTooRecent(error)) return null;
  throw error;
}

/** By the reason as well (published facts): a window refused for any other one is not read, and must not be passed over. */
function isTooRecent(error: unknown): boolean {
  if (!(error instanceof VenueRejection) || error.code !== 'validation_error') return false;
  const { updated_at_to: to = [], updated_at_from: from = [] } = error.validation;
  return [...to, ...from].some((reason) => reason.includes('recent'));
}

/**
 * Reads the account's updates behind the stream and applies them. What it changes, the stream had not told: each such
 * difference is counted by the evidence's source.
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

  /** Begins after recovery. */
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
