import type { EventView } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { OrderState } from '../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Moment } from '../lib/time.ts';
import type { Plan, PlanBasis } from '../orders/targets/reconcile.ts';
import type { Admission } from '../risk/index.ts';
import type { StrategyProblem } from '../strategy/host.ts';
import type { DeciderCall } from './calls.ts';

/** A change of an order of ours. */
export interface OrderChange {
  readonly order: LiveOrder;
  /** The state before; null for an order that this run did not know. */
  readonly before: OrderState | null;
}

/** What changed what the engine decides by, or made it look. */
export type TurnInput = Moment &
  (
    | { readonly kind: 'signal'; readonly signal: StreamSignal }
    | { readonly kind: 'own_order'; readonly change: OrderChange }
    | { readonly kind: 'fill'; readonly fill: Fill }
    /** A guard, a halt, a rule or a person; null: all events. */
    | { readonly kind: 'wake'; readonly event: EventName | null }
    | { readonly kind: 'tick' }
    /** A call from outside on what decides; told only where turns are recorded. */
    | ({ readonly kind: 'call' } & DeciderCall)
    /** From now on nothing is quoted. */
    | { readonly kind: 'stop' }
  );

/**
 * One round of deciding: all that came since the last turn, and the instant at which it is judged. Views, strategies and
 * admission read the time here and nowhere else, so that a turn that is decided again is decided alike.
 */
export interface Turn extends Moment {
  /** Counts from 1. */
  readonly seq: number;
  readonly inputs: readonly TurnInput[];
}

/** A look at what time alone changes, about once a second. */
export interface Look extends Moment {
  /** Of the connection that is up, or was last. */
  readonly epoch: number;
  /** Whether the stream is connected and its registrations were sent. */
  readonly isSynced: boolean;
  /** The registered events, the soonest first. */
  readonly events: readonly EventName[];
  /** What is quoted of each. */
  readonly chosen: ReadonlyMap<EventKey, readonly SelectionId[]>;
  /** Events that are not quoted any more since the last look. */
  readonly left: readonly EventName[];
}

/** What one turn decided for one event. */
export interface Decision {
  readonly turn: Turn;
  readonly event: EventName;
  /** What is quoted of the event. */
  readonly selections: readonly SelectionId[];
  /** The strategy that the event belongs to. */
  readonly owner: string;
  /** What the strategy was shown; null where the event is not known on this connection, or nothing is quoted any more. */
  readonly view: EventView | null;
  /** What the strategy wants, checked. */
  readonly intents: readonly QuoteIntent[];
  /** What was wrong with the strategy's answer. */
  readonly problems: readonly StrategyProblem[];
  /** What may rest of it, and why not the rest. */
  readonly admission: Admission;
  /** All that the order manager is to have on the event; null while its offers have not arrived, and nothing can be said yet. */
  readonly targets: readonly QuoteIntent[] | null;
  /** The orders that were there. */
  readonly basis: PlanBasis;
  /**
   * What that means for the orders: those to close, the quotes to place, and those that wait, with the reason. The order manager
   * plans again when it acts, and asks budgets and the gate. Null without targets.
   */
  readonly plan: Plan | null;
}
