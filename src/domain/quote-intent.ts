import type { SelectionId } from './ids.ts';
import type { Micros } from './money.ts';
import { priceOf, type Tick } from './ladder.ts';
import { type PriceKind, SELECTION_KINDS, stakeOfLiability } from './odds.ts';
import type { ExchangeMode, MatchingTerms, TakeTerms } from './orders.ts';
import type { Direction } from './selection.ts';

/**
 * An order that a strategy wants. A quote is to rest: at most one per selection, direction and level. An intent with `take` is to
 * take: one order, once.
 *
 * @example
 * const intent: QuoteIntent = {
 *   selectionId: selection.selectionId,
 *   direction: 'for',
 *   tick: ceilTick(2.4) ?? LAST_TICK,
 *   stakeMicros: toMicros(20),
 *   level: 0,
 *   fairProbability: 0.43,
 *   reason: 'above fair',
 * };
 */
export interface QuoteIntent extends MatchingTerms {
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  /** A tick of the price of the selection; with `priceKind` a tick of that kind. */
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /**
   * What the tick and the stake are, if they are the exchange's own terms (`priceKinds` of the view). Default: the price of the
   * selection, a lay price for `against`, and the stake at it. The host then takes the exchange's first tick away from fair.
   */
  readonly priceKind?: PriceKind;
  /** 0 is the level nearest to the market. A take has none; write 0. */
  readonly level: number;
  /**
   * How the exchange matches it. Default `make_and_take`: the order is meant to rest. `dark` hides its stake, so that no taker is drawn
   * by it. `take_only` is the mode of takes.
   */
  readonly mode?: ExchangeMode;
  /**
   * Makes it a take, with this id: the order takes what is offered up to its price, and never rests. At most one order has the id, ever,
   * over restarts and whatever became of it; the next one needs another id. What it does not get at once it may get until it lapses.
   */
  readonly take?: string;
  /** The hedge whose bet it is. The daemon names it: a strategy asks for a hedge as a whole, by a `HedgeIntent`. */
  readonly hedge?: string;
  /** The quote of a person. The daemon names it: a strategy has none. */
  readonly byHand?: string;
  /**
   * The value of the quote to the strategy, in micros per second. Budgets choose by it. Default: the value at its fair
   * probability, else 0.
   */
  readonly valueMicrosPerS?: number;
  /** The strategy's own fair probability. The default of the quote's value follows from it. */
  readonly fairProbability?: number;
  /**
   * How long each order for this quote should live on the exchange, in whole seconds. Default: `orders.durationS`. While the
   * quote is wanted, its order is renewed before it lapses. Orders that exist already keep their life.
   */
  readonly lifetimeS?: number;
  /** Why the strategy wants this quote, in a few words, for `touchline why`. */
  readonly reason?: string;
}

/**
 * A size in one of three measures. Stake `s` at price `p`: a `for` bet wins s(p-1) or loses s, an `against` bet wins s or loses
 * s(p-1) (published facts, Prices).
 *
 * @example
 * const size: QuoteSize = { liabilityMicros: toMicros(20) };
 */
export type QuoteSize =
  /** The stake of the bet. */
  | { readonly stakeMicros: Micros }
  /** The most that the bet can lose: the stake of a `for` bet, stake × (price - 1) of an `against` bet. */
  | { readonly liabilityMicros: Micros }
  /** Stake × price: the bet gains or loses this much more if the selection wins than if it loses. */
  | { readonly contractsMicros: Micros };

/**
 * An intent whose size is not its stake.
 *
 * @example
 * const intent: SizedIntent = {
 *   selectionId: selection.selectionId,
 *   direction: 'against',
 *   tick: 110,
 *   level: 0,
 *   size: { contractsMicros: toMicros(46) },
 * };
 */
export interface SizedIntent extends Omit<QuoteIntent, 'stakeMicros'> {
  readonly size: QuoteSize;
}

/**
 * The stake of a size at a tick, rounded down to whole micros: the bet never exceeds its size.
 *
 * @example
 * const tick = 149; // the price 3
 * stakeOf({ contractsMicros: toMicros(60) }, 'for', tick); // 20000000
 * stakeOf({ liabilityMicros: toMicros(20) }, 'against', tick); // 10000000
 */
export const stakeOf = (size: QuoteSize, direction: Direction, tick: Tick): Micros =>
  stakeAt(size, SELECTION_KINDS[direction], tick);

/** The stake of a size at a tick of any kind, rounded down to whole micros. */
export function stakeAt(size: QuoteSize, kind: PriceKind, tick: Tick): Micros {
  if ('stakeMicros' in size) return size.stakeMicros;
  if ('liabilityMicros' in size) return stakeOfLiability(kind, size.liabilityMicros, priceOf(tick));
  // In hundredths the price is a whole number, so that whole results have no rounding error.
  return Math.floor((size.contractsMicros * 100) / Math.round(priceOf(tick) * 100));
}

/** What the tick and the stake of an intent are. */
export const kindOfIntent = ({
  direction,
  priceKind,
}: Pick<QuoteIntent, 'direction' | 'priceKind'>): PriceKind => priceKind ?? SELECTION_KINDS[direction];

/** The take of an intent's order; none for a quote. Whether it reduces risk is judged before its approval. */
export const takeOf = ({
  take,
  hedge,
  byHand,
  fairProbability,
}: Pick<QuoteIntent, 'take' | 'hedge' | 'byHand' | 'fairProbability'>): { readonly take?: TakeTerms } =>
  take === undefined
    ? {}
    : {
        take: {
          id: take,
          fairProbability: fairProbability ?? null,
          reduces: false,
          ...(hedge !== undefined && { hedge }),
          ...(byHand !== undefined && { byHand }),
        },
      };

/** Life of a take that names none, seconds: the exchange's own default. */
const TAKE_LIFE_S = 15;

/** Seconds that an order for the intent is to live, where a quote's order lives `durationS`. */
export const lifetimeOf = (
  { lifetimeS, take }: Pick<QuoteIntent, 'lifetimeS' | 'take'>,
  durationS: number,
): number => lifetimeS ?? (take === undefined ? durationS : Math.min(TAKE_LIFE_S, durationS));

/** The key that matches an intent with its order. That of a take names the take. */
export type IntentKey = `${string}#${Direction}#${number}` | `${string}#${Direction}#take ${string}`;

export function intentKey(
  intent: Pick<QuoteIntent, 'selectionId' | 'direction' | 'level' | 'take'>,
): IntentKey {
  const { selectionId, direction, level, take } = intent;
  return take === undefined
    ? `${selectionId}#${direction}#${level}`
    : `${selectionId}#${direction}#take ${take}`;
}
