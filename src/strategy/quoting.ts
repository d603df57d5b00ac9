import { z } from 'zod';
import type { EventView, SelectionView } from '../domain/event-view.ts';
import { toMicros } from '../domain/money.ts';
import { priceOf, type Tick } from '../domain/odds.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { Placement } from './pricing/placement.ts';

/** A number among the parameters: its default, its bounds (inclusive), and what it means to people. */
export const numberParameter = (
  fallback: number,
  [least, most]: readonly [number, number],
  meaning: string,
) => z.number().min(least).max(most).default(fallback).describe(meaning);

/** The same for whole numbers. */
export const wholeParameter = (fallback: number, [least, most]: readonly [number, number], meaning: string) =>
  z.int().min(least).max(most).default(fallback).describe(meaning);

/** Parameters that every quoting strategy has; spread into its schema. */
export const quoteLimits = {
  stake: numberParameter(20, [0.01, 1e6], 'stake of each quote, in USDT'),
  minPrice: numberParameter(1.05, [1.01, 1000], 'quotes at lower prices are left out'),
  maxPrice: numberParameter(30, [1.01, 1000], 'quotes at higher prices are left out'),
  marginTicks: wholeParameter(1, [1, 50], 'ticks between a quote and the price at which it would take'),
};

/** The widest market that is quoted. */
export const widthLimit = {
  maxWidth: numberParameter(
    0.6,
    [0.001, 50],
    'markets whose sides are further apart, in log-odds, are not quoted',
  ),
};

const PLACEMENT_MEANING =
  '`model`: where the strategy puts it; `join`: with the best of the others; `improve`: a tick before them';

/** Where a quote stands to those of other makers, with a strategy's own defaults. */
export const placementFrom = (placement: Placement, minEdge: number) => ({
  placement: z.enum(['model', 'join', 'improve']).default(placement).describe(PLACEMENT_MEANING),
  minEdge: numberParameter(
    minEdge,
    [0, 5],
    'least distance from fair that joining or improving leaves, in log-odds',
  ),
});

export const placementLimits = placementFrom('join', 0.004);

export interface QuoteLimits {
  readonly stake: number;
  readonly minPrice: number;
  readonly maxPrice: number;
}

export interface QuoteDraft {
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
  { direction, tick, fairProbability, level = 0, stake }: QuoteDraft,
  limits: QuoteLimits,
): QuoteIntent[] {
  if (tick === null || priceOf(tick) < limits.minPrice || priceOf(tick) > limits.maxPrice) return [];
  const stakeMicros = toMicros(stake ?? limits.stake);
  return [{ selectionId, direction, tick, stakeMicros, level, fairProbability }];
}

/** The exchange can call an event not started for a while after its start: either sign is enough. */
export const mayBeInPlay = ({ inRunning, startsInMs }: EventView): boolean =>
  inRunning || (startsInMs !== null && startsInMs < 0);

/** For `refine`: the bounds of the prices are the right way round. */
export const pricesInOrder = ({ minPrice, maxPrice }: QuoteLimits): boolean => minPrice <= maxPrice;

export const PRICES_OUT_OF_ORDER = { path: ['minPrice'], error: 'is above maxPrice' };
