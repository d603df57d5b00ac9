import type { HeartbeatId } from '../domain/ids.ts';
import { unfilledMicros } from '../domain/live-order.ts';
import type { UnreadOrder } from '../domain/order-listing.ts';
import { sleep } from '../ports/clock.ts';
import type { DrainReport } from './api.ts';
import type { BetslipPool } from './betslips/pool.ts';
import { oursOf } from './heartbeats/other-installations.ts';
import type { Closing } from './outcomes/closing.ts';
import type { AccountHold } from './recovery/account-hold.ts';
import { listHeartbeats, ofEarlierRuns, type RestoredState, sortHeartbeats } from './recovery/recovery.ts';
import { resync, type ResyncParts } from './recovery/resync.ts';
import type { OrderContext } from './state/context.ts';

export interface DrainParts extends ResyncParts, AccountHold {
  readonly closing: Closing;
  readonly betslips: BetslipPool;
  /** What earlier runs left, while recovery has not yet found their heartbeats; null after that. */
  readonly unrecovered: () => RestoredState | null;
}

const POLL_MS = 50;
/** Pause before the exchange's list of open orders is read again. It doubles while the list cannot be read. */
const [LIST_AGAIN_MS, LONGEST_LIST_AGAIN_MS] = [250, 2_000];
/** Betslips expire by themselves, so drain waits no longer than this for their deletion. */
const BETSLIPS_MS = 2_000;
/**
 * Old heartbeats also expire by themselves, but that closes the orders of others, so drain waits longer for
 * their deletion.
 */
const OLD_HEARTBEATS_MS = 5_000;
/**
 * Longest wait for the list of heartbeats. After that, drain deletes every heartbeat that the journal names,
 * whether it exists or not.
 */
const LISTING_MS = 2_000;

/**
 * Closes own orders, waits until the exchange shows each closed, then removes our heartbeat. If the deadline
 * passes first, the heartbeat stays: its expiry closes the remaining orders. Betslips are deleted meanwhile.
 */
export async function drain(
  context: OrderContext,
  parts: DrainParts,
  deadlineMs: number,
): Promise<DrainReport> {
  const startedMs = context.deps.clock.monotonicMs();
  const untilMs = startedMs + deadlineMs;
  await context.queue.run(() => {
    context.halts.set('drain', 'draining');
    parts.closing.wantAll('drain');
    parts.betslips.deleteAll();
  });
  const confirmed =
    (await gone(context, untilMs, () => oursOf(context, parts.others).length)) &&
    (await confirm(context, parts, untilMs));
  if (confirmed) {
    const unlooked = await unlookedHeartbeats(context, parts, untilMs);
    await context.queue.run(() => parts.oldHeartbeats.guardNothing(unlooked));
    await gone(
      context,
      Math.min(untilMs, context.deps.clock.monotonicMs() + OLD_HEARTBEATS_MS),
      () => parts.oldHeartbeats.left,
    );
  }
  const heartbeatRemoved =
    confirmed && (await within(context, untilMs, parts.heartbeat.remove(untilMs))) === true;
  await gone(
    context,
    Math.min(untilMs, context.deps.clock.monotonicMs() + BETSLIPS_MS),
    () => parts.betslips.open,
  );
  // The next start reads from this checkpoint.
  await context.queue.run(() => context.journalWriter.checkpoint());
  const stillOpen = oursOf(context, parts.others).map((tracked) => tracked.order);
  const straysOpen = parts.others.strays();
  const foreignOpen = Array.from(context.book.foreignOpen(), ({ orderId }) => orderId);
  return {
    clean: confirmed && stillOpen.length === 0 && straysOpen.length === 0,
    stillOpen,
    straysOpen,
    foreignOpen: foreignOpen.filter((orderId) => !straysOpen.includes(orderId)),
    heartbeatRemoved,
    tookMs: context.deps.clock.monotonicMs() - startedMs,
  };
}

/** Heartbeats of earlier runs that recovery has not found yet, also those whose create request was never answered. */
async function unlookedHeartbeats(
  context: OrderContext,
  { unrecovered, heartbeat, others }: DrainParts,
  untilMs: number,
): Promise<readonly HeartbeatId[]> {
  const state = unrecovered();
  if (state === null || !others.ownsEarlierRuns) return [];
  const listedUntilMs = Math.min(untilMs, context.deps.clock.monotonicMs() + LISTING_MS);
  const listing = listHeartbeats(context).then((listed) => sortHeartbeats(context, state, listed));
  const sorted = await within(context, listedUntilMs, listing);
  if (sorted === null) return [...state.heartbeats];
  return ofEarlierRuns(sorted).filter((id) => id !== heartbeat.id);
}

/** Whether `left` reached 0 before the deadline. */
async function gone(context: OrderContext, untilMs: number, left: () => number): Promise<boolean> {
  while (left() > 0) {
    if (context.deps.clock.monotonicMs() >= untilMs) return false;
    await sleep(context.deps.clock, POLL_MS);
  }
  return true;
}

/**
 * Only the exchange's own list of open orders proves that ours are closed, whatever was reported before. A list with an entry of ours that
 * cannot be read proves nothing. A list that shows one proves nothing if its request began too early; then the next one does, and what it shows is closed. The list is asked for as urgently as closes are: after an answer 429
 * a stop could otherwise not end.
 */
async function confirm(context: OrderContext, parts: DrainParts, untilMs: number): Promise<boolean> {
  let pauseMs = LIST_AGAIN_MS;
  while (context.deps.clock.monotonicMs() < untilMs) {
    const listed = await within(context, untilMs, resync(context, parts, 'urgent'));
    const entries = listed === null ? [] : [...listed.orders, ...listed.unread];
    const shown = entries.filter((entry) => isOfOurs(context, parts, entry));
    const open = oursOf(context, parts.others).filter(({ order }) => unfilledMicros(order) > 0);
    if (listed !== null && shown.length + open.length + parts.others.strays().length === 0) return true;
    pauseMs = listed !== null ? LIST_AGAIN_MS : Math.min(2 * pauseMs, LONGEST_LIST_AGAIN_MS);
    await sleep(context.deps.clock, pauseMs);
  }
  return false;
}

/** Whether an entry of the list is of an order that this process may close. One that cannot be read may be open. */
function isOfOurs(
  { book }: OrderContext,
  { others }: DrainParts,
  entry: Pick<UnreadOrder, 'orderId' | 'userData'>,
): boolean {
  const known = entry.orderId === null ? undefined : book.byId(entry.orderId);
  return known?.owner === 'own' ? others.mayClose(known) : others.isOurs(entry);
}

/** A promise's value, or null when it rejects or the deadline passes first. */
async function within<T>(context: OrderContext, untilMs: number, pending: Promise<T>): Promise<T | null> {
  const leftMs = Math.max(0, untilMs - context.deps.clock.monotonicMs());
  const late = Promise.withResolvers<null>();
  const timer = context.deps.clock.after(leftMs, () => late.resolve(null));
  try {
    return await Promise.race([pending.catch(() => null), late.promise]);
  } finally {
    timer.cancel();
  }
}
