/**
 * The contract between Touchline and its plugins, and the only module that a strategy or a price source imports. It also passes on
 * `z` of the package zod, for parameters, and the whole package RxJS as `rxjs`.
 *
 * @module
 */
export {
  CONTRACT,
  type Definition,
  defineStrategy,
  type OwnFill,
  type OwnOrder,
  type PureStrategy,
  type Strategy,
  type StrategyContext,
  type StrategyHead,
  type StreamStrategy,
  type Wanted,
} from './contract.ts';
export {
  definePriceSource,
  type HttpQuery,
  type PriceSource,
  type PriceSourceContext,
  type SocketOptions,
  type SourceInputs,
  type SourcePrice,
} from './price-source.ts';
export { pricesInRows, rowOptions, type RowOptions } from './source-rows.ts';
export { type TimeOperators, timeOperators } from './time.ts';
export * as rxjs from 'rxjs';

// The view of an event, and the answer.
export type {
  BudgetLevels,
  EventProfit,
  EventView,
  Holding,
  MarketSide,
  OwnQuote,
  PositionView,
  QuotePhase,
  RecentFill,
  SelectionView,
  SourcePriceView,
  Suspension,
} from '../domain/event-view.ts';
export { EXCHANGE_MODES, type ExchangeMode, type MatchingTerms } from '../domain/orders.ts';
export type { EventTime } from '../domain/stream.ts';
export type { EventName, Score } from '../domain/events.ts';
export type { Brand, EventId, SelectionId, Sport } from '../domain/ids.ts';
export type { OrderState } from '../domain/lifecycle.ts';
export type { Random } from '../lib/random.ts';
export { type MidHistory, midPoints, type MidPoint } from '../domain/mid-history.ts';
export type { HedgeGoal, HedgeIntent, HedgeWay } from '../domain/hedge-intent.ts';
export { type QuoteIntent, type QuoteSize, type SizedIntent, stakeOf } from '../domain/quote-intent.ts';
export type { Direction } from '../domain/selection.ts';
export { DIRECTIONS, opposite } from '../domain/selection.ts';

// Amounts and price lists.
export type { Micros } from '../domain/money.ts';
export { MICROS_PER_UNIT, fromMicros, toMicros } from '../domain/money.ts';
export {
  bestLevel,
  levelAt,
  levelCount,
  levelsOf,
  type PriceLevel,
  type PriceList,
} from '../domain/price-list.ts';

// The price ladder, and conversions between price, probability and log-odds.
export { ceilTick, floorTick, LAST_TICK, priceOf, type Tick, tickOf } from '../domain/ladder.ts';
export {
  logit,
  logOddsOf,
  type PriceKind,
  priceOfLogOdds,
  probabilityOf,
  selectionPrice,
  tickAtLogOdds,
} from '../domain/odds.ts';

// Settlement in each final score.
export { LOSS, PUSH, type Settlement, type SettlementGrid, settlementGrid, WIN } from '../domain/payoff.ts';

// Models: score grids, fits, inventory, margins.
export * from './pricing/index.ts';
export * from './quoting.ts';

// Estimators on streams: volatility, rate of fills, toxicity, mark-outs.
export * from './estimators/index.ts';
export { z } from 'zod';
