import type { SelectionView } from '../domain/event-view.ts';
import { toMicros } from '../domain/money.ts';
import { priceOf, type Tick } from '../domain/odds.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import { z } from 'zod';

/** Parameters that every quoting strategy has; spread into its schema. */
export const quoteLimits = {
  /** Stake of each quote, in USDT. */
  stake: z.number().positive().max(1e6).default(20),
  /** Quotes outside these prices are left out. */
  minPrice: z.number().min(1.01).max(1000).default(1.05),
  maxPrice: z.number().min(1.01).max(1000).default(30),
  /** Ticks between a quote and the price at which it would take. */
  marginTicks: z.int().min(1).max(50).default(1),
};

/** Parameters of where a quote stands to those of other makers. */
export const placementLimits = {
  /** `model`, `join` (the best of the others) or `improve` (one tick in front of them). */
  placement: z.enum(['model', 'join', 'improve']).default('join'),
  /** The least distance from fair that joining or improving leaves, in log-odds. */
  minEdge: z.number().min(0).default(0.004),
};

export interface QuoteLimits {
  readonly stake: number;
  readonly minPrice: number;
  readonly maxPrice: number;
}

export interface WantedQuote {
  readonly direction: Direction;
  /** Null where the ladder, the margin or a bound leaves none. */
  readonly tick: Tick | null;
  readonly fairProbability: number;
  /** Default 0. */
  readonly level?: number;
  /** In USDT; default the limits' stake. */
  readonly stake?: number;
}

/** The intent, or none where the tick is missing or its price outside the limits. */
export function restingIntent(
  { selectionId }: SelectionView,
  { direction, tick, fairProbability, level = 0, stake }: WantedQuote,
  limits: QuoteLimits,
): QuoteIntent[] {
  if (tick === null || priceOf(tick) < limits.minPrice || priceOf(tick) > limits.maxPrice) return [];
  const stakeMicros = toMicros(stake ?? limits.stake);
  return [{ selectionId, direction, tick, stakeMicros, level, fairProbability }];
}

/** For `refine`: the bounds of the prices are the right way round. */
export const pricesInOrder = ({ minPrice, maxPrice }: QuoteLimits): boolean => minPrice <= maxPrice;

export const PRICES_OUT_OF_ORDER = { path: ['minPrice'], error: 'is above maxPrice' };
