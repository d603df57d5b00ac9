import { eventKey, type EventName } from '../../domain/events.ts';
import type { BetId, EventKey, HeartbeatId, OrderId, RequestUuid } from '../../domain/ids.ts';
import { isTerminal, type OrderState } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { SETTLED_MS } from '../../domain/order-listing.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { JournalRecord } from '../../ports/journal.ts';
import { type Fact, factOf, type Intended } from './records.ts';

type Owned = Extract<Fact, { kind: 'event_owned' }>;

/** An order as the journal records it. */
export interface FoldedOrder {
  readonly intended: Intended;
  /** Wall-clock instant at which it was last about to be sent. */
  readonly sentAtMs: number;
  /** `sending` until a later record shows more. */
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
  /** Wall-clock instant at which the strategy became the owner. */
  readonly atMs: number;
  /** The event has fills. Its profit belongs to its owner for good. */
  readonly hasFills: boolean;
}

/** The state that the journal holds of all earlier runs. */
export interface FoldedState {
  runs: number;
  records: number;
  /** Orders that have ended come in the order of their ends. */
  readonly orders: Map<RequestUuid, FoldedOrder>;
  readonly fills: Map<BetId, Fill>;
  readonly owners: Map<EventKey, OwnedEvent>;
  /** Heartbeats that were armed and are not known to have ended. */
  readonly heartbeats: Set<HeartbeatId>;
  /** The order of each take that was ever about to be sent, by `takeKey`. Kept for good. */
  readonly takes: Map<string, RequestUuid>;
  /** Number of heartbeat requests since the last armed one that have no known answer. */
  heartbeatsUnanswered: number;
  /** Wall-clock instant of the last such request. The field is absent until there is one. */
  heartbeatRequestedAtMs?: number;
  /**
   * Wall-clock instant of the last request that had no answer when the next was sent. Its heartbeat may still
   * land, whatever was armed since.
   */
  heartbeatMissedAtMs?: number;
  /**
   * The clock was behind when a heartbeat was requested, so `heartbeatRequestedAtMs` is a lower bound. No later
   * time is known yet.
   */
  isHeartbeatUndated?: boolean;
  /** An upper bound for that request: the wall-clock instant at which updates were first read after it. */
  heartbeatRequestedByMs?: number;
  latched: string | null;
  cursorMs: number | null;
  /** Wall-clock instants of betslip requests, ascending. */
  readonly betslipsAtMs: number[];
  /** The same for betslips of the reserve for reducing risk, which are not in `betslipsAtMs`. */
  readonly reserveBetslipsAtMs: number[];
  /** Wall-clock instant of the last record; null for an empty journal. */
  lastAtMs: number | null;
  /** Wall-clock instant of the earliest start of a run. The field is absent until there is one. */
  firstRunAtMs?: number;
  /** The newest orders of the account at the last start. The field is absent until a start has recorded them. */
  accountSeen?: AccountSeen;
  /** Wall-clock instant at which a person accepted another account. The field is absent until there is one. */
  accountSinceMs?: number;
}

/** The newest orders of the account when a start listed them. */
export interface AccountSeen extends Pick<Extract<Fact, { kind: 'account_seen' }>, 'orders' | 'isWhole'> {
  /** Wall-clock instant of the record. */
  readonly atMs: number;
}

export const emptyState = (): FoldedState => ({
  runs: 0,
  records: 0,
  orders: new Map(),
  fills: new Map(),
  owners: new Map(),
  heartbeats: new Set(),
  takes: new Map(),
  heartbeatsUnanswered: 0,
  latched: null,
  cursorMs: null,
  betslipsAtMs: [],
  reserveBetslipsAtMs: [],
  lastAtMs: null,
});

/** Folds records into a state. The same records always give the same state. */
export function fold(records: Iterable<JournalRecord>, state: FoldedState = emptyState()): FoldedState {
  for (const record of records) {
    applyFact(state, factOf(record), record.atMs);
  }
  return state;
}

/** Applies a fact. Unknown kinds are skipped: the schema version guards against kinds that must not be. */
export function applyFact(state: FoldedState, fact: Fact, atMs: number): void {
  state.records++;
  state.lastAtMs = atMs;
  switch (fact.kind) {
    case 'order_intended':
      return applyIntent(state, fact, atMs);
    case 'order_changed':
      return applyChange(state, fact);
    case 'fill_booked':
      return applyFill(state, fact.fill);
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
    case 'account_seen':
      state.accountSeen = { orders: fact.orders, isWhole: fact.isWhole, atMs };
      return;
    case 'account_accepted':
      state.accountSinceMs = atMs;
      delete state.accountSeen;
  }
}

/** Moves the cursor. A heartbeat requested before updates were read is no younger than that reading. */
function applyCursor(state: FoldedState, cursorMs: number, atMs: number): void {
  const isNew = cursorMs > (state.cursorMs ?? -Infinity);
  state.cursorMs = cursorMs;
  if (!isNew || state.isHeartbeatUndated !== true) return;
  state.isHeartbeatUndated = false;
  state.heartbeatRequestedByMs = notBefore(state, atMs);
}

/**
 * Corrects an instant of a clock that is behind: it is no earlier than the time that the exchange has proven by
 * the cursor.
 */
export const notBefore = ({ cursorMs }: Pick<FoldedState, 'cursorMs'>, atMs: number): number =>
  cursorMs === null ? atMs : Math.max(atMs, cursorMs + SETTLED_MS);

/** Each bet is recorded once; a second record tells what kind its price is after all, for the account of the next run. */
function applyFill({ fills, owners }: FoldedState, fill: Fill): void {
  fills.set(fill.betId, fill);
  const owned = owners.get(eventKey(fill));
  if (owned !== undefined) owners.set(eventKey(fill), { ...owned, hasFills: true });
}

function applyOwner({ owners }: FoldedState, { event, owner }: Owned, atMs: number): void {
  const key = eventKey(event);
  owners.set(key, { event, owner, atMs, hasFills: owners.get(key)?.hasFills === true });
}

/** Names a take of a strategy. An id is printable. */
export const takeKey = (owner: string, id: string): string => `${id}\n${owner}`;

/** Adds an order. A repeat is the same order, sent later. */
function applyIntent(state: FoldedState, fact: Intended, atMs: number): void {
  const { take } = fact.place;
  if (take !== undefined) state.takes.set(takeKey(fact.owner, take.id), fact.uuid);
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

/** Applies a change. A terminal state never changes. An order that ends moves behind all that ended before. */
function applyChange(state: FoldedState, fact: Extract<Fact, { kind: 'order_changed' }>): void {
  const order = state.orders.get(fact.uuid);
  if (order === undefined) return;
  const { orderId, expiryMs, filledMicros, closeReason } = fact;
  const next = isTerminal(order.state) ? order.state : fact.state;
  if (next !== order.state && isTerminal(next)) state.orders.delete(fact.uuid);
  state.orders.set(fact.uuid, { ...order, orderId, expiryMs, filledMicros, closeReason, state: next });
}

/** Applies a heartbeat record. The end of one heartbeat proves nothing about another that was requested. */
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

/**
 * Wall-clock instants of betslip requests in the rolling day before `nowMs`, ascending. A venue's daily budget
 * starts from them.
 */
export function betslipsOfLastDay(
  { betslipsAtMs, reserveBetslipsAtMs }: Pick<FoldedState, 'betslipsAtMs' | 'reserveBetslipsAtMs'>,
  nowMs: number,
): readonly number[] {
  const all = [...betslipsAtMs, ...reserveBetslipsAtMs].sort((a, b) => a - b);
  return all.filter((atMs) => atMs > nowMs - DAY_MS);
}
