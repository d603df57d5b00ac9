import { eventKey, type EventName } from '../../domain/events.ts';
import type { BetId, EventKey, HeartbeatId, OrderId, RequestUuid } from '../../domain/ids.ts';
import { isTerminal, type OrderState } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { SETTLED_MS } from '../../domain/update-windows.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { JournalRecord } from '../../ports/journal.ts';
import { type Fact, factOf } from './records.ts';

type Owned = Extract<Fact, { kind: 'event_owned' }>;
type Intended = Extract<Fact, { kind: 'order_intended' }>;

/** An order as the journal knows it. */
export interface FoldedOrder {
  readonly intended: Intended;
  /** Wall-clock instant at which it was last about to be sent; absent in what earlier versions wrote. */
  readonly sentAtMs?: number;
  /** `sending` until something more is known. */
  readonly state: OrderState;
  readonly orderId: OrderId | null;
  readonly expiryMs: number | null;
  readonly filledMicros: Micros;
  readonly closeReason: string | null;
}

/** An event with the strategy that owns it. */
export interface OwnedEvent {
  readonly event: EventName;
  readonly owner: string;
  /** Wall-clock instant at which it came to own the event. */
  readonly atMs: number;
  /** Profit of an event belongs to its owner for good. */
  readonly hasFills: boolean;
}

/** What the journal tells of all earlier runs. */
export interface FoldedState {
  runs: number;
  records: number;
  /** Those that are over in the order of their ends. */
  readonly orders: Map<RequestUuid, FoldedOrder>;
  readonly fills: Map<BetId, Fill>;
  readonly owners: Map<EventKey, OwnedEvent>;
  /** Armed and not known to have ended. */
  readonly heartbeats: Set<HeartbeatId>;
  /** Heartbeats that were asked for since the last that was armed, and of which no answer is known. */
  heartbeatsUnanswered: number;
  /** Wall-clock instant of the last such request; absent before there was one, and in what earlier versions wrote. */
  heartbeatRequestedAtMs?: number;
  /** Likewise, of the last of them that had no answer when the next was asked for: whatever is armed since, it may land yet. */
  heartbeatMissedAtMs?: number;
  /** One was asked for by a clock that was behind: at that instant at the earliest, how much later nothing has told yet. */
  isHeartbeatUndated?: boolean;
  /** Likewise, when updates were read the first time since: at that instant at the latest. */
  heartbeatRequestedByMs?: number;
  latched: string | null;
  cursorMs: number | null;
  /** Wall-clock instants of betslip requests, ascending. */
  readonly betslipsAtMs: number[];
  /** Likewise, of those that were kept for what reduces risk: they are not among the others. */
  readonly reserveBetslipsAtMs: number[];
  /** Of the last record; null for an empty journal. */
  lastAtMs: number | null;
  /** The earliest start of a run; absent before there was one, and in what earlier versions wrote. */
  firstRunAtMs?: number;
}

export const emptyState = (): FoldedState => ({
  runs: 0,
  records: 0,
  orders: new Map(),
  fills: new Map(),
  owners: new Map(),
  heartbeats: new Set(),
  heartbeatsUnanswered: 0,
  latched: null,
  cursorMs: null,
  betslipsAtMs: [],
  reserveBetslipsAtMs: [],
  lastAtMs: null,
});

/** State is the fold of the journal: the same records give the same state, whoever folds them, however often. */
export function fold(records: Iterable<JournalRecord>, state: FoldedState = emptyState()): FoldedState {
  for (const record of records) {
    applyFact(state, factOf(record), record.atMs);
  }
  return state;
}

/** Kinds of a newer program are skipped; the schema version guards against those that must not be. */
export function applyFact(state: FoldedState, fact: Fact, atMs: number): void {
  state.records++;
  state.lastAtMs = atMs;
  switch (fact.kind) {
    case 'order_intended':
    case 'order_changed':
    case 'fill_booked':
      return applyOrderFact(state, fact, atMs);
    case 'heartbeat_requested':
    case 'heartbeat_refused':
    case 'heartbeat_armed':
    case 'heartbeat_ended':
      return applyHeartbeat(state, fact, atMs);
    case 'run_started':
      state.runs++;
      state.firstRunAtMs = Math.min(state.firstRunAtMs ?? atMs, atMs);
      return;
    case 'betslip_requested':
      (fact.reserve === true ? state.reserveBetslipsAtMs : state.betslipsAtMs).push(notBefore(state, atMs));
      return;
    case 'latched':
      state.latched ??= fact.reason;
      return;
    case 'latch_released':
      state.latched = null;
      return;
    case 'event_owned':
      return applyOwner(state, fact, atMs);
    case 'cursor':
      return applyCursor(state, fact.updatesToMs, atMs);
  }
}

/** What was asked for before updates were read is no younger than these. */
function applyCursor(state: FoldedState, cursorMs: number, atMs: number): void {
  const isNew = cursorMs > (state.cursorMs ?? -Infinity);
  state.cursorMs = cursorMs;
  if (!isNew || state.isHeartbeatUndated !== true) return;
  state.isHeartbeatUndated = false;
  state.heartbeatRequestedByMs = notBefore(state, atMs);
}

/** A clock that is behind makes nothing older than what the exchange had told of before. */
export const notBefore = ({ cursorMs }: Pick<FoldedState, 'cursorMs'>, atMs: number): number =>
  cursorMs === null ? atMs : Math.max(atMs, cursorMs + SETTLED_MS);

function applyOrderFact(
  state: FoldedState,
  fact: Extract<Fact, { kind: 'order_intended' | 'order_changed' | 'fill_booked' }>,
  atMs: number,
): void {
  if (fact.kind === 'fill_booked') applyFill(state, fact.fill);
  else if (fact.kind === 'order_changed') applyChange(state, fact);
  else applyIntent(state, fact, atMs);
}

function applyFill({ fills, owners }: FoldedState, fill: Fill): void {
  fills.set(fill.betId, fill);
  const owned = owners.get(eventKey(fill));
  if (owned !== undefined) owners.set(eventKey(fill), { ...owned, hasFills: true });
}

function applyOwner({ owners }: FoldedState, { event, owner }: Owned, atMs: number): void {
  const key = eventKey(event);
  owners.set(key, { event, owner, atMs, hasFills: owners.get(key)?.hasFills === true });
}

/** A repeat is the same order, sent later. */
function applyIntent(state: FoldedState, fact: Intended, atMs: number): void {
  const known = state.orders.get(fact.uuid);
  state.orders.set(fact.uuid, known === undefined ? newOrder(fact, atMs) : { ...known, sentAtMs: atMs });
}

const newOrder = (intended: Intended, sentAtMs: number): FoldedOrder => ({
  intended,
  sentAtMs,
  state: 'sending',
  orderId: null,
  expiryMs: null,
  filledMicros: 0,
  closeReason: null,
});

/** A terminal state never becomes another one. Who ends comes after all that have ended before. */
function applyChange(state: FoldedState, fact: Extract<Fact, { kind: 'order_changed' }>): void {
  const order = state.orders.get(fact.uuid);
  if (order === undefined) return;
  const { orderId, expiryMs, filledMicros, closeReason } = fact;
  const next = isTerminal(order.state) ? order.state : fact.state;
  if (next !== order.state && isTerminal(next)) state.orders.delete(fact.uuid);
  state.orders.set(fact.uuid, { ...order, orderId, expiryMs, filledMicros, closeReason, state: next });
}

/** The end of one says nothing of another that was asked for. */
function applyHeartbeat(
  state: FoldedState,
  fact: Extract<Fact, { kind: `heartbeat_${string}` }>,
  atMs: number,
): void {
  switch (fact.kind) {
    case 'heartbeat_requested':
      if (state.heartbeatsUnanswered > 0 && state.heartbeatRequestedAtMs !== undefined)
        state.heartbeatMissedAtMs = state.heartbeatRequestedAtMs;
      state.heartbeatsUnanswered++;
      state.heartbeatRequestedAtMs = notBefore(state, atMs);
      if (state.heartbeatRequestedAtMs > atMs) state.isHeartbeatUndated = true;
      return;
    case 'heartbeat_refused':
      state.heartbeatsUnanswered = Math.max(0, state.heartbeatsUnanswered - 1);
      return;
    case 'heartbeat_armed':
      state.heartbeatsUnanswered = 0;
      state.heartbeats.add(fact.heartbeatId);
      return;
    case 'heartbeat_ended':
      state.heartbeats.delete(fact.heartbeatId);
  }
}

/** Wall-clock instants of betslip requests in the rolling day before `nowMs`: what a venue's budget starts from. */
export function betslipsOfLastDay(
  { betslipsAtMs, reserveBetslipsAtMs }: Pick<FoldedState, 'betslipsAtMs' | 'reserveBetslipsAtMs'>,
  nowMs: number,
): readonly number[] {
  const all = [...betslipsAtMs, ...reserveBetslipsAtMs].sort((a, b) => a - b);
  return all.filter((atMs) => atMs > nowMs - DAY_MS);
}
