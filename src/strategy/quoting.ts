import { z } from 'zod';
import type { EventView, SelectionView } from '../domain/event-view.ts';
import { type Micros, MICROS_PER_UNIT } from '../domain/money.ts';
import { priceOf, type Tick } from '../domain/ladder.ts';
import {
  isBetter as isBetterOfKind,
  lossOfContract,
  type PriceKind,
  SELECTION_KINDS,
  selectionPrice,
} from '../domain/odds.ts';
import { type QuoteIntent, stakeAt } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { Placement } from './pricing/placement.ts';

/**
 * The schema of a numeric parameter: its default, its inclusive bounds, and its meaning in words.
 *
 * @example
 * const halfSpread = numberParameter(0.03, [1e-4, 5], 'distance of each quote from fair, in log-odds');
 * halfSpread.parse(undefined); // 0.03
 */
export const numberParameter = (
  fallback: number,
  [least, most]: readonly [number, number],
  meaning: string,
) => z.number().min(least).max(most).default(fallback).describe(meaning);

/**
 * The schema of a whole-number parameter, with the arguments of `numberParameter`.
 *
 * @example
 * const levels = wholeParameter(3, [1, 10], 'quotes on each side');
 * levels.safeParse(2.5).success; // false
 */
export const wholeParameter = (fallback: number, [least, most]: readonly [number, number], meaning: string) =>
  z.int().min(least).max(most).default(fallback).describe(meaning);

/**
 * The schema of a number that may be left out: its inclusive bounds, and its meaning in words.
 *
 * @example
 * const decay = optionalParameter([1, 1e4], 'how fast fills fall with distance; measured if not given');
 * decay.parse(undefined); // undefined
 */
export const optionalParameter = ([least, most]: readonly [number, number], meaning: string) =>
  z.number().min(least).max(most).optional().describe(meaning);

/**
 * The parameter for the size of quotes, with a strategy's own default. `restingQuotes` applies it.
 *
 * @example
 * stakeParameter(5).parse(undefined); // 5
 */
export const stakeParameter = (fallback: number) =>
  numberParameter(fallback, [0.01, 1e6], 'the most that the worse side of a quote can lose, in USDT');

/**
 * Parameters that every quoting strategy has. Spread them into its schema.
 *
 * @example
 * const parameters = z.strictObject({ ...quoteLimits });
 * parameters.parse({ stake: 10 }).maxPrice; // 30
 */
export const quoteLimits = {
  stake: stakeParameter(20),
  minPrice: numberParameter(1.05, [1.01, 1000], 'quotes at lower prices are left out'),
  maxPrice: numberParameter(30, [1.01, 1000], 'quotes at higher prices are left out'),
  marginTicks: wholeParameter(1, [1, 50], 'ticks between a quote and the price at which it would take'),
};

/**
 * The parameter for the widest market that is quoted. Spread it into a schema.
 *
 * @example
 * const parameters = z.strictObject({ ...quoteLimits, ...widthLimit });
 * parameters.parse({}).maxWidth; // 0.6
 */
export const widthLimit = {
  maxWidth: numberParameter(
    0.6,
    [0.001, 50],
    'markets whose sides are further apart, in log-odds, are not quoted',
  ),
};

const PLACEMENT_MEANING =
  '`model`: where the strategy puts it; `join`: with the best of the others; `improve`: a tick before them';

/**
 * Parameters for the placement relative to other makers (`Placement`), with a strategy's own defaults.
 *
 * @example
 * const parameters = z.strictObject({ ...placementFrom('model', 0.03) });
 * parameters.parse({}).minEdge; // 0.03
 */
export const placementFrom = (placement: Placement, minEdge: number) => ({
  placement: z.enum(['model', 'join', 'improve']).default(placement).describe(PLACEMENT_MEANING),
  minEdge: numberParameter(
    minEdge,
    [0, 5],
    'least distance from fair that joining or improving leaves, in log-odds',
  ),
});

/**
 * Placement parameters with the usual defaults. Spread them into a schema.
 *
 * @example
 * const parameters = z.strictObject({ ...placementLimits });
 * parameters.parse({}).placement; // 'join'
 */
export const placementLimits = placementFrom('join', 0.004);

/**
 * The parsed `quoteLimits` that `restingQuotes` applies. `stake` is in USDT, prices are decimal.
 *
 * @example
 * const limits: QuoteLimits = { stake: 20, minPrice: 1.05, maxPrice: 30 };
 */
export interface QuoteLimits {
  readonly stake: number;
  readonly minPrice: number;
  readonly maxPrice: number;
}

/**
 * Whether price `a` of the selection is better than `b` for a bettor in this direction: higher for `for`, lower for `against`. Works
 * on ticks, too.
 *
 * @example
 * isBetter('for', 2.4, 2.38); // true
 * isBetter('against', 2.4, 2.38); // false
 */
export const isBetter = (direction: Direction, a: number, b: number): boolean =>
  isBetterOfKind(SELECTION_KINDS[direction], a, b);

/** Sizes between `stake` contracts, for a certain selection, and twice as many, at evens. Steps are about 4 %. */
const SIZE_STEPS = 18;

/**
 * The contracts (stake × price) of a quote on either side of a selection. Bought or sold near the fair probability, they
 * lose at most `stake` USDT on the side that can lose more. The result is one of 19 sizes, so a moving price seldom
 * changes it.
 *
 * @example
 * contractsFor(20, 0.5); // 40
 * contractsFor(20, 0.43); // 34.29
 */
export const contractsFor = (stake: number, fairProbability: number): number =>
  contractsLosing(stake, Math.max(fairProbability, 1 - fairProbability));

/** The most contracts of the ladder of sizes that lose at most `stake`. `loss` is that of a contract, above 0.5. */
function contractsLosing(stake: number, loss: number): number {
  const step = Math.floor(-SIZE_STEPS * Math.log2(loss));
  return stake * (SIZES[step] ?? sizeOf(step));
}

const sizeOf = (step: number): number => 2 ** (step / SIZE_STEPS);

/** Contracts per unit of stake at each step: powers are slow, and each quote needs one. */
const SIZES = Array.from({ length: SIZE_STEPS + 1 }, (_, step) => sizeOf(step));

/**
 * The quotes of a selection at one level, before the limits are applied.
 *
 * @example
 * const draft: QuoteDraft = {
 *   fairProbability: 0.43,
 *   tickOf: (direction) => (direction === 'for' ? ceilTick(2.4) : floorTick(2.26)),
 * };
 */
export type QuoteDraft = QuoteTexts &
  (
    | {
        /** The tick of each side as a price of the selection, usually by `quoteTick`. Null for no quote. */
        readonly tickOf: (direction: Direction) => Tick | null;
      }
    | {
        /**
         * The tick of each side on the ladder of its orders, usually by `quoteTick` with the same `kind`: it loses no tick to a
         * conversion. Null for no quote.
         */
        readonly tickOn: (direction: Direction, kind: PriceKind) => Tick | null;
      }
  );

/**
 * The parts of a draft besides its ticks.
 *
 * @example
 * const common: QuoteTexts = { fairProbability: 0.43, level: 1, reason: 'second level' };
 */
export interface QuoteTexts {
  readonly fairProbability: number;
  /** 0 (the default) is the level nearest to the market. */
  readonly level?: number;
  /** The most that the worse side can lose, in USDT. The default is the limits' stake. */
  readonly stake?: number;
  /** Why the strategy wants the quotes. */
  readonly reason?: string;
}

/**
 * The intents of a draft, at most one a side. Sides without a tick, and prices outside the limits, are left out.
 *
 * Both sides have the same contracts, so a fill of each offsets the other whatever their prices. With `tickOn` ticks and stakes are
 * the exchange's own, and the intents name their `priceKind` where it is not the usual one. Neither loses more than
 * the stake, not even if the strategy quotes beyond fair. Stakes are rounded down to whole cents; a stake of less than a
 * cent is left out.
 *
 * @example
 * const limits = { stake: 20, minPrice: 1.05, maxPrice: 30 };
 * const tickOf = (direction: Direction) => (direction === 'for' ? ceilTick(2.4) : floorTick(2.26));
 * const intents = restingQuotes(selection, { fairProbability: 0.43, tickOf }, limits);
 * intents.map(({ direction }) => direction); // ['for', 'against']
 * intents.map(({ stakeMicros }) => fromMicros(stakeMicros)); // [14.28, 15.17]
 */
export function restingQuotes(
  { selectionId, priceKinds }: SelectionView,
  draft: QuoteDraft,
  limits: QuoteLimits,
): QuoteIntent[] {
  const { fairProbability, level = 0, stake, reason } = draft;
  // Each decision of each quote passes here, so the sides are written out without arrays between.
  const kinds = ('tickOn' in draft ? priceKinds : undefined) ?? SELECTION_KINDS;
  const forTick = within(limits, kinds.for, tickIn(draft, 'for', kinds.for));
  const againstTick = within(limits, kinds.against, tickIn(draft, 'against', kinds.against));
  let loss = Math.max(fairProbability, 1 - fairProbability);
  if (forTick !== null) loss = Math.max(loss, lossOfContract(kinds.for, priceOf(forTick)));
  if (againstTick !== null) loss = Math.max(loss, lossOfContract(kinds.against, priceOf(againstTick)));
  const contracts = contractsLosing(stake ?? limits.stake, loss);
  const quotes: QuoteIntent[] = [];
  const add = (direction: Direction, tick: Tick | null): void => {
    const kind = kinds[direction];
    const stakeMicros = tick === null ? 0 : centsOf(contracts, kind, tick);
    if (tick === null || stakeMicros === 0) return;
    const quote = { selectionId, direction, tick, stakeMicros, level, fairProbability };
    const isUsual = priceKinds === undefined || !('tickOn' in draft) || kind === 'odds-for';
    if (isUsual && reason === undefined) quotes.push(quote);
    else
      quotes.push({
        ...quote,
        ...(isUsual ? {} : { priceKind: kind }),
        ...(reason === undefined ? {} : { reason }),
      });
  };
  add('for', forTick);
  add('against', againstTick);
  return quotes;
}

const tickIn = (draft: QuoteDraft, direction: Direction, kind: PriceKind): Tick | null =>
  'tickOn' in draft ? draft.tickOn(direction, kind) : draft.tickOf(direction);

/** The tick, or null if the price of the selection is outside the limits. */
function within({ minPrice, maxPrice }: QuoteLimits, kind: PriceKind, tick: Tick | null): Tick | null {
  if (tick === null) return null;
  const price = selectionPrice(kind, priceOf(tick));
  return price >= minPrice && price <= maxPrice ? tick : null;
}

/** The exchange counts stakes in cents. */
const CENT_MICROS: Micros = MICROS_PER_UNIT / 100;

/** The stake of so many contracts, rounded down to whole cents. */
function centsOf(contracts: number, kind: PriceKind, tick: Tick): Micros {
  const contractsMicros = Math.floor(contracts * MICROS_PER_UNIT);
  return Math.floor(stakeAt({ contractsMicros }, kind, tick) / CENT_MICROS) * CENT_MICROS;
}

/**
 * Whether the event may be in play. Status or start time is enough: the exchange can report the status late.
 *
 * @example
 * mayBeInPlay(view); // false
 */
export function mayBeInPlay(view: EventView): boolean {
  return view.inRunning || (view.hasStarted ?? (view.startsInMs !== null && view.startsInMs < 0));
}

/**
 * A check for `refine`: `minPrice` is at most `maxPrice`.
 *
 * @example
 * const parameters = z.strictObject(quoteLimits).refine(pricesInOrder, PRICES_OUT_OF_ORDER);
 * parameters.safeParse({ minPrice: 10, maxPrice: 5 }).success; // false
 */
export const pricesInOrder = ({ minPrice, maxPrice }: QuoteLimits): boolean => minPrice <= maxPrice;

/**
 * The fault for `refine` when `pricesInOrder` fails.
 *
 * @example
 * const parameters = z.strictObject(quoteLimits).refine(pricesInOrder, PRICES_OUT_OF_ORDER);
 * parameters.safeParse({ minPrice: 10, maxPrice: 5 }).error?.issues[0]?.message; // 'is above maxPrice'
 */
export const PRICES_OUT_OF_ORDER = { path: ['minPrice'], error: 'is above maxPrice' };
