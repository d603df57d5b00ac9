/** What an operator may command and ask of the daemon. The admin interface serves it, the composition carries it out, the audit notes it. */
import type { EventName } from '../../domain/events.ts';
import type { Direction } from '../../domain/selection.ts';
import type { ToldResult } from '../../domain/bet-types/result.ts';

/** The commands and queries of an operator. Answers are plain data. */
export interface AdminControls {
  /** Blocks every order at once, until `resume`. */
  kill(reason: string, by: string): Kill;
  /** Closes the orders and places none until `resume`. */
  pause(reason: string, by: string): unknown;
  /** Closes the open orders once. Strategies quote again at once, unless trading is paused. */
  close(reason: string, by: string): unknown;
  resume(reason: string, by: string): unknown;
  /**
   * Sets the trading state of the account, an event or a selection. Null if the daemon knows no such
   * scope. Throws TouchlineError `ambiguous` if the name fits several, and `refused` for an end that cannot be.
   */
  setState(wish: StateWish, by: string): unknown;
  /** Whether a state would allow more trading than a person has set before. */
  loosens(wish: StateWish): boolean;
  /** The reasons why a selection is not quoted; null if it is not known. Without a name: of all selections. Throws as `setState`. */
  why(selection: string | null): unknown;
  /** Exposure, trading states, guards in force, refusals by reason. */
  risk(): unknown;
  /** Notes that a person has seen an alert; null if it is not in force. */
  see(alert: string, by: string): unknown;
  /** The matched bets of an event that its final score decides, and what each pays in one score. Null if there are none. */
  payoff(eventKey: string, home: number, away: number): unknown;
  readonly hedge: HedgeControls;
  readonly adjust: AdjustControls;
  readonly hand: HandControls;
  /** Compares the balance with results and deposits. The answer has the result, or tells why it takes longer. */
  reconcile(by: string): Promise<unknown>;
  /** The last comparison of the balance, and whether another is pending. */
  reconciliation(): unknown;
  /** Enters money that a person moved into the account, or out of it (negative). Throws TouchlineError if it cannot be kept. */
  deposit(wish: DepositWish, by: string): unknown;
  /** Settles the paper bets of an event by what a person tells. Throws TouchlineError `refused` with the reason. */
  settlePaper(wish: PaperResultWish, by: string): unknown;
}

/** The result of an event with paper bets. */
export interface PaperResultWish extends EventName {
  readonly told: ToldResult;
  /** Where it is from. */
  readonly note: string;
  /** Whether it counts although the event has not started, by the exchange. Default: no. */
  readonly beforeStart?: boolean;
}

/** Money that a person moved. */
export interface DepositWish {
  readonly amountUsdt: number;
  readonly note: string;
}

/** A kill that is in force. */
export interface Kill {
  /**
   * Replaces the reason and author of this kill, which a person gave after it. Does nothing if another kill, or none, is in
   * force.
   */
  explain(reason: string, by: string): void;
  /** The present report on the kill. */
  answer(): object;
}

export const TRADING_STATES = ['active', 'reducing', 'halted'] as const;

/** When a wish of a person ends by itself; neither: it stands until it is replaced. */
export interface Ending {
  /** So many minutes from now. */
  readonly minutes?: number;
  /** At the start of the event, as the exchange announces it now. */
  readonly untilStart?: boolean;
}

/** The requested trading state; for the whole account unless an event or a selection is named. */
export interface StateWish extends Ending {
  readonly state: (typeof TRADING_STATES)[number];
  /** A name, a unique part of one, or an id, in every sport that has the event; with `SPORT/` before it, in that sport alone. */
  readonly event?: string;
  /** A name, a unique part of one, or an id. */
  readonly selection?: string;
  readonly reason: string;
}

/** What a person wants of an event: exactly one of `leave`, `stakeFactor` and `widenTicks`. `false`, 1 and 0 end an earlier wish. */
export interface AdjustWish extends Ending {
  /** A name, a unique part of one, or an id, in every sport that has the event; with `SPORT/` before it, in that sport alone. */
  readonly event: string;
  /** Neither quotes nor closes what rests. */
  readonly leave?: boolean;
  /** Multiplies the stakes of the strategy's quotes. */
  readonly stakeFactor?: number;
  /** Quotes so many ticks further from fair. */
  readonly widenTicks?: number;
  readonly reason: string;
}

/** Adjustments of events, as the admin interface gives them. */
export interface AdjustControls {
  /**
   * Adjusts how an event is quoted. Null if the daemon knows no such event. Throws TouchlineError `ambiguous`, or `refused` for an end that cannot
   * be.
   */
  adjust(wish: AdjustWish, by: string): unknown;
  /** Whether the wish lets more be traded, or less be closed, than now. Throws as `adjust`. */
  loosens(wish: AdjustWish): boolean;
}

/** A quote that a person wants. Price and stake are those of the selection. */
export interface HandQuoteWish extends Ending {
  /** A name, a unique part of one, or an id. */
  readonly selection: string;
  readonly direction: Direction;
  /** On the ladder. */
  readonly price: number;
  readonly stakeUsdt: number;
  readonly reason: string;
}

/** Quotes of persons, as the admin interface gives them. */
export interface HandControls {
  /**
   * Quotes beside the strategy until the stake is matched. Null if the daemon knows no such selection. Throws TouchlineError `ambiguous`, or
   * `refused` with the reason.
   */
  quote(wish: HandQuoteWish, by: string): unknown;
  /** Moves a quote to another price; null for an unknown one. Throws TouchlineError `refused` with the reason. */
  move(id: string, price: number, reason: string, by: string): unknown;
  /** Withdraws a quote; null for an unknown one. */
  withdraw(id: string, reason: string, by: string): unknown;
  /** The quotes of persons. */
  quotes(): unknown;
}

/** A hedge that a person asks for: exactly one of `boundUsdt`, `equalise` and `flatten`. */
export interface HedgeQuestion {
  /** A name, a unique part of one, or an id. */
  readonly event: string;
  /** The worst case is to be no worse than this loss. */
  readonly boundUsdt?: number;
  /** The market family whose selections are to pay alike; empty: the one that is furthest from it. */
  readonly equalise?: string;
  /** The selection whose bets are to pay the same whatever its outcome. */
  readonly flatten?: string;
  /** Offers stake at the best prices instead of taking what is there. */
  readonly offer?: boolean;
}

/** Hedges, as the admin interface gives them. */
export interface HedgeControls {
  /** Returns what a hedge would do; null if the daemon knows no such event. Throws TouchlineError `ambiguous`, or `refused` with the reason. */
  preview(question: HedgeQuestion): unknown;
  /** Makes a previewed hedge, if it still can be made; null for an unknown one. Throws TouchlineError `refused` with the reason. */
  make(plan: string, reason: string, by: string): unknown;
  /** Returns what became of a hedge that was made; null for an unknown one. */
  progress(plan: string): unknown;
}
