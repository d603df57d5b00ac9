import type { z } from 'zod';
import type { EventView } from '../domain/event-view.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';

/**
 * The contract between Touchline and a strategy: the whole of what a plugin may import. A strategy is a pure function
 * from a read-only view of one event, and its parameters, to the complete set of quotes it would like to have there.
 * What it leaves out is closed. It sends nothing itself, and may remember nothing between calls.
 */
export interface StrategyPlugin<P = unknown> {
  readonly name: string;
  readonly description: string;
  /** Validates and completes the parameters of the configuration. */
  readonly parameters: z.ZodType<P>;
  quote(view: EventView, parameters: P): readonly QuoteIntent[];
}

/** Identity that lets the compiler infer the parameters' type. */
export const definePlugin = <P>(plugin: StrategyPlugin<P>): StrategyPlugin<P> => plugin;

export type {
  EventView,
  Holding,
  MarketSide,
  OwnQuote,
  PositionView,
  RecentFill,
  SelectionView,
} from '../domain/event-view.ts';
export type { ExchangeMode } from '../domain/exchange-mode.ts';
export type { EventId, SelectionId, Sport } from '../domain/ids.ts';
export type { QuoteIntent } from '../domain/quote-intent.ts';
export type { Direction } from '../domain/selection.ts';
export { DIRECTIONS, opposite } from '../domain/selection.ts';
export type { Micros } from '../domain/money.ts';
export { MICROS_PER_UNIT, fromMicros, toMicros } from '../domain/money.ts';
export { bestLevel, levelAt, levelCount, levelsOf } from '../domain/price-list.ts';
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
export { LOSS, PUSH, type Settlement, type SettlementGrid, settlementGrid, WIN } from '../domain/payoff.ts';
export * from './pricing/index.ts';
export * from './quoting.ts';
export { z } from 'zod';
