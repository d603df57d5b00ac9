/**
 * Decides whether a key opens the account that a journal is of.
 *
 * **Problem.** A person may put the key of another account beside an old journal. The orders, bets and limits of
 * the journal would then count for the wrong account, and its own account would be left alone. The journal never
 * holds a key, so it compares what only the account's keys can see.
 *
 * **Evidence for the same account.** One sign is enough, because another account cannot show it: an order that the
 * journal knows, by its id and our `request_uuid` (or by its market and placement time), or a heartbeat of ours.
 *
 * **Evidence for another account.** It counts only if no sign of the same account is found.
 * - *Missing orders*: the exchange does not know a single order that it must still have. An exchange may forget an
 *   order a few days after its last change, so only younger ones count. A bet on an event still to come is young.
 * - *Strange orders*: each start records the newest orders of the account, whoever placed them. Within the time that
 *   this list covers, the journal knows every order of the account. An order from that time that is not on the list
 *   belongs to another account, even if the exchange has forgotten those that were.
 *
 * **No evidence.** Foreign orders and bets alone: a person may bet by hand on the same account. Balance and open
 * stake: deposits, results and bets by hand change them, so they are only shown to the person who decides. A tracked
 * look-up that finds nothing: it ends after hours, and a request may never have landed. One missing order beside one
 * that is found: an exchange may lose an order.
 *
 * Without evidence a start goes on, because an account that rests for weeks may show nothing. A change of the key
 * while the daemon trades does need proof: see `app/run/key-change.ts`.
 */
import type { BetType, HeartbeatId, OrderId, RequestUuid } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import { lastPage, type OrderPage } from '../../domain/order-listing.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import { DAY_MS } from '../../lib/time.ts';
import { dayOf } from './checkpoint.ts';
import type { FoldedState } from './fold.ts';
import type { SeenOrder } from './records.ts';

/** An order of the account that the journal knows. */
export interface KnownOrder {
  readonly orderId: OrderId;
  /** The `request_uuid` that we placed it with; null for an order of others. */
  readonly uuid: RequestUuid | null;
  readonly betType: BetType;
  /** By the exchange's clock; null if the exchange has not said it. */
  readonly placedMs: number | null;
  /** Wall-clock instant until which the exchange must know the order. */
  readonly keptUntilMs: number;
}

/** The interval of placement times, both ends excluded, within which the journal knows every order of the account. */
export interface Covered {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the journal knows of its account. */
export interface KnownAccount {
  /** Those that the exchange must know the longest come first. */
  readonly orders: readonly KnownOrder[];
  /** Heartbeats of ours that are not known to have ended. */
  readonly heartbeats: ReadonlySet<HeartbeatId>;
  /** Null if no earlier run has seen the account's orders. */
  readonly covered: Covered | null;
}

/** What a key shows of its account. */
export interface ShownAccount {
  /** The newest orders. */
  readonly orders: readonly VenueOrder[];
  readonly heartbeats: readonly HeartbeatId[];
  /** Known orders that the exchange was asked for and does not know. */
  readonly missing: ReadonlySet<OrderId>;
}

/** `undecided`: nothing speaks for either. */
export type AccountVerdict =
  | { readonly kind: 'same' | 'undecided' }
  | { readonly kind: 'other'; readonly missing: readonly OrderId[]; readonly strange: readonly OrderId[] };

/** The exchange reports an order for three days after its last change. */
const KEPT_MS = 3 * DAY_MS;
/** An order may appear in the list after one that was placed a little later. */
const LISTED_LATE_MS = 60_000;
/** The list that a start records is complete up to this long before the start, by our clock. */
const CLOCK_MARGIN_MS = 10 * 60_000;
/** The number of orders that a start records. */
const SEEN_ORDERS = 20;

/** What the journal's fold knows of its account. */
export function knownAccount(state: FoldedState): KnownAccount {
  const known = new Map<OrderId, KnownOrder>();
  for (const order of [...seenOrders(state), ...ownOrders(state), ...filledOrders(state)]) {
    const before = known.get(order.orderId);
    known.set(order.orderId, before === undefined ? order : joined(before, order));
  }
  const orders = [...known.values()].toSorted((a, b) => b.keptUntilMs - a.keptUntilMs);
  return { orders, heartbeats: new Set(state.heartbeats), covered: coveredBy(state) };
}

const joined = (a: KnownOrder, b: KnownOrder): KnownOrder => ({
  ...a,
  uuid: a.uuid ?? b.uuid,
  placedMs: a.placedMs ?? b.placedMs,
  keptUntilMs: Math.max(a.keptUntilMs, b.keptUntilMs),
});

function seenOrders({ accountSeen }: FoldedState): KnownOrder[] {
  if (accountSeen === undefined) return [];
  return accountSeen.orders.map(({ orderId, betType, placedMs }) => {
    const keptUntilMs = (placedMs ?? accountSeen.atMs) + KEPT_MS;
    return { orderId, uuid: null, betType, placedMs, keptUntilMs };
  });
}

function ownOrders(state: FoldedState): KnownOrder[] {
  return [...state.orders.values()].flatMap(({ orderId, sentAtMs, intended }) => {
    if (orderId === null || !isOfThisAccount(state, sentAtMs)) return [];
    const { uuid, place } = intended;
    return [{ orderId, uuid, betType: place.betType, placedMs: null, keptUntilMs: sentAtMs + KEPT_MS }];
  });
}

/** An order with a bet changes once more when its event is settled. */
function filledOrders(state: FoldedState): KnownOrder[] {
  return [...state.fills.values()].flatMap((fill) => {
    if (!isOfThisAccount(state, fill.atMs)) return [];
    const { orderId, requestUuid: uuid, betType, eventId, atMs } = fill;
    const dayMs = dayOf(eventId);
    const changedMs = Number.isFinite(dayMs) ? Math.max(atMs, dayMs) : atMs;
    return [{ orderId, uuid, betType, placedMs: null, keptUntilMs: changedMs + KEPT_MS }];
  });
}

/** Orders from before a person accepted another account say nothing about that one. */
const isOfThisAccount = ({ accountSinceMs = -Infinity }: FoldedState, atMs: number): boolean =>
  atMs >= accountSinceMs;

/** A list that lacks older orders covers the time from its oldest order on, if it is in order. */
function coveredBy({ accountSeen }: FoldedState): Covered | null {
  if (accountSeen === undefined) return null;
  const { orders, isWhole, atMs } = accountSeen;
  const placed = orders.flatMap(({ placedMs }) => (placedMs === null ? [] : [placedMs]));
  if (placed.length < orders.length) return null;
  const newestMs = Math.max(...placed) - LISTED_LATE_MS;
  if (isWhole) return { fromMs: -Infinity, toMs: Math.max(newestMs, atMs - CLOCK_MARGIN_MS) };
  const isInOrder = placed.every((ms, at) => at === 0 || ms <= (placed[at - 1] ?? ms));
  return isInOrder ? { fromMs: Math.min(...placed), toMs: newestMs } : null;
}

/** Judges what a key shows. `nowMs` is the wall clock. */
export function accountVerdict(known: KnownAccount, shown: ShownAccount, nowMs: number): AccountVerdict {
  if (shown.heartbeats.some((id) => known.heartbeats.has(id))) return { kind: 'same' };
  const byId = new Map(known.orders.map((order) => [order.orderId, order]));
  if (shown.orders.some((order) => isRecognised(byId.get(order.orderId), order))) return { kind: 'same' };
  const missing = known.orders.filter(
    ({ orderId, keptUntilMs }) => keptUntilMs > nowMs && shown.missing.has(orderId),
  );
  const strange = shown.orders.filter((order) => isStrange(known, order) && !byId.has(order.orderId));
  if (missing.length + strange.length === 0) return { kind: 'undecided' };
  return { kind: 'other', missing: missing.map(idOf), strange: strange.map(idOf) };
}

const idOf = ({ orderId }: { readonly orderId: OrderId }): OrderId => orderId;

/** Whether the exchange shows an order that the journal knows. An exchange that began anew may use an id again. */
export function isRecognised(known: KnownOrder | undefined, order: VenueOrder): boolean {
  if (known === undefined || known.orderId !== order.orderId) return false;
  const mark = markOf(order.userData);
  if (known.uuid !== null && mark !== null) return mark.uuid === known.uuid;
  const { placedMs } = known;
  const isSameTime =
    placedMs === null || order.placementTimeMs === null || placedMs === order.placementTimeMs;
  return isSameTime && known.betType === order.betType;
}

const isStrange = ({ covered }: KnownAccount, { placementTimeMs }: VenueOrder): boolean =>
  covered !== null &&
  placementTimeMs !== null &&
  placementTimeMs > covered.fromMs &&
  placementTimeMs < covered.toMs;

/**
 * What a start records of the account's newest orders, from a page of `asked` orders: those before the first that cannot be read. Later, that one
 * may be readable, and would seem to be another account's.
 */
export function accountSeenOn(
  page: OrderPage,
  asked: number,
): { readonly orders: readonly SeenOrder[]; readonly isWhole: boolean } {
  const readable = Math.min(SEEN_ORDERS, ...page.unread.map(({ at }) => at));
  const orders = page.orders
    .slice(0, readable)
    .map(({ orderId, betType, placementTimeMs }) => ({ orderId, betType, placedMs: placementTimeMs }));
  const isAll = page.unread.length === 0 && orders.length === page.orders.length;
  return { orders, isWhole: isAll && lastPage(asked)(page) };
}
