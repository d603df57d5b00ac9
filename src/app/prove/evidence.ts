import type { OrderId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { PriceList } from '../../domain/price-list.ts';
import type { Tried } from './bench.ts';
import type { Chosen } from './choose-market.ts';
import type { Shown } from './convention.ts';
import type { WireWatch } from './wire-watch.ts';

/** All that a run has seen. The facts are concluded from it alone. Times are in milliseconds. */
export interface Evidence {
  readonly stakeMicros: Micros;
  readonly market: Chosen;
  readonly heartbeat: Tried<HeartbeatSeen>;
  readonly betslips: BetslipsSeen;
  /** On the `against` bet type, with a normal betslip. */
  readonly against: Tried<OrderSeen>;
  readonly lookups: Tried<LookupsSeen>;
  /** On the `for` bet type, with a `lay` betslip. */
  readonly lay: Tried<OrderSeen>;
  readonly counts: Tried<CountsSeen>;
  /** Whether the last orders of the account, which may have bets, were listed. */
  readonly earlierOrders: Tried<unknown>;
  readonly wire: WireWatch;
}

export interface HeartbeatSeen {
  /** From the answer to the expiry. */
  readonly leftMs: number | null;
  /** By how much a refresh moved the expiry, and how long after the creation it was sent. */
  readonly extendedMs: number | null;
  readonly refreshedAfterMs: number;
  readonly isGone: boolean;
  /** Heartbeats of others. */
  readonly others: number;
}

export interface BetslipsSeen {
  readonly normal: Tried<BetslipSeen>;
  /** `lay` betslips on either bet type. */
  readonly layFor: Tried<BetslipSeen>;
  readonly layAgainst: Tried<BetslipSeen>;
  readonly refresh: Tried<RefreshSeen>;
}

export interface BetslipSeen {
  /** From the answer to the expiry. */
  readonly leftMs: number | null;
  /** From the answer to the first quote. */
  readonly quotedAfterMs: number;
  readonly priceList: PriceList;
  /** Best `for` price of the public offers at that time. */
  readonly bestFor: number;
}

export interface RefreshSeen {
  readonly extendedMs: number | null;
  readonly afterMs: number;
}

export interface OrderSeen {
  readonly orderId: OrderId;
  /** From the request until the answer, and until the stream's entry; null if the entry did not come. */
  readonly answeredMs: number | null;
  readonly streamedMs: number | null;
  /** From `placement_time` to `expiry_time`. */
  readonly lifeMs: number | null;
  /** The limit price as the exchange reports it. */
  readonly reportedPrice: number;
  readonly shown: Tried<Shown | null>;
  /** The offers have so many better levels that ours may not be among those that the exchange shows. */
  readonly isCut: boolean;
  readonly closed: Tried<CloseSeen>;
  readonly matchedMicros: Micros;
}

export interface CloseSeen {
  readonly reason: string | null;
  /** From the request until the stream's entry. */
  readonly afterMs: number;
}

export interface LookupsSeen {
  readonly orderId: OrderId;
  /** What a look-up by its uuid found; null: 404. */
  readonly tracked: OrderId | null;
  /** What a look-up by a uuid that no order has found; null: 404. */
  readonly unused: OrderId | null;
  readonly repeated: RepeatSeen;
  readonly changed: RepeatSeen;
}

/** The answer to a create request whose uuid was used before. */
export interface RepeatSeen {
  /** Whether it was refused because of the uuid. */
  readonly isRefused: boolean;
  /** The order that it names, or that it made. */
  readonly orderId: OrderId | null;
}

export interface CountsSeen {
  /** Registrations that this run made. */
  readonly registered: number;
  readonly listed: number;
  readonly informed: number;
  /** Open betslips: before, made since, and now; null where none may be asked for. */
  readonly betslips: { readonly before: number; readonly made: number; readonly now: number } | null;
}
