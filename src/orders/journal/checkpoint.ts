import { eventKey } from '../../domain/events.ts';
import type { BetId, EventKey, HeartbeatId, OrderId, RequestUuid } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Journal, JournalRecord, Json } from '../../ports/journal.ts';
import { emptyState, fold, type FoldedOrder, type FoldedState, type OwnedEvent } from './fold.ts';

export const CHECKPOINT = 'checkpoint';

/** The journal's state as plain data: reading begins at the last one, whatever came before. */
interface CheckpointData {
  readonly runs: number;
  readonly records: number;
  readonly orders: readonly FoldedOrder[];
  readonly fills: readonly Fill[];
  readonly owners: readonly OwnedEvent[];
  readonly heartbeats: readonly HeartbeatId[];
  /** Absent in what earlier versions wrote: `heartbeatUnanswered` there tells whether there was one. */
  readonly heartbeatsUnanswered?: number;
  readonly heartbeatUnanswered?: boolean;
  readonly heartbeatRequestedAtMs?: number;
  readonly heartbeatMissedAtMs?: number;
  readonly isHeartbeatUndated?: boolean;
  readonly heartbeatRequestedByMs?: number;
  readonly latched: string | null;
  readonly cursorMs: number | null;
  readonly betslipsAtMs: readonly number[];
  /** Absent in what earlier versions wrote: there they are among the others. */
  readonly reserveBetslipsAtMs?: readonly number[];
  readonly lastAtMs: number | null;
  readonly firstRunAtMs?: number;
}

/** Orders that are over may still be spoken of for a while: so many of the last are kept. */
const KEPT_OVER = 1_000;
/**
 * Fills are kept until this long after their event's day, after they were booked, and after their result was told: an
 * exchange that tells of orders for three days after their last change tells of no bet that would be booked again. The rest
 * is for clocks.
 */
const KEPT_FILLS_MS = 3.5 * DAY_MS;

/** Wall-clock instant at which the exchange told the result of an order last; null while it has not. */
export type ResultToldMs = (orderId: OrderId) => number | null;

/** Lets go of what no later word can concern: orders long over, fills of events long past, betslips of other days. */
export function prune(state: FoldedState, resultToldMs: ResultToldMs): void {
  const nowMs = provenMs(state);
  const over = [...state.orders].filter(([, order]) => isTerminal(order.state));
  for (const [uuid] of over.slice(0, Math.max(0, over.length - KEPT_OVER))) state.orders.delete(uuid);
  pruneOwners(state, nowMs);
  pruneFills(state, (fill) => lastsUntilMs(fill, resultToldMs(fill.orderId)) < nowMs);
  for (const instants of [state.betslipsAtMs, state.reserveBetslipsAtMs])
    instants.splice(0, instants.length, ...instants.filter((atMs) => atMs > nowMs - DAY_MS));
}

/**
 * Our clock may be ahead for a moment, and what is let go of then is gone for good: it has to be as late by the updates
 * that the exchange has given, too.
 */
const provenMs = ({ lastAtMs, cursorMs }: FoldedState): number => Math.min(lastAtMs ?? 0, cursorMs ?? 0);

/**
 * An event's fills go together, once every bet on it is past. One that is not settled is at stake, however old: their
 * number is bounded by what the limits let be at stake.
 */
function pruneFills({ fills }: FoldedState, isPast: (fill: Fill) => boolean): void {
  const kept = new Set<EventKey>();
  for (const fill of fills.values()) if (!isPast(fill)) kept.add(eventKey(fill));
  for (const [betId, fill] of fills) if (!kept.has(eventKey(fill))) fills.delete(betId);
}

/** Events on which nothing was matched. */
function pruneOwners({ owners, orders }: FoldedState, nowMs: number): void {
  const active = new Set([...orders.values()].map(({ intended: { place } }) => eventKey(place)));
  for (const [key, { event, atMs, hasFills }] of owners) {
    const isPast = Math.max(dayOf(event.eventId), atMs) + KEPT_FILLS_MS < nowMs;
    if (isPast && !hasFills && !active.has(key)) owners.delete(key);
  }
}

/**
 * Results are corrected and late bets told after the event's day, which may be long before its end; a day's turnover is
 * counted from its fills.
 */
const lastsUntilMs = ({ eventId, atMs }: Fill, toldMs: number | null): number =>
  Math.max(dayOf(eventId), atMs, toldMs ?? Infinity) + KEPT_FILLS_MS;

/** The day in an event's id; an id without one never ages. */
function dayOf(eventId: string): number {
  const dayMs = Date.parse(eventId.slice(0, 10));
  return Number.isNaN(dayMs) ? Infinity : dayMs;
}

export function checkpointOf(state: FoldedState): Json {
  const data: CheckpointData = {
    ...state,
    orders: [...state.orders.values()],
    fills: [...state.fills.values()],
    owners: [...state.owners.values()],
    heartbeats: [...state.heartbeats],
  };
  return JSON.parse(JSON.stringify(data)) as Json;
}

function restored({ data }: JournalRecord): FoldedState {
  const {
    orders,
    fills,
    owners,
    heartbeats,
    betslipsAtMs,
    reserveBetslipsAtMs,
    heartbeatUnanswered,
    ...rest
  } = data as object as CheckpointData;
  return {
    heartbeatsUnanswered: Number(heartbeatUnanswered ?? false),
    ...rest,
    orders: new Map(orders.map((order) => [order.intended.uuid, order] as [RequestUuid, FoldedOrder])),
    fills: new Map(fills.map((fill) => [fill.betId, fill] as [BetId, Fill])),
    owners: new Map(owners.map((owned) => [eventKey(owned.event), owned])),
    heartbeats: new Set(heartbeats),
    betslipsAtMs: [...betslipsAtMs],
    reserveBetslipsAtMs: [...(reserveBetslipsAtMs ?? [])],
  };
}

/**
 * Folds every record that is left into `into`, checkpoints aside: what a cut journal has lost, its first checkpoint tells.
 * For those who look at all of a journal; recovery reads from the last checkpoint on.
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
 * Folds a journal into `into`, from its last checkpoint on. Throws JournalError on damage there; what was folded before
 * the damage is in `into` then, from the beginning when it is the checkpoint that is damaged.
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
