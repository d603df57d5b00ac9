import type { TrackedOrder } from '../../account/orders.ts';
import { JournalError } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Heartbeat, VenueOrder } from '../../domain/orders.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { RecoveryReport } from '../api.ts';
import type { BetslipAges } from '../betslips/budgets.ts';
import { LONGEST_LIFE_MS } from '../heartbeats/keeper.ts';
import type { HeartbeatOrigin, ListedHeartbeats } from '../heartbeats/presence.ts';
import { foldJournal } from '../journal/checkpoint.ts';
import { emptyState, type FoldedOrder, type FoldedState, notBefore } from '../journal/fold.ts';
import type { OrderContext } from '../state/context.ts';
import { mustBeOurAccount } from './account-check.ts';
import { accountSeenOn } from '../journal/account-identity.ts';
import { readEarlierBets } from './earlier-bets.ts';
import { resync, type ResyncParts } from './resync.ts';
import { firstCursor, readUpdates, shownMs, trustedCursor } from './updates.ts';

const LOOK_EVERY_MS = 1_000;
/** The exchange lists the newest orders first. One order of another installation among this many is enough. */
const NEWEST = 100;

export interface Recovery {
  readonly report: RecoveryReport;
  readonly cursorMs: number;
  /** Ages of the last day's betslip requests. */
  readonly betslipAges: BetslipAges;
  readonly heartbeats: ListedHeartbeats;
  /** A heartbeat that an earlier run requested may still land. */
  readonly moreHeartbeatsMayCome: boolean;
}

/** The journalled state that recovery needs besides orders, fills and owners. */
export type RestoredState = Omit<FoldedState, 'orders' | 'fills' | 'owners'>;

/**
 * Folds the journal and takes over what earlier runs left, without a request to the exchange. If the journal is
 * damaged, the manager may only close orders, by what the exchange reports as open.
 */
export function adopt(context: OrderContext): RestoredState {
  const { orders, fills, owners, ...inheritance } = readState(context);
  context.run = String(inheritance.runs + 1);
  if (inheritance.latched !== null) context.halts.latch(inheritance.latched);
  context.owners.restore(owners.values());
  for (const { event, owner } of owners.values()) context.deps.account.apply({ kind: 'owned', event, owner });
  for (const fill of fills.values()) context.deps.account.apply({ kind: 'bet', fill, isRecorded: true });
  for (const order of orders.values()) context.book.add(recoveredOrder(context, order), 'journal');
  for (const tracked of Array.from(context.book.active())) {
    if (tracked.order.state === 'sending') context.book.apply(tracked, 'unclear', {}, 'journal');
  }
  return inheritance;
}

export interface RecoveryParts extends ResyncParts {
  /**
   * Called when the account has no heartbeat, so that no heartbeat guards orders that land until this run has
   * one. May be called again.
   */
  readonly onUnguarded: () => void;
  /**
   * Called for each of the account's newest orders that is not of this installation: another one may have
   * placed it a short time ago.
   */
  readonly onNewest: (order: VenueOrder) => void;
  /** Returns whether this run has had a heartbeat, or knows that the account has none. */
  readonly isGuarded: () => boolean;
}

/**
 * Recovers after a normal start and after a crash alike; runs after `adopt`. Finds heartbeats of earlier runs,
 * looks up every order whose end is unknown, and books missed fills. Rejects when the exchange cannot be asked, and
 * with ConfigError when the key opens another account than the one of the journal.
 */
export async function recover(
  context: OrderContext,
  parts: RecoveryParts,
  state: RestoredState,
): Promise<Recovery> {
  const startedMs = context.deps.clock.monotonicMs();
  await context.queue.run(() => context.journalWriter.note({ kind: 'run_started', run: context.run }));
  const listed = await listHeartbeats(context);
  await mustBeOurAccount(context, listed.map(idOf), nowOf(context, state));
  const heartbeats = await sortHeartbeats(context, state, listed);
  if (heartbeats.listed.length === 0) await context.queue.run(parts.onUnguarded);
  else watchHeartbeats(context, parts);
  const before = context.deps.account.bets.booked;
  const recovered = [...context.book.active()];
  const cursorMs = await catchUp(context, parts, state);
  await readNewest(context, parts);
  return {
    cursorMs,
    heartbeats,
    moreHeartbeatsMayCome: mayHaveMade(context, state),
    betslipAges: betslipAges(state, shownMs(cursorMs)),
    report: {
      epoch: state.runs + 1,
      journalRecords: state.records,
      recoveredLive: countIn(recovered, ['live', 'closing']),
      recoveredUnknown: countIn(recovered, ['unknown']),
      recoveredClosed: countIn(recovered, ['closed', 'absent', 'refused']),
      fillsFound: context.deps.account.bets.booked - before,
      foreign: Array.from(context.book.foreignOpen(), ({ orderId }) => orderId),
      oldHeartbeats: ofEarlierRuns(heartbeats),
      tookMs: context.deps.clock.monotonicMs() - startedMs,
      closeOnly: context.journalWriter.failed ? 'journal' : null,
    },
  };
}

/**
 * Reads the newest orders, and records them so that the next start recognises the account. Updates do not cover the last minute, and the list of open orders does not show
 * those closed in it. Orders with our mark may have bets that are not in the journal, if an older journal was
 * restored.
 */
async function readNewest(
  { deps, queue, journalWriter }: OrderContext,
  { reports, onNewest }: RecoveryParts,
): Promise<void> {
  const { installation, isSoleUser } = deps.claim;
  if (isSoleUser) return;
  const newest = await deps.venue.orders({ page: 1, pageSize: NEWEST }, { priority: 'reducing' });
  await queue.run(() => {
    journalWriter.note({ kind: 'account_seen', ...accountSeenOn(newest, NEWEST) });
    for (const order of newest.orders) {
      if (markOf(order.userData)?.installation === installation) reports.order(order, 'recovery');
      else onNewest(order);
    }
  });
}

/** Reads the journal. After damage, the records read before it are kept, and nothing more is written. */
function readState(context: OrderContext): FoldedState {
  const state = emptyState();
  try {
    foldJournal(context.deps.journal, state);
    context.journalWriter.resume(structuredClone(state));
    return state;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    context.journalWriter.fail(error);
    return state;
  }
}

/**
 * Restores an order. The journal gives its age by the wall clock, so that restarts do not make it younger.
 *
 * Wall clocks jump, so an order's age is believed only up to its own life. The time in which a request may
 * still land is therefore always waited out by this run's monotonic clock. Proof of absence never depends on a
 * clock that was set.
 */
function recoveredOrder(context: OrderContext, folded: FoldedOrder): TrackedOrder {
  const { place, key } = folded.intended;
  const sentMs = context.deps.clock.monotonicMs() - ageMs(context, folded);
  return {
    owner: 'own',
    order: liveOrderOf(folded),
    place,
    key,
    lapsesMonotonicMs: sentMs + place.durationS * 1000,
    sentMonotonicMs: sentMs,
    closeWanted: false,
    closedMs: folded.state === 'closed' ? -Infinity : null,
    recovered: true,
    intent: null,
  };
}

function ageMs(context: OrderContext, { sentAtMs, intended }: FoldedOrder): number {
  const wallMs = context.deps.clock.wallMs();
  const age = wallMs - sentAtMs;
  return Math.min(Math.max(0, age), intended.place.durationS * 1000);
}

function liveOrderOf({
  intended,
  state,
  orderId,
  expiryMs,
  filledMicros,
  closeReason,
}: FoldedOrder): LiveOrder {
  const { uuid, place, selectionId, direction, tick, mode } = intended;
  const { betslipId, sport, eventId, betType, priceKind, stakeMicros, take } = place;
  return {
    requestUuid: uuid,
    betslipId,
    sport,
    eventId,
    betType,
    selectionId,
    direction,
    priceKind,
    tick,
    stakeMicros,
    mode,
    ...(take !== undefined && { take }),
    orderId,
    filledMicros,
    expiryMs,
    closeReason,
    // A close of an earlier run may never have been sent: the order is live until shown otherwise.
    state: state === 'closing' ? 'live' : state,
    createdMonotonicMs: 0,
  };
}

/**
 * Watches the heartbeats of earlier runs, which no process refreshes. If recovery takes long, or no new
 * heartbeat can be armed, they expire before this run has one.
 */
function watchHeartbeats({ deps, queue }: OrderContext, { onUnguarded, isGuarded }: RecoveryParts): void {
  const again = (): unknown => deps.clock.after(LOOK_EVERY_MS, look);
  function look(): void {
    if (isGuarded()) return;
    queue.call(
      () => deps.venue.heartbeats({ priority: 'reducing' }),
      (listed) => void (listed.length === 0 && !isGuarded() ? onUnguarded() : again()),
      again,
    );
  }
  again();
}

/** The heartbeats of the account. */
export const listHeartbeats = ({ deps }: OrderContext): Promise<readonly Heartbeat[]> =>
  deps.venue.heartbeats({ priority: 'urgent' });

const idOf = ({ heartbeatId }: Heartbeat): HeartbeatId => heartbeatId;

/** Decides which of the account's heartbeats a run of ours created or may have created. */
export async function sortHeartbeats(
  context: OrderContext,
  state: RestoredState,
  listed: readonly Heartbeat[],
): Promise<ListedHeartbeats> {
  await forgetUnlisted(context, state, new Set(listed.map(idOf)));
  // If the clock was ahead at the request, an old request seems recent for hours, and any process may have
  // created a listed heartbeat.
  const isMade = isRecent(context, state) && sinceUnansweredMs(context, state) >= -LONGEST_LIFE_MS;
  const there = new Set(listed.map(idOf));
  const originOf = (id: HeartbeatId): HeartbeatOrigin => {
    if (state.heartbeats.has(id)) return 'journal';
    return isMade && there.has(id) ? 'unanswered' : 'unknown';
  };
  return { listed, listedMs: context.deps.clock.monotonicMs(), originOf };
}

/** The heartbeats that a run of ours created or may have created. */
export const ofEarlierRuns = ({ listed, originOf }: ListedHeartbeats): readonly HeartbeatId[] =>
  listed.map(idOf).filter((id) => originOf(id) !== 'unknown');

/** Records the end of heartbeats that the exchange does not list, so that the next run need not look for them. */
async function forgetUnlisted(
  context: OrderContext,
  { heartbeats }: RestoredState,
  listed: ReadonlySet<HeartbeatId>,
): Promise<void> {
  const over = [...heartbeats].filter((id) => !listed.has(id));
  await context.queue.run(() => {
    for (const heartbeatId of over)
      context.journalWriter.note({ kind: 'heartbeat_ended', heartbeatId, how: 'not listed' });
  });
}

/**
 * Returns whether the heartbeat of an unanswered request may still exist, although no process refreshes it. If
 * our clock is ahead, or the time of the request is unknown, it is treated as another process's heartbeat and
 * waited for. A heartbeat armed since proves nothing about it.
 */
function mayHaveMade(context: OrderContext, state: RestoredState): boolean {
  const { isHeartbeatUndated = false, heartbeatRequestedByMs = -Infinity } = state;
  const mayBeLater = isHeartbeatUndated || isShort(context, nowOf(context, state) - heartbeatRequestedByMs);
  return isRecent(context, state) || (mayBeLater && sinceUnansweredMs(context, state) < Infinity);
}

const isRecent = (context: OrderContext, state: RestoredState): boolean =>
  isShort(context, sinceUnansweredMs(context, state));

/** Returns whether a heartbeat requested `ms` milliseconds ago may still exist. */
const isShort = (context: OrderContext, ms: number): boolean =>
  ms <= context.options.latestLandingMs + LONGEST_LIFE_MS;

/**
 * Now, but not before the cursor. By a clock that is behind, an old request would seem recent, and another's
 * heartbeat would seem to be its result.
 */
const nowOf = (context: OrderContext, state: RestoredState): number =>
  notBefore(state, context.deps.clock.wallMs());

/** Milliseconds since the last unanswered request, by our clocks; Infinity for none. */
function sinceUnansweredMs(context: OrderContext, state: RestoredState): number {
  const { heartbeatsUnanswered, heartbeatRequestedAtMs, heartbeatMissedAtMs } = state;
  const nowMs = nowOf(context, state);
  const lastMs = heartbeatsUnanswered > 0 ? heartbeatRequestedAtMs : undefined;
  return nowMs - Math.max(lastMs ?? -Infinity, heartbeatMissedAtMs ?? -Infinity);
}

/**
 * Reads the fills missed while the daemon was down, then the open orders. If the journal has a cursor, the bets
 * from before it are known.
 */
async function catchUp(context: OrderContext, parts: ResyncParts, state: RestoredState): Promise<number> {
  const { cursorMs: noted, firstRunAtMs, lastAtMs } = state;
  const notedMs = noted ?? firstCursor(firstRunAtMs ?? lastAtMs, context.deps.clock.wallMs());
  if (noted === null) await readEarlierBets(context, parts.reports);
  const cursorMs = await trustedCursor(context, parts.reports, notedMs);
  const reached = await readUpdates(context, parts.reports, cursorMs, 'recovery');
  await resync(context, parts);
  return reached;
}

/**
 * Ages of the last day's betslip requests. `nowMs` comes from the exchange's updates: a wrong clock would count
 * the betslips of another day, or miss today's.
 */
function betslipAges({ betslipsAtMs, reserveBetslipsAtMs }: RestoredState, nowMs: number): BetslipAges {
  const agesOf = (instants: readonly number[]): readonly number[] =>
    instants.map((atMs) => Math.max(0, nowMs - atMs)).filter((age) => age < DAY_MS);
  return { pacedMs: agesOf(betslipsAtMs), reserveMs: agesOf(reserveBetslipsAtMs) };
}

const countIn = (orders: readonly TrackedOrder[], states: readonly string[]): number =>
  orders.filter(({ order }) => states.includes(order.state)).length;
