import type { BudgetLevels, EventView } from '../domain/event-view.ts';
import type { EventName, Score } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { SourceBatch } from '../domain/source-price.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Moment } from '../lib/time.ts';
import type { Plan, PlanBasis } from '../orders/targets/reconcile.ts';
import type { Admission } from '../risk/index.ts';
import type { StrategyProblem } from '../strategy/host.ts';
import type { Input } from './input.ts';

/** An input that changed the state behind decisions, or that triggers a look or a decision. */
export type TurnInput = Moment &
  (
    | { readonly kind: 'signal'; readonly signal: StreamSignal }
    /** Prices of a price source. */
    | ({ readonly kind: 'source_prices' } & SourceBatch)
    /** Raised by a guard, a halt, a rule or a person. Null: all events. */
    | { readonly kind: 'wake'; readonly event: EventName | null }
    | { readonly kind: 'tick' }
    | Input
    /** Nothing is quoted from now on. */
    | { readonly kind: 'stop' }
  );

/**
 * One round of deciding: every input since the last turn, and the instant at which they are judged. Views, strategies and
 * admission read time and budgets here and nowhere else, so a recorded turn can be decided again with the same result.
 */
export interface Turn extends Moment {
  /** Counts from 1. */
  readonly seq: number;
  /** The requests left when the turn began. Its own orders do not lower them for the events that it decides later. */
  readonly budgets: BudgetLevels;
  readonly inputs: readonly TurnInput[];
}

/** The work that depends on time alone, about once a second. */
export interface Look extends Moment {
  /** The current connection's, or the last one's while the stream is down. */
  readonly epoch: number;
  /** Whether the stream is connected and its registrations were sent. */
  readonly isSynced: boolean;
  /** The registered events, the soonest first. */
  readonly events: readonly EventName[];
  /** The quoted selections of each event. */
  readonly chosen: ReadonlyMap<EventKey, readonly SelectionId[]>;
  /** Events that were quoted at the last look and are not now. */
  readonly left: readonly EventName[];
}

/** The decision of one turn for one event. */
export interface Decision {
  readonly turn: Turn;
  readonly event: EventName;
  /** The quoted selections of the event. */
  readonly selections: readonly SelectionId[];
  /** The strategy whose event it is, or that is asked for the first quote; null if the rules of no strategy match. */
  readonly owner: string | null;
  /**
   * The strategy's view, without the selections that its match rules leave out. Null if no strategy is called: this connection has
   * not described the event, no rules match, the strategy hung, or quoting has stopped.
   */
  readonly view: EventView | null;
  /** The strategy's quotes, validated. */
  readonly intents: readonly QuoteIntent[];
  /** The score of the view that decided them, which their orders assert; null unless football is in play and it is known. */
  readonly score: Score | null;
  /** Faults in the strategy's answer. */
  readonly problems: readonly StrategyProblem[];
  /** Which of these quotes may rest, and the reasons against the others. */
  readonly admission: Admission;
  /** A person leaves the event as it is: nothing is placed, renewed or closed there. */
  readonly isLeft: boolean;
  /**
   * The complete set of quotes for the event. Null while its offers have not arrived, or while it is left as it is: then the order manager
   * changes nothing.
   */
  readonly targets: readonly QuoteIntent[] | null;
  /** The orders that existed at the decision. */
  readonly basis: PlanBasis;
  /**
   * The plan for the orders: which to close, which quotes to place, and which quotes wait, with the reason. The order manager
   * plans again when it acts, and then checks budgets and the send gate. Null without targets.
   */
  readonly plan: Plan | null;
}
