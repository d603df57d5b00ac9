import { z } from 'zod';
import type { EventView, SelectionView } from '../domain/event-view.ts';
import { toMicros } from '../domain/money.ts';
import { priceOf, type Tick } from '../domain/odds.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { Placement } from './pricing/placement.ts';

/** The schema of a numeric parameter: its default, its inclusive bounds, and its meaning in words. */
export const numberParameter = (
  fallback: number,
  [least, most]: readonly [number, number],
  meaning: string,
) => z.number().min(least).max(most).default(fallback).describe(meaning);

/** The schema of a whole-number parameter, with the arguments of `numberParameter`. */
export const wholeParameter = (fallback: number, [least, most]: readonly [number, number], meaning: string) =>
  z.int().min(least).max(most).default(fallback).describe(meaning);

/** Parameters that every quoting strategy has. Spread them into its schema. */
export const quoteLimits = {
  stake: numberParameter(20, [0.01, 1e6], 'stake of each quote, in USDT'),
  minPrice: numberParameter(1.05, [1.01, 1000], 'quotes at lower prices are left out'),
  maxPrice: numberParameter(30, [1.01, 1000], 'quotes at higher prices are left out'),
  marginTicks: wholeParameter(1, [1, 50], 'ticks between a quote and the price at which it would take'),
};

/** The parameter for the widest market that is quoted. Spread it into a schema. */
export const widthLimit = {
  maxWidth: numberParameter(
    0.6,
    [0.001, 50],
    'markets whose sides are further apart, in log-odds, are not quoted',
  ),
};

const PLACEMENT_MEANING =
  '`model`: where the strategy puts it; `join`: with the best of the others; `improve`: a tick before them';

/** Parameters for the placement relative to other makers (`Placement`), with a strategy's own defaults. */
export const placementFrom = (placement: Placement, minEdge: number) => ({
  placement: z.enum(['model', 'join', 'improve']).default(placement).describe(PLACEMENT_MEANING),
  minEdge: numberParameter(
    minEdge,
    [0, 5],
    'least distance from fair that joining or improving leaves, in log-odds',
  ),
});

/** Placement parameters with the usual defaults. Spread them into a schema. */
export const placementLimits = placementFrom('join', 0.004);

/** The parsed `quoteLimits` that `restingIntent` applies. `stake` is in USDT, prices are decimal. */
export interface QuoteLimits {
  readonly stake: number;
  readonly minPrice: number;
  readonly maxPrice: number;
}

/** A quote before the limits are applied. */
export interface QuoteDraft {
  readonly direction: Direction;
  /** The result of `quoteTick`; null when there is no tick to quote. */
  readonly tick: Tick | null;
  readonly fairProbability: number;
  /** 0 (the default) is the level nearest to the market. */
  readonly level?: number;
  /** Stake in USDT. The default is the limits' stake. */
  readonly stake?: number;
}

/** A list of one intent, or of none when the tick is null or its price is outside the limits. */
export function restingIntent(
  { selectionId }: SelectionView,
  { direction, tick, fairProbability, level = 0, stake }: QuoteDraft,
  limits: QuoteLimits,
): QuoteIntent[] {
  if (tick === null || priceOf(tick) < limits.minPrice || priceOf(tick) > limits.maxPrice) return [];
  const stakeMicros = toMicros(stake ?? limits.stake);
  return [{ selectionId, direction, tick, stakeMicros, level, fairProbability }];
}

/** Whether the event may be in play. Status or start time is enough: the exchange can report the status late. */
export const mayBeInPlay = ({ inRunning, startsInMs }: EventView): boolean =>
  inRunning || (startsInMs !== null && startsInMs < 0);

/** A check for `refine`: `minPrice` is at most `maxPrice`. */
export const pricesInOrder = ({ minPrice, maxPrice }: QuoteLimits): boolean => minPrice <= maxPrice;

/** The fault for `refine` when `pricesInOrder` fails. */
export const PRICES_OUT_OF_ORDER = { path: ['minPrice'], error: 'is above maxPrice' };
