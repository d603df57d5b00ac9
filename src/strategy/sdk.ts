import type { z } from 'zod';
import type { EventId, SelectionId, Sport } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { Score } from '../domain/events.ts';

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

/** One event as a strategy sees it. Frozen for the length of the call. */
export interface EventView {
  readonly eventId: EventId;
  readonly sport: Sport;
  readonly nowMs: number;
  /** Milliseconds until the start; negative afterwards; null when not known. */
  readonly startsInMs: number | null;
  readonly inRunning: boolean;
  readonly score: Score | null;
  readonly selections: readonly SelectionView[];
}

/** One selection of the event that the rules of the configuration chose to quote. */
export interface SelectionView {
  readonly selectionId: SelectionId;
  readonly marketType: string;
  /** The opaque rest of the bet type, to tell selections apart in logs and parameters. */
  readonly outcome: string;
  /**
   * What takers can get in each direction, without our own orders (own stake at a level subtracted). The private quote
   * where a fresh one exists, else the public offer. Null when there is neither or it is stale.
   */
  readonly market: Readonly<Record<Direction, MarketSide | null>>;
  /** Our matched position here. */
  readonly position: PositionView;
  /** Our open quotes here. */
  readonly quotes: readonly OwnQuote[];
}

export interface MarketSide {
  readonly priceList: PriceList;
  readonly source: 'quote' | 'offer';
  readonly ageMs: number;
}

export interface PositionView {
  /** Profit if the selection wins, and if it loses, of matched bets. */
  readonly ifWinMicros: Micros;
  readonly ifLoseMicros: Micros;
}

export interface OwnQuote {
  readonly direction: Direction;
  readonly tick: number;
  readonly unfilledMicros: Micros;
}

export type { EventId, SelectionId, Sport } from '../domain/ids.ts';
export type { QuoteIntent } from '../domain/quote-intent.ts';
export type { Direction } from '../domain/selection.ts';
export { opposite } from '../domain/selection.ts';
export { MICROS_PER_UNIT, fromMicros, toMicros } from '../domain/money.ts';
export { bestLevel, levelAt, levelCount, levelsOf } from '../domain/price-list.ts';
export {
  ceilTick,
  floorTick,
  isBetter,
  LAST_TICK,
  logOddsOf,
  priceOf,
  priceOfLogOdds,
  probabilityOf,
  tickOf,
} from '../domain/odds.ts';
export { z } from 'zod';
