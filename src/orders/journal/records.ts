import type { EventName } from '../../domain/events.ts';
import type { BetType, HeartbeatId, OrderId, RequestUuid, SelectionId } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import type { ExchangeMode, PlaceOrder } from '../../domain/orders.ts';
import { type PriceKind, SELECTION_KINDS } from '../../domain/odds.ts';
import type { IntentKey } from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';
import type { JournalEntry, JournalRecord, Json } from '../../ports/journal.ts';

/** The order manager's journal records, one kind per fact. The meaning of a kind's fields never changes. */
export type Fact =
  | { readonly kind: 'run_started'; readonly run: string }
  /** Written directly before the first byte of a create request. `repeat` marks the same request sent again. */
  | {
      readonly kind: 'order_intended';
      readonly uuid: RequestUuid;
      readonly place: PlaceOrder;
      readonly key: IntentKey | null;
      readonly selectionId: SelectionId;
      readonly direction: Direction;
      readonly tick: number;
      readonly mode: ExchangeMode;
      /** The strategy that the order was placed for. */
      readonly owner: string;
      readonly bodyHash: string;
      readonly repeat: boolean;
    }
  /** The state of an order after a change. */
  | {
      readonly kind: 'order_changed';
      readonly uuid: RequestUuid;
      readonly state: OrderState;
      readonly orderId: OrderId | null;
      readonly expiryMs: number | null;
      readonly filledMicros: Micros;
      readonly closeReason: string | null;
      readonly source: string;
    }
  | { readonly kind: 'fill_booked'; readonly fill: Fill }
  | {
      readonly kind: 'betslip_requested';
      readonly betType: string;
      readonly eventId: string;
      /** The betslip came from the reserve for reducing risk. */
      readonly reserve?: boolean;
    }
  /** Written before the request, so that a lost answer is remembered. */
  | { readonly kind: 'heartbeat_requested' }
  /** The exchange answered the last request without creating a heartbeat. */
  | { readonly kind: 'heartbeat_refused' }
  | { readonly kind: 'heartbeat_armed'; readonly heartbeatId: HeartbeatId }
  | { readonly kind: 'heartbeat_ended'; readonly heartbeatId: HeartbeatId; readonly how: string }
  /** Quoting was stopped until a person releases the latch. */
  | { readonly kind: 'latched'; readonly reason: string }
  | { readonly kind: 'latch_released'; readonly reason: string }
  /** A strategy became the owner of an event. */
  | { readonly kind: 'event_owned'; readonly event: EventName; readonly owner: string }
  /** Updates of the account's orders are known up to this wall-clock instant. */
  | { readonly kind: 'cursor'; readonly updatesToMs: number }
  /** The newest orders of the account at a start, newest first. `isWhole`: the account had no other order. */
  | { readonly kind: 'account_seen'; readonly orders: readonly SeenOrder[]; readonly isWhole: boolean }
  /** A person accepted that the key is of another account than the one of all earlier records. */
  | { readonly kind: 'account_accepted'; readonly why: string };

/** An order of the account, whoever placed it. */
export interface SeenOrder {
  readonly orderId: OrderId;
  readonly betType: BetType;
  /** Placement time by the exchange's clock, in wall-clock milliseconds; null if the exchange did not say it. */
  readonly placedMs: number | null;
}

const EVERY_KIND: Readonly<Record<Fact['kind'], true>> = {
  run_started: true,
  order_intended: true,
  order_changed: true,
  fill_booked: true,
  betslip_requested: true,
  heartbeat_requested: true,
  heartbeat_refused: true,
  heartbeat_armed: true,
  heartbeat_ended: true,
  latched: true,
  latch_released: true,
  event_owned: true,
  cursor: true,
  account_seen: true,
  account_accepted: true,
};

/** Kinds of the order manager's own records, whose fold a checkpoint holds. */
export const FACT_KINDS: ReadonlySet<string> = new Set(Object.keys(EVERY_KIND));

/** The create request that a fact concerns; null for other facts. */
export function entryOf(fact: Fact): JournalEntry {
  const { kind, ...rest } = fact;
  const ofFill = fact.kind === 'fill_booked' ? fact.fill.requestUuid : null;
  return { kind, uuid: 'uuid' in fact ? fact.uuid : ofFill, data: plainOf(rest) };
}

/**
 * A copy as the journal keeps it. It drops absent optional fields, the only values of facts that JSON cannot hold. The kind of a
 * price is written only where the price is not the price of the selection itself: earlier journals have no other kind.
 */
export const plainOf = (data: object): Json =>
  JSON.parse(
    JSON.stringify(data, (name, value: unknown) =>
      name === 'priceKind' && OWN_PRICES.has(value) ? undefined : value,
    ),
  ) as Json;

const OWN_PRICES: ReadonlySet<unknown> = new Set(Object.values(SELECTION_KINDS));

/** A fill as the journal keeps it, with the kind of its price. */
export const fillOfRecord = (fill: Recorded<Fill>): Fill => ({
  ...fill,
  priceKind: fill.priceKind ?? SELECTION_KINDS[fill.direction],
});

/** The same for an intended order. */
export const intendedOfRecord = (intended: RecordedIntent): Intended => ({
  ...intended,
  place: { ...intended.place, priceKind: intended.place.priceKind ?? SELECTION_KINDS[intended.direction] },
});

type Recorded<T> = Omit<T, 'priceKind'> & { readonly priceKind?: PriceKind };

/** The fact of an order that is about to be sent. */
export type Intended = Extract<Fact, { kind: 'order_intended' }>;

type RecordedIntent = Omit<Intended, 'place'> & { readonly place: Recorded<PlaceOrder> };

/** Returns the fact of a record. `applyFact` skips unknown kinds. */
export function factOf(record: JournalRecord): Fact {
  const fact = { kind: record.kind, ...(record.data as object) } as Fact;
  if (fact.kind === 'fill_booked') return { ...fact, fill: fillOfRecord(fact.fill) };
  return fact.kind === 'order_intended' ? intendedOfRecord(fact) : fact;
}

/** Returns a hash of a create request's content: equal requests have equal hashes. */
export function bodyHashOf(place: PlaceOrder): string {
  const { priceKind: _, ...sent } = place;
  const text = JSON.stringify(Object.entries(sent).sort(([a], [b]) => (a < b ? -1 : 1)));
  let [low, high] = [0x811c9dc5, 0x1000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ low, 0x85ebca6b);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
