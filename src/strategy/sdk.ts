import type { z } from 'zod';
import type { EventView } from '../domain/event-view.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';

/**
 * A strategy. This file is the contract between Touchline and strategies, and the only file that a plugin may import.
 *
 * A strategy is a pure function from a read-only view of one event and its parameters to the complete set of quotes
 * that it wants there. A quote that is missing from the answer is closed. A strategy sends nothing itself and keeps no
 * state between calls.
 */
export interface StrategyPlugin<P = unknown> {
  /** The name in logs and in the strategy's loss limits. Not empty. */
  readonly name: string;
  /** A line for people. */
  readonly description: string;
  /** A zod schema that validates the parameters of the configuration and fills in defaults. */
  readonly parameters: z.ZodType<P>;
  /**
   * Returns all quotes wanted on the event, at most one for each selection, direction and level. Called when the event
   * changed, and about once a second. `view` is frozen. Throwing, or returning a promise, gives the event no quotes.
   */
  quote(view: EventView, parameters: P): readonly QuoteIntent[];
}

/** Returns the plugin unchanged. It lets the compiler infer the type of the parameters from the schema. */
export const definePlugin = <P>(plugin: StrategyPlugin<P>): StrategyPlugin<P> => plugin;

// The view of an event, and the answer.
export type {
  EventView,
  Holding,
  MarketSide,
  OwnQuote,
  PositionView,
  RecentFill,
  SelectionView,
} from '../domain/event-view.ts';
export type { ExchangeMode } from '../domain/orders.ts';
export type { EventId, SelectionId, Sport } from '../domain/ids.ts';
export type { QuoteIntent } from '../domain/quote-intent.ts';
export type { Direction } from '../domain/selection.ts';
export { DIRECTIONS, opposite } from '../domain/selection.ts';

// Amounts and price lists.
export type { Micros } from '../domain/money.ts';
export { MICROS_PER_UNIT, fromMicros, toMicros } from '../domain/money.ts';
export { bestLevel, levelAt, levelCount, levelsOf } from '../domain/price-list.ts';

// The price ladder, and conversions between price, probability and log-odds.
export {
  ceilTick,
  floorTick,
  isBetter,
  LAST_TICK,
  logit,
  logOddsOf,
  priceOf,
  priceOfLogOdds,
  probabilityOf,
  tickOf,
} from '../domain/odds.ts';

// Settlement in each final score.
export { LOSS, PUSH, type Settlement, type SettlementGrid, settlementGrid, WIN } from '../domain/payoff.ts';

// Models: score grids, fits, inventory, margins.
export * from './pricing/index.ts';
export * from './quoting.ts';

// Estimators on streams: volatility, rate of fills, toxicity, mark-outs.
export * from './estimators/index.ts';
export { z } from 'zod';
