/**
 * The seams of the simulated exchange: what a shell (HTTP+WebSocket server, in-process transport) and a feed (modelled
 * or recorded market) may rely on. Everything is synchronous and deterministic: time comes in with each call, nothing
 * goes out but return values and the outbox.
 */
import type { Micros } from '../../domain/money.ts';
import type { Settlement } from '../../domain/payoff.ts';
import type { Direction } from '../../domain/selection.ts';

/** A request as HTTP carries it, in either prefix form (`/v2/…`, `/magic-api/v2/…`). */
export interface SimRequest {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  /** `X-Api-Key`, null when absent. */
  readonly apiKey: string | null;
  /** Undecoded body, empty when there is none. */
  readonly body: string;
}

export interface SimResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Call once the answer was delivered; frees the slot of calls whose number in flight is limited. */
  readonly release?: () => void;
}

export type ConnectionId = number;

/** What the exchange has to say on a connection. */
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

/** The exchange as a shell drives it. `nowMs` is wall-clock time and never goes back from call to call. */
export interface ExchangeCore {
  /** Does everything due by `nowMs`: feed, quotes, broadcasts, expiries, heartbeats, settlement. */
  advance(nowMs: number): void;
  /** The earliest instant at which `advance` has work, null when there is none. */
  nextDueMs(): number | null;
  request(request: SimRequest, nowMs: number): SimResponse;
  connect(query: Readonly<Record<string, string>>, nowMs: number): ConnectResult;
  /** A client's text frame. */
  receive(connection: ConnectionId, text: string, nowMs: number): void;
  /** Answers a client's frame with an error of this code, whatever it says, and does nothing else. */
  refuse(connection: ConnectionId, code: string, nowMs: number): void;
  /** The client or the shell ended the connection. */
  disconnect(connection: ConnectionId): void;
  /** Takes what is to be sent, in order. */
  drain(): readonly Outgoing[];
  /** The feed's and the test control's hand on the market. */
  readonly market: Market;
  /** The truth, for tests and the control interface. */
  inspect(): Inspection;
  /** The events alone of what `inspect` tells. */
  inspectEvents(): readonly InspectedEvent[];
  /**
   * A hand from outside the feed on an event. A feed that takes it carries on from it (`Feed.intervene`); without one it
   * is done to the market alone. An unknown event is ignored.
   */
  intervene(event: SimEventName, act: Intervention, nowMs: number): void;
  /** Voids a bet, puts it in doubt (`danger`) or confirms it; false when there is no such bet. */
  markBet(betId: number, status: 'success' | 'danger' | 'void', nowMs: number): boolean;
  /** Puts these settings in place of the configured ones, from now on; what is left out is as configured again. */
  tune(tuning: Tuning): void;
}

/** Settings that faults change while the exchange runs (see `ExchangeSettings`). Times are milliseconds. */
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
}

/** Names an event: its id alone does not, since several sports can share one (a match and its first half). */
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
  readonly endTimeMs: number | null;
}

/** How an event ended. Places are 1-based, absent for non-runners. */
export type EventResult =
  | {
      readonly kind: 'score';
      readonly home: number;
      readonly away: number;
      readonly halfTimeHome: number;
      readonly halfTimeAway: number;
    }
  | { readonly kind: 'places'; readonly places: ReadonlyMap<number, number> };

/** What a hand from outside the feed does to an event. */
export type Intervention =
  /** One more goal (or point, or set) for a team. */
  | { readonly kind: 'goal'; readonly side: 'home' | 'away' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'in_running' }
  /** The result, null when every bet is void. On an event that has one it is a correction. */
  | { readonly kind: 'end'; readonly result: EventResult | null };

/** One outcome that can be traded, named by its bet type less the direction. */
export interface SimOutcome extends SimEventName {
  readonly outcome: string;
}

/**
 * What of the market's own life a feed reports. Each call takes the instant at which it happens, and is about one event
 * of one sport: what concerns a match and its first half is told of each.
 */
export interface Market {
  /** Adds an event or replaces what is known of it. Its outcomes exist from their first liquidity on. */
  putEvent(event: SimEvent, nowMs: number): void;
  /** Removes an unsettled event from the feed; open orders are closed. */
  removeEvent(event: SimEventName, nowMs: number): void;
  /** Orders without keep-open are closed; the event shows as `in_running`. */
  goInRunning(event: SimEventName, nowMs: number): void;
  /** No matching and no offers while suspended; resting orders stay. */
  setSuspended(event: SimEventName, suspended: boolean, nowMs: number): void;
  setScore(event: SimEventName, home: number, away: number, nowMs: number): void;
  setRedCards(event: SimEventName, home: number, away: number, nowMs: number): void;
  setTime(event: SimEventName, period: string, minutes: number | null, nowMs: number): void;
  /** Closes every order of the event and settles its bets. */
  settle(event: SimEventName, result: EventResult, nowMs: number): void;
  /** Every bet of the event is void. */
  voidEvent(event: SimEventName, nowMs: number): void;
  /** The feed was lost: `clear_events` goes out; a new snapshot and `sync` follow. */
  clear(nowMs: number): void;

  /**
   * Sets the resting stake of a background participant at one price. `resting` is the direction of *its* order: a
   * resting `for` stake is what `against` takers can get. Growth joins the back of the queue; shrinking takes from its
   * own newest stake. A stake that crosses account orders trades with them first. Participants of the background never
   * trade with each other here.
   */
  setLevel(
    participant: string,
    at: SimOutcome,
    resting: Direction,
    price: number,
    stakeMicros: Micros,
    nowMs: number,
  ): void;
  /** From now on a participant's resting stake is matched with bets of so much at least; 0 for no minimum. */
  setMinimum(participant: string, leastMicros: Micros): void;
  /** Removes all of a participant's resting stake on an outcome. */
  clearLevels(participant: string, at: SimOutcome, nowMs: number): void;
  /**
   * A background taker's order: takes what rests in the opposite direction at `limitPrice` or better for it, in
   * price-time order, and vanishes. Answers what it got.
   */
  take(at: SimOutcome, direction: Direction, limitPrice: number, stakeMicros: Micros, nowMs: number): Micros;
  /**
   * A trade that was recorded at exactly this price against resting stake of direction `resting`: consumes that price's
   * queue in time order, background and accounts alike. Answers how much of it accounts got.
   */
  trade(at: SimOutcome, resting: Direction, price: number, stakeMicros: Micros, nowMs: number): Micros;
  /** Resting stake per price of one direction (accounts and background), best for the opposite taker first. */
  levels(
    at: SimOutcome,
    resting: Direction,
  ): readonly { readonly price: number; readonly stakeMicros: Micros }[];
  isSuspended(event: SimEventName): boolean;
  isInRunning(event: SimEventName): boolean;
}

/** A source of events and background trading, driven by the core on the core's time. */
export interface Feed {
  /** Called once, before anything else. */
  start(market: Market, nowMs: number): void;
  /** Wall-clock instant of the next thing to happen, null when it is over. */
  nextDueMs(): number | null;
  /** Does everything due by `nowMs`, in order, each at its own instant. */
  advance(market: Market, nowMs: number): void;
  /**
   * The host slept through the time up to `untilMs`, and the feed is to be advanced so far now: what goes on in between
   * may be told coarsely, so that catching up stays cheap, but still at its instants. A feed without it catches up in full.
   */
  lull?(untilMs: number): void;
  /**
   * A hand from outside on one of the feed's events. A feed that answers true has done it to the market itself and holds
   * it to be true from then on; after false, or without this method, it is done to the market and the feed knows nothing.
   */
  intervene?(market: Market, event: SimEventName, act: Intervention, nowMs: number): boolean;
}

/** A bet type that was understood (`core/bet-types`). */
export interface ParsedBetType {
  readonly direction: Direction;
  readonly outcome: string;
  readonly marketType: string;
  readonly description: string;
  /** Outcome of the *selection* (the `for` side), null when the result is of another kind (then the bet is void). */
  settle(result: EventResult): Settlement | null;
  /** Whether the 20 by 20 grid of final scores decides it. */
  readonly onGrid: boolean;
}

export interface Inspection {
  readonly nowMs: number;
  readonly accounts: readonly InspectedAccount[];
  readonly orders: readonly InspectedOrder[];
  /** Those of `orders` that are not closed. */
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
  /** That of a parlay is `parlay`, with an empty event id. */
  readonly sport: string;
  readonly eventId: string;
  readonly betType: string;
  /** The limit that works, on the ladder. */
  readonly price: number;
  /** The limit that was asked for, where it is not that one. */
  readonly wantPrice?: number;
  readonly stakeMicros: Micros;
  readonly filledMicros: Micros;
  readonly status: string;
  readonly closed: boolean;
  readonly closeReason: string | null;
  /** What ended it: `filled`, `request`, `duration`, `heartbeat`, `in_running` or `event`. */
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
    /** Taken back by itself, whatever becomes of its event. */
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
