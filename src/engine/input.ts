import type { AccountEvent } from '../account/changes.ts';
import type { ApprovalResult, Approved, Refusal } from '../domain/approval.ts';
import type { EventName } from '../domain/events.ts';
import type { ExchangePrices } from '../domain/exchange-prices.ts';
import type { BetslipId, BetType, SelectionId, Sport } from '../domain/ids.ts';
import type { Tick } from '../domain/ladder.ts';
import type { Micros } from '../domain/money.ts';
import type { PlaceOrder, Position } from '../domain/orders.ts';
import type {
  Disagreement,
  KillRecord,
  LimitsOfStrategies,
  OrderOutcome,
  PlayReport,
  ResultOf,
  RiskLimits,
  RiskSnapshot,
  Scope,
  TradingState,
} from '../risk/index.ts';
import type { SavedSession } from '../strategy/session.ts';
import type { Adjustment, AdjustmentRecord } from './by-hand/adjustments.ts';
import type { HandQuote } from './by-hand/hand-quotes.ts';
import type { HedgeOrder } from './hedging/terms.ts';
import type { MatchRules } from './strategy-match.ts';

/**
 * Everything that enters the core beside the exchange's stream and the price sources, which the pipeline joins. Plain data: a
 * recorded run is decided again from its inputs.
 */
export type Input =
  | { readonly kind: 'account'; readonly event: AccountEvent }
  | Command
  | Restored
  | Learned
  | Sighted
  | Asked
  /** A strategy's timer is due. */
  | { readonly kind: 'timer'; readonly timer: number }
  /** Profit and loss so far, marked to the market and counted from any fixed point. */
  | { readonly kind: 'profit'; readonly of: ResultOf; readonly totalMicros: Micros }
  /** About a second has passed: risk ends what has expired. */
  | { readonly kind: 'second' };

/** A person, or a part of the daemon that watches, changes what may be traded. */
export type Command =
  | { readonly kind: 'limits'; readonly limits: RiskLimits; readonly ofStrategies: LimitsOfStrategies }
  /** The least stake of an order: hedges plan no smaller bet. */
  | { readonly kind: 'least_stake'; readonly stakeMicros: Micros }
  | ({
      readonly kind: 'state';
      readonly scope: Scope;
      readonly state: TradingState;
      /** Wall-clock milliseconds at which it ends by itself. Absent: it stands until it is set again. */
      readonly untilMs?: number;
    } & Author)
  | ({ readonly kind: 'pause' } & Author)
  | ({ readonly kind: 'latch_strategy'; readonly strategy: string } & Author)
  | ({ readonly kind: 'kill' } & Author)
  /** A later reason for a kill. Does nothing if `killed` is not in force. */
  | ({ readonly kind: 'explain_kill'; readonly killed: KillRecord } & Author)
  | ({ readonly kind: 'resume' } & Author)
  | { readonly kind: 'parameters'; readonly strategy: string; readonly parameters: unknown }
  /** Replaces what persons want of an event in this respect. */
  | ({
      readonly kind: 'adjust';
      readonly event: EventName;
      readonly adjustment: Adjustment;
      /** Wall-clock milliseconds at which it ends by itself; null: it stands until it is replaced. */
      readonly untilMs: number | null;
    } & Author)
  /** A person quotes on an event, moves that quote, or withdraws it. */
  | ({
      readonly kind: 'hand_quote';
      readonly quote: Omit<HandQuote, 'by' | 'why' | 'atMs' | 'generation'>;
    } & Author)
  | ({ readonly kind: 'move_hand_quote'; readonly id: string; readonly tick: Tick } & Author)
  | ({ readonly kind: 'withdraw_hand_quote'; readonly id: string } & Author)
  | ({ readonly kind: 'hedge'; readonly order: HedgeOrder } & Author)
  | { readonly kind: 'rules'; readonly strategy: string; readonly rules: MatchRules };

/** Who commands, and why. */
interface Author {
  readonly by: string;
  readonly why: string;
}

/** What an earlier run left. */
type Restored =
  | { readonly kind: 'restored_risk'; readonly snapshot: RiskSnapshot }
  | {
      readonly kind: 'restored_by_hand';
      readonly adjustments: readonly AdjustmentRecord[];
      readonly quotes: readonly HandQuote[];
    }
  | { readonly kind: 'restored_sessions'; readonly sessions: readonly SavedSession[] };

/** What the daemon learns of the exchange. */
type Learned =
  | { readonly kind: 'prices'; readonly prices: ExchangePrices }
  /** Whether a betslip of ours is open as a `lay` one. */
  | { readonly kind: 'lay_betslip'; readonly betslip: BetslipId; readonly isOpen: boolean }
  /** The answer to the lookup of a bet type; null: the exchange has none, for good. */
  | { readonly kind: 'grid'; readonly sport: Sport; readonly betType: BetType; readonly grid: Grid | null }
  /** The exchange's own position of an event. */
  | { readonly kind: 'position'; readonly position: Position }
  /** Nothing on the event can lose anything more. */
  | { readonly kind: 'event_over'; readonly event: EventName };

type Grid = readonly (readonly string[])[];

/** The core learns which selections are quoted, and when guards are to judge them. */
type Sighted =
  /** The selections of an event that are quoted from now on. */
  | { readonly kind: 'quoted'; readonly event: EventName; readonly selections: readonly SelectionId[] }
  /** Whether an event is in play, and its score. */
  | { readonly kind: 'play'; readonly report: PlayReport }
  /** Guards and ledger see the event, and what is quoted of it, as the market has them now. */
  | { readonly kind: 'seen'; readonly event: EventName }
  | { readonly kind: 'feed_cleared' }
  | { readonly kind: 'clock_offset'; readonly offsetMs: number }
  | { readonly kind: 'loop_lag'; readonly lagMs: number }
  | { readonly kind: 'order_outcome'; readonly outcome: OrderOutcome };

/** What the order manager asks of risk. An approval counts as an open order from here on. */
type Asked =
  | { readonly kind: 'approve'; readonly order: PlaceOrder }
  | { readonly kind: 'precheck'; readonly order: PlaceOrder }
  | { readonly kind: 'recheck'; readonly order: Approved<PlaceOrder> };

/** The answers of those inputs that have one. */
interface Answers {
  readonly approve: ApprovalResult;
  readonly precheck: readonly Refusal[];
  readonly recheck: readonly Refusal[];
  readonly position: Disagreement | null;
}

export type InputOf<K extends Input['kind']> = Extract<Input, { readonly kind: K }>;

export type AnswerTo<K extends Input['kind']> = K extends keyof Answers ? Answers[K] : void;

/** Takes an input, and answers it at once. */
export interface Inputs {
  apply<I extends Input>(input: I): AnswerTo<I['kind']>;
}
