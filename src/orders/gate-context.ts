import type { Score } from '../domain/events.ts';
import type { BetslipId } from '../domain/ids.ts';
import type { OrderState } from '../domain/lifecycle.ts';
import type { Micros } from '../domain/money.ts';
import type { ExchangeMode } from '../domain/orders.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { TakeObstacle } from './state/takes.ts';
import type { PricedOrder } from './would-match.ts';

/** The facts for the checks that concern every order. */
export interface AccountContext {
  /** Monotonic instant of the walk. */
  readonly nowMonotonicMs: number;
  /** The halts in force, each with its detail. */
  readonly halts: ReadonlyMap<string, string | null>;
  readonly heartbeat: HeartbeatProof;
}

export interface HeartbeatProof {
  /** A heartbeat of ours is armed, and no other process created one at the same time. */
  readonly isConfirmed: boolean;
  /** Monotonic instant before which no expiry can have closed our orders. */
  readonly provenUntilMs: number;
  /** Time in ms that a create request needs for its answer. An order is sent only while more than this is proven. */
  readonly reserveMs: number;
}

export interface ReadyBetslip {
  readonly id: BetslipId;
  /** As prices of the selection. */
  readonly quote: PriceList;
}

/** A betslip to use now, or the code of the reason why there is none. */
type BetslipFact =
  | { readonly ok: true; readonly betslip: ReadyBetslip }
  | { readonly ok: false; readonly code: string };

export interface RiskVerdict {
  readonly isRefused: boolean;
  /** Risk's own code of its first refusal. */
  readonly code: string | null;
}

/** The facts for the checks of one order. */
export interface GateContext extends AccountContext {
  readonly mode: ExchangeMode;
  readonly order: PricedOrder & { readonly stakeMicros: Micros };
  /** The strategy still wants an order of this direction, price and stake. */
  readonly isWanted: boolean;
  /** The state of the order whose request is to be repeated; null for a first request. */
  readonly repeats: OrderState | null;
  /** Monotonic instant until which the quote pauses. */
  readonly pausedUntilMs: number;
  /** Number of create requests that are in flight. */
  readonly inFlight: number;
  /** Other strategies go first. */
  readonly yields: boolean;
  /** The exchange has named a market on which prices are of the order's kind. */
  readonly hasMarket: boolean;
  /**
   * Which facts the early checks use.
   * - `none`: neither risk nor prices, since no betslip is about to be spent.
   * - `risk`: risk alone, since the market keeps its betslip until the order may go, or shows no prices yet.
   * - `all`: risk and prices.
   */
  readonly foresight: 'none' | 'risk' | 'all';
  readonly betslip: BetslipFact;
  /** The betslip that the approved order names; null before it is approved. */
  readonly namedBetslip: BetslipId | null;
  /** Why no order at prices of this kind may be begun until a first fill is confirmed. Default, and null: it may. */
  readonly firstFill?: string | null;
  /** What keeps a take from being placed. Default, and null: nothing, or the order is a quote's. */
  readonly take?: TakeObstacle | null;
  /** The score that the order asserts, beside what is known. Default, and null: its event is not football in play. */
  readonly play?: AssertedScore | null;
  /** The prices that takers can get in the order's direction; null when unknown or stale. */
  readonly market: PriceList | null;
  /** The public offers, if they are younger than `market`; else null. */
  readonly offers: PriceList | null;
  /** Our orders on the same selection. */
  readonly own: readonly PricedOrder[];
  /** Monotonic instant before which no order is begun after a close-out. */
  readonly admittedFromMs: number;
  readonly risk: RiskVerdict;
  readonly limits: GateLimits;
}

/** Null scores are not known. */
export interface AssertedScore {
  /** Of the view that decided the order. */
  readonly asserted: Score | null;
  /** As the exchange last told it. */
  readonly known: Score | null;
}

export interface GateLimits {
  readonly minStakeMicros: Micros;
  readonly maxInFlight: number;
  readonly postOnlyMarginTicks: number;
}

/** Returns whether the heartbeat is proven for long enough for a create request to be answered. */
export const provesEnough = (
  { isConfirmed, provenUntilMs, reserveMs }: HeartbeatProof,
  nowMs: number,
): boolean => isConfirmed && Math.max(0, provenUntilMs - nowMs) > reserveMs;
