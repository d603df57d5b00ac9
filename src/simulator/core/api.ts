/**
 * The interfaces of the simulated exchange. A shell (HTTP and WebSocket server, in-process transport) drives it, and a
 * feed (modelled or recorded market) trades on it. Everything is synchronous and deterministic: the caller passes the
 * time with each call, and all output is return values and the outbox.
 */
import type { FillCause } from '../../domain/fill-cause.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import type { Micros } from '../../domain/money.ts';
import type { PriceConvention, PriceKind } from '../../domain/odds.ts';
import type { ExchangeMode } from '../../domain/orders.ts';
import type { ReducedMarket } from '../../domain/reduction.ts';
import type { Direction } from '../../domain/selection.ts';

/** An HTTP request. Its path starts with `/v2/…` or `/magic-api/v2/…`. */
export interface SimRequest {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  /** The `X-Api-Key` header, null when absent. */
  readonly apiKey: string | null;
  /** The raw body; empty without one. */
  readonly body: string;
}

export interface SimResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The shell calls this after delivery. It frees the slot of a request whose number in flight is limited. */
  readonly release?: () => void;
}

export type ConnectionId = number;

/** Output of the exchange on a connection. */
export type Outgoing =
  | { readonly kind: 'frame'; readonly connection: ConnectionId; readonly text: string }
  | {
      readonly kind: 'close';
      readonly connection: ConnectionId;
      readonly code: number | null;
      readonly reason: string;
    };

export type ConnectResult =
  | { readonly ok: true; readonly connection: ConnectionId }
  | { readonly ok: false; readonly status: number; readonly body: string };

/** The exchange as a shell drives it. `nowMs` is wall-clock time and never decreases from call to call. */
export interface ExchangeCore {
  /** Runs everything due by `nowMs`: feed, quotes, broadcasts, expiries, heartbeats, settlement. */
  advance(nowMs: number): void;
  /** The earliest instant at which `advance` has work, null without any. */
  nextDueMs(): number | null;
  request(request: SimRequest, nowMs: number): SimResponse;
  connect(query: Readonly<Record<string, string>>, nowMs: number): ConnectResult;
  /** Handles a text frame of a client. */
  receive(connection: ConnectionId, text: string, nowMs: number): void;
  /** Answers a client's frame with this error code. The frame is not read and has no other effect. */
  refuse(connection: ConnectionId, code: string, nowMs: number): void;
  /** Removes a connection that the client or the shell ended. */
  disconnect(connection: ConnectionId): void;
  /** Takes the pending output, in sending order. */
  drain(): readonly Outgoing[];
  /** Feeds and the test control act on the market through this. */
  readonly market: Market;
  /** The full state, for tests and the control interface. */
  inspect(): Inspection;
  /** Only the events that `inspect` reports. */
  inspectEvents(): readonly InspectedEvent[];
  /**
   * An operator or a test changes an event. A feed may apply the change itself and continue from it (`Feed.intervene`);
   * otherwise only the market changes. An unknown event is ignored.
   */
  intervene(event: SimEventName, act: Intervention, nowMs: number): void;
  /** Voids a bet, puts it in `danger` or confirms it. Returns false for an unknown bet. */
  markBet(betId: number, status: 'success' | 'danger' | 'void', nowMs: number): boolean;
  /** Adds money to an account's balance, or takes it away (negative). Returns whether the account exists. */
  deposit(accountId: string, amountMicros: Micros, nowMs: number): boolean;
  /** Overrides these settings from now on. Every setting left out returns to its configured value. */
  tune(tuning: Tuning): void;
}

/** Settings that faults change while the exchange runs (see `ExchangeSettings`). Times are in milliseconds. */
export interface Tuning {
  readonly openBetslipCap?: number;
  readonly betslipLifetimeMs?: number;
  readonly quoteDelayMs?: number;
  readonly placementDelayMs?: readonly [least: number, most: number];
  readonly closeLatencyMs?: number;
  readonly pendingMs?: number;
  readonly dangerMs?: number;
  readonly dangerEnds?: 'success' | 'void';
  readonly resultsMs?: number;
  readonly eventsLater?: boolean;
  readonly priceConvention?: PriceConvention;
  readonly trackedLookupMs?: number;
}

/** The name of an event. The id alone is not unique: several sports can share it (a match and its first half). */
export interface SimEventName {
  readonly sport: string;
  readonly eventId: string;
}

export interface SimEvent extends SimEventName {
  readonly eventType: 'normal' | 'multirunner';
  readonly eventName: string;
  readonly competitionId: number;
  readonly competitionName: string;
  readonly competitionCountry: string;
  readonly home: string;
  readonly away: string;
  readonly homeId: number;
  readonly awayId: number;
  readonly teams: readonly { readonly teamId: number; readonly name: string }[];
  readonly startTimeMs: number;
  /** The end of an outright; null for a match. */
  readonly endTimeMs: number | null;
}

/** A change that an operator or a test makes to an event, beside the feed. */
export type Intervention =
  /** A team scores a goal (or point, or set). */
  | { readonly kind: 'goal'; readonly side: 'home' | 'away' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'in_running' }
  /** The event ends with a result; null voids every bet. A second result corrects the first. */
  | { readonly kind: 'end'; readonly result: EventResult | null };

/** A runner of an outright that does not take part after all. */
export interface RunnerRemoval {
  /** Its outcome; null if it was none. */
  readonly removed: string | null;
  /** The other outcomes of its market. */
  readonly others: readonly string[];
  /** How bets on the others are reduced; null if they are not. */
  readonly market: ReducedMarket | null;
  /** By how much, in percent; null where nobody says. */
  readonly factor: number | null;
  /** Wall-clock milliseconds. Bets from then on are not reduced. */
  readonly fromMs: number;
}

/** How long new orders of a market wait. */
export interface BetDelay {
  readonly delayMs: number;
  /** Whether only orders wait that match at once. */
  readonly isPassive: boolean;
}

/** A tradable outcome. Its name is the bet type without the direction. */
export interface SimOutcome extends SimEventName {
  readonly outcome: string;
}

/** The stake at a price of an offer, in the terms of its takers. */
export interface OfferedLevel {
  readonly price: number;
  readonly stakeMicros: Micros;
  /** The smallest bet that matches any of the stake; 0 for no minimum. */
  readonly minBetMicros: Micros;
}

/**
 * A feed reports the market's own life through this interface. Every price is the price of the selection, whatever the exchange's
 * prices are. Each call carries the instant at which it happens, and
 * concerns one event of one sport. A goal in the first half is reported twice: for the match and for the half.
 */
export interface Market {
  /** Adds an event or replaces its data. An outcome exists from its first liquidity on. */
  putEvent(event: SimEvent, nowMs: number): void;
  /** Removes an unsettled event from the feed and closes its open orders. */
  removeEvent(event: SimEventName, nowMs: number): void;
  /** Closes the event's orders without keep-open; the event becomes `in_running`. */
  goInRunning(event: SimEventName, nowMs: number): void;
  /** A suspended event has no matching and no offers; resting orders stay. */
  setSuspended(event: SimEventName, suspended: boolean, nowMs: number): void;
  /** Paused outcomes have no matching and no offers, as in a suspension; the others of the event go on. */
  setPaused(event: SimEventName, outcomes: readonly string[], isPaused: boolean, nowMs: number): void;
  /** A recorded bet delay replaces the drawn delay in play (`inPlayDelayMs`) for new orders, also before play; 0 takes it back. */
  setBetDelay(event: SimEventName, outcomes: readonly string[], delay: BetDelay, nowMs: number): void;
  setScore(event: SimEventName, home: number, away: number, nowMs: number): void;
  setRedCards(event: SimEventName, home: number, away: number, nowMs: number): void;
  setTime(event: SimEventName, period: string, minutes: number | null, nowMs: number): void;
  /**
   * A runner leaves a market. Orders on it are closed. Orders against the others are closed or reduced, and bets on them from before settle at
   * reduced prices (`domain/reduction.ts`).
   */
  removeRunner(event: SimEventName, removal: RunnerRemoval, nowMs: number): void;
  /** Closes every order of the event and settles its bets. */
  settle(event: SimEventName, result: EventResult, nowMs: number): void;
  /** Closes every order of the event and voids its bets. */
  voidEvent(event: SimEventName, nowMs: number): void;
  /**
   * Loses the feed: the stream sends `clear_events`, and market data answers `warming`. The feed is back after `outageMs`
   * (`warmupMs` if absent): the stream sends a new snapshot and `sync`. An outage never shortens another one.
   */
  clear(nowMs: number, outageMs?: number): void;
  /** Ends every outage of the feed now. Nothing happens while the feed is there. */
  recover(nowMs: number): void;

  /**
   * Sets the resting stake of a background participant at one price. `resting` is the direction of *its* order:
   * `against` takers match a resting `for` stake. Growth joins the back of the queue; shrinking removes the participant's
   * newest stake. A stake that crosses account orders trades with them first. Background participants never trade with
   * each other here.
   */
  setLevel(
    participant: string,
    at: SimOutcome,
    resting: Direction,
    price: number,
    stakeMicros: Micros,
    nowMs: number,
  ): void;
  /**
   * Sets the stake that a participant offers to takers of a bet type at one price, in the takers' own terms. Otherwise as `setLevel`.
   * Odds of `against` may be a rounded price of the selection, so the stake stands in the queue of the first price that is shown so
   * (`restingOf`): an order at another of them may not pass stake that could stand before it. Accounts take the stake only if they accept
   * the price that they are shown. The minimum is that of new stake. A price off the ladder, and an unknown bet type, are ignored.
   */
  setOffer(
    participant: string,
    event: SimEventName,
    betType: string,
    level: OfferedLevel,
    nowMs: number,
  ): void;
  /**
   * What takers of a bet type are offered now, by accounts and background, in their own terms and the highest price first. Null for a
   * bet type without a book.
   */
  offered(event: SimEventName, betType: string): readonly OfferedLevel[] | null;
  /** Sets the smallest bet for a participant's future resting stake; 0 for no minimum. */
  setMinimum(participant: string, minBetMicros: Micros): void;
  /** From now on new stake of this participant is matched like any other and shown to nobody. */
  hide(participant: string): void;
  /**
   * The participant is a recording: `setLevel` repeats stake that accounts took already. What they took is subtracted from each
   * level until the recorded size is smaller, so that no recorded unit is matched twice.
   */
  followRecording(participant: string): void;
  /** Removes all of a participant's resting stake on an outcome. */
  clearLevels(participant: string, at: SimOutcome, nowMs: number): void;
  /**
   * A background taker's order takes resting stake of the opposite direction at `limitPrice` or better for the taker, in
   * price-time order. Its remainder does not rest. Returns the matched stake.
   */
  take(at: SimOutcome, direction: Direction, limitPrice: number, stakeMicros: Micros, nowMs: number): Micros;
  /**
   * A trade that was recorded at this price against resting stake of direction `resting`. Accounts at better prices for its
   * taker get it first. The queue of its price, background and accounts alike, gets what is left as far as `setLevel` then tells at the
   * same instant that the level fell (`fills/traded-falls.ts`). Recorded stake at better prices stays. Returns the stake that accounts
   * at better prices traded; where the fill model does not wait for the fall, those at its price as well.
   */
  trade(at: SimOutcome, resting: Direction, price: number, stakeMicros: Micros, nowMs: number): Micros;
  /** As `trade`, in the terms of the takers of a bet type, with the price of its queue as `setOffer` has it. */
  tradeOffer(
    event: SimEventName,
    betType: string,
    level: Pick<OfferedLevel, 'price' | 'stakeMicros'>,
    nowMs: number,
  ): Micros;
  /** As `take`, in the terms of the takers of a bet type: it reaches the last price of the selection that is shown as this one. */
  takeOffer(
    event: SimEventName,
    betType: string,
    level: Pick<OfferedLevel, 'price' | 'stakeMicros'>,
    nowMs: number,
  ): Micros;
  /**
   * Resting stake per price of one direction (accounts and background), the best for the opposite taker first, in prices of the
   * selection and the stakes at those prices.
   */
  levels(
    at: SimOutcome,
    resting: Direction,
  ): readonly { readonly price: number; readonly stakeMicros: Micros }[];
  isSuspended(event: SimEventName): boolean;
  isInRunning(event: SimEventName): boolean;
}

/** An order as a program keeps it beyond the life of the exchange. Plain data. */
export interface KeptOrder {
  readonly orderId: number;
  readonly requestUuid: string | null;
  readonly betslipId: string;
  /** Whether its betslip was one of lays. */
  readonly isLay: boolean;
  readonly sport: string;
  readonly eventId: string;
  readonly betType: string;
  readonly priceKind: PriceKind;
  readonly wantPrice: number;
  readonly tick: number;
  readonly stakeMicros: Micros;
  readonly placedMs: number;
  readonly expiryMs: number;
  /** Null while it works. */
  readonly closedBy: ClosedBy | null;
  readonly closedMs: number | null;
  readonly terms: KeptTerms;
  readonly bets: readonly KeptBet[];
}

/** The cause of an order's close, finer than the wire's `close_reason`. */
export type ClosedBy = 'filled' | 'request' | 'duration' | 'heartbeat' | 'in_running' | 'event';

interface KeptTerms {
  readonly mode: ExchangeMode;
  readonly keepOpenIr: boolean;
  readonly minTakerMicros: Micros;
  readonly acceptBetterPrice: boolean;
  readonly acceptPartialFill: boolean;
  readonly forceWantPrice: boolean;
  readonly excludeDanger: boolean;
  readonly currentScore: readonly [number, number] | null;
  readonly userData: string | null;
}

interface KeptBet {
  readonly betId: number;
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly atMs: number;
  readonly role: 'maker' | 'taker';
  readonly source: string;
  readonly tradeId: number;
  readonly cause: FillCause;
  readonly status: 'success' | 'danger' | 'void';
  readonly voided: boolean;
  readonly profitMicros: Micros;
  readonly settled: boolean;
}

/** A source of events and background trading. The core drives it on the core's time. */
export interface Feed {
  /** The core calls this once, before anything else. */
  start(market: Market, nowMs: number): void;
  /** The wall-clock instant of the feed's next action, null when the feed is over. */
  nextDueMs(): number | null;
  /** Runs everything due by `nowMs`, in order, each at its own instant. */
  advance(market: Market, nowMs: number): void;
  /**
   * The host slept, and the core now advances the feed to `untilMs`. The feed may report that stretch coarsely, so that
   * catching up stays cheap, but still at the right instants. A feed without this method catches up in full.
   */
  lull?(untilMs: number): void;
  /**
   * An operator or a test changes one of the feed's events. A feed that returns true has applied the change to the market
   * and continues from it. After false, or without this method, only the market changes and the feed does not know of it.
   */
  intervene?(market: Market, event: SimEventName, act: Intervention, nowMs: number): boolean;
  /**
   * An account asks for prices of a bet type, and may bet on it from now on. A feed may have nothing in a book until then; it fills the book
   * before this returns.
   */
  asked?(market: Market, event: SimEventName, betType: string, nowMs: number): void;
}

export interface Inspection {
  readonly nowMs: number;
  readonly accounts: readonly InspectedAccount[];
  readonly orders: readonly InspectedOrder[];
  /** The orders that are not closed. */
  readonly openOrders?: readonly InspectedOrder[];
  readonly events: readonly InspectedEvent[];
}

export interface InspectedAccount {
  readonly accountId: string;
  readonly balanceMicros: Micros;
  readonly openStakeMicros: Micros;
  readonly openBetslips: number;
  readonly heartbeats: readonly { readonly heartbeatId: string; readonly expiryMs: number }[];
  readonly throttledCount: number;
}

export interface InspectedOrder {
  readonly orderId: number;
  readonly accountId: string;
  readonly requestUuid: string | null;
  /** A parlay has the sport `parlay` and an empty event id. */
  readonly sport: string;
  readonly eventId: string;
  readonly betType: string;
  /** What the prices of the order and its fills are; absent where they are prices of the selection by the bet type's direction. */
  readonly priceKind?: PriceKind;
  /** The effective limit, on the ladder. */
  readonly price: number;
  /** The requested limit, where it differs from `price`. */
  readonly wantPrice?: number;
  readonly stakeMicros: Micros;
  readonly filledMicros: Micros;
  readonly status: string;
  readonly closed: boolean;
  readonly closeReason: string | null;
  /** The cause of the close: `filled`, `request`, `duration`, `heartbeat`, `in_running` or `event`. */
  readonly closedBy?: string | null;
  readonly createdMs: number;
  readonly expiryMs: number;
  readonly closedMs: number | null;
  readonly userData: string | null;
  readonly fills: readonly {
    readonly betId: number;
    readonly price: number;
    readonly stakeMicros: Micros;
    readonly atMs: number;
    readonly role: 'maker' | 'taker';
    readonly cause: FillCause;
    /** The bet was voided by itself. The result of its event does not change that. */
    readonly voided: boolean;
  }[];
}

export interface InspectedEvent extends SimEventName {
  readonly irStatus: string;
  readonly suspended: boolean;
  readonly score: readonly [number, number] | null;
  readonly outcomes: number;
  /** `live`, `removed` (its bets wait for a result), `settled` or `void`. */
  readonly phase?: string;
  readonly competitionId?: number;
  readonly startTimeMs?: number;
}
