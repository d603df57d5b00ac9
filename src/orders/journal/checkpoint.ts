import { eventKey } from '../../domain/events.ts';
import type { EventKey, HeartbeatId, OrderId, RequestUuid } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Journal, JournalRecord, Json } from '../../ports/journal.ts';
import {
  type AccountSeen,
  emptyState,
  fold,
  type FoldedOrder,
  type FoldedState,
  type OwnedEvent,
} from './fold.ts';
import { fillOfRecord, intendedOfRecord, plainOf } from './records.ts';

export const CHECKPOINT = 'checkpoint';

/** The journal's state as plain data. Reading begins at the last checkpoint. */
interface CheckpointData {
  readonly runs: number;
  readonly records: number;
  readonly orders: readonly FoldedOrder[];
  readonly fills: readonly Fill[];
  readonly owners: readonly OwnedEvent[];
  readonly heartbeats: readonly HeartbeatId[];
  /** Absent in a checkpoint from before there were takes. */
  readonly takes?: readonly (readonly [key: string, uuid: RequestUuid])[];
  readonly heartbeatsUnanswered: number;
  readonly heartbeatRequestedAtMs?: number;
  readonly heartbeatMissedAtMs?: number;
  readonly isHeartbeatUndated?: boolean;
  readonly heartbeatRequestedByMs?: number;
  readonly latched: string | null;
  readonly cursorMs: number | null;
  readonly betslipsAtMs: readonly number[];
  readonly reserveBetslipsAtMs: readonly number[];
  readonly lastAtMs: number | null;
  readonly firstRunAtMs?: number;
  readonly accountSeen?: AccountSeen;
  readonly accountSinceMs?: number;
}

/** Ended orders that are kept, because late reports may still name them. */
const KEPT_OVER = 1_000;
/**
 * Fills are kept this long after their event's day, after their booking, and after their result was reported.
 * The exchange reports orders for three days after their last change; after that no bet can be booked twice.
 * The rest is a margin for clocks.
 */
const KEPT_FILLS_MS = 3.5 * DAY_MS;

/** Wall-clock instant of the latest report of the order's result; null before the first. */
export type ResultReportedMs = (orderId: OrderId) => number | null;

/** Drops what no later report can concern: orders that ended long ago, fills of past events, betslips of other days. */
export function prune(state: FoldedState, resultReportedMs: ResultReportedMs): void {
  const nowMs = provenMs(state);
  const over = [...state.orders].filter(([, order]) => isTerminal(order.state));
  for (const [uuid] of over.slice(0, Math.max(0, over.length - KEPT_OVER))) state.orders.delete(uuid);
  pruneOwners(state, nowMs);
  pruneFills(state, (fill) => lastsUntilMs(fill, resultReportedMs(fill.orderId)) < nowMs);
  for (const instants of [state.betslipsAtMs, state.reserveBetslipsAtMs])
    instants.splice(0, instants.length, ...instants.filter((atMs) => atMs > nowMs - DAY_MS));
}

/**
 * The instant by which state is pruned: the earlier of our clock and the cursor. Our clock may be ahead for a
 * moment, and pruned state is lost for good.
 */
const provenMs = ({ lastAtMs, cursorMs }: FoldedState): number => Math.min(lastAtMs ?? 0, cursorMs ?? 0);

/**
 * Drops an event's fills together, once every bet on it is past. A bet that is not settled is at stake, however
 * old. The limits on exposure bound their number.
 */
function pruneFills({ fills }: FoldedState, isPast: (fill: Fill) => boolean): void {
  const kept = new Set<EventKey>();
  for (const fill of fills.values()) if (!isPast(fill)) kept.add(eventKey(fill));
  for (const [betId, fill] of fills) if (!kept.has(eventKey(fill))) fills.delete(betId);
}

/** Drops the owners of past events without any fill. */
function pruneOwners({ owners, orders }: FoldedState, nowMs: number): void {
  const active = new Set([...orders.values()].map(({ intended: { place } }) => eventKey(place)));
  for (const [key, { event, atMs, hasFills }] of owners) {
    const isPast = Math.max(dayOf(event.eventId), atMs) + KEPT_FILLS_MS < nowMs;
    if (isPast && !hasFills && !active.has(key)) owners.delete(key);
  }
}

/**
 * Wall-clock instant until which a fill is kept. Results are corrected and late bets reported after the event's
 * day, which may be long before the event's end. A day's turnover is counted from its fills.
 */
const lastsUntilMs = ({ eventId, atMs }: Fill, reportedMs: number | null): number =>
  Math.max(dayOf(eventId), atMs, reportedMs ?? Infinity) + KEPT_FILLS_MS;

/** Wall-clock start of the day in an event's id. An id without a day never ages. */
export function dayOf(eventId: string): number {
  // Other texts may be dates to the parser, too: `10,20` is a day of 2001.
  const dayMs = Date.parse(/^\d{4}-\d{2}-\d{2}/.exec(eventId)?.[0] ?? '');
  return Number.isNaN(dayMs) ? Infinity : dayMs;
}

export function checkpointOf(state: FoldedState): Json {
  const data: CheckpointData = {
    ...state,
    orders: [...state.orders.values()],
    fills: [...state.fills.values()],
    owners: [...state.owners.values()],
    heartbeats: [...state.heartbeats],
    takes: [...state.takes],
  };
  return plainOf(data);
}

const orderOfRecord = (order: FoldedOrder): FoldedOrder => ({
  ...order,
  intended: intendedOfRecord(order.intended),
});

function restored({ data }: JournalRecord): FoldedState {
  const {
    orders,
    fills,
    owners,
    heartbeats,
    takes = [],
    betslipsAtMs,
    reserveBetslipsAtMs,
    ...rest
  } = data as object as CheckpointData;
  return {
    ...rest,
    orders: new Map(orders.map((order) => [order.intended.uuid, orderOfRecord(order)])),
    fills: new Map(fills.map((fill) => [fill.betId, fillOfRecord(fill)])),
    owners: new Map(owners.map((owned) => [eventKey(owned.event), owned])),
    heartbeats: new Set(heartbeats),
    takes: new Map(takes),
    betslipsAtMs: [...betslipsAtMs],
    reserveBetslipsAtMs: [...reserveBetslipsAtMs],
  };
}

/**
 * Folds every remaining record into `into`, ignoring checkpoints. If the journal's start was pruned, its first
 * checkpoint replaces the lost records. For readers of a whole journal; recovery reads from the last checkpoint
 * on.
 */
export function foldAll(
  journal: Journal,
  records: Iterable<JournalRecord> = journal.read(),
  into: FoldedState = emptyState(),
): FoldedState {
  let isCut = journal.rootSeq() > 0;
  for (const record of records) {
    if (record.kind === CHECKPOINT && isCut) {
      Object.assign(into, restored(record), { records: into.records });
      isCut = false;
    }
    fold([record], into);
  }
  return into;
}

/**
 * Folds a journal into `into`, from its last checkpoint on. Throws JournalError on damage after that
 * checkpoint; `into` then holds the records before the damage. If the checkpoint itself is damaged, they are
 * folded from the beginning.
 */
export function foldJournal(journal: Journal, into: FoldedState = emptyState()): FoldedState {
  const last = lastCheckpoint(journal, into);
  if (last !== null) Object.assign(into, restored(last), { records: last.seq });
  return fold(journal.read(last?.seq ?? 0), into);
}

function lastCheckpoint(journal: Journal, into: FoldedState): JournalRecord | null {
  try {
    return journal.last(CHECKPOINT);
  } catch (error) {
    foldAll(journal, journal.read(), into);
    throw error;
  }
}
