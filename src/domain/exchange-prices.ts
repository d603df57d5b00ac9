import {
  directionOfKind,
  isComplement,
  isLay,
  kindsOf,
  PRICE_CONVENTIONS,
  PRICE_KINDS,
  type PriceConvention,
  type PriceKind,
  SELECTION_KINDS,
} from './odds.ts';
import type { BetslipRequest, OrderTerms } from './orders.ts';
import { type Direction, DIRECTIONS, opposite, splitBetType } from './selection.ts';

/**
 * How an order against a selection goes out: on the `against` bet type, as a `lay` betslip on the `for` bet type, or as whichever of
 * the two has the finer ticks at the price of the selection.
 */
export type SecondSide = (typeof SECOND_SIDES)[number];

export const SECOND_SIDES = ['against', 'lay', 'finer'] as const;

/** What the exchange's prices are, and how orders against a selection go out. */
export interface ExchangePrices {
  readonly convention: PriceConvention;
  /** Under the convention `lay` the `against` bet type already has lay prices, so this makes no difference. */
  readonly secondSide: SecondSide;
}

/** Every price is the price of the selection: recorded markets, and exchanges of the convention `lay`. */
export const LAY_PRICES: ExchangePrices = { convention: 'lay', secondSide: 'against' };

/** What the prices of public offers are in each direction. */
export const offerKinds = ({ convention }: ExchangePrices): Readonly<Record<Direction, PriceKind>> =>
  kindsOf(convention);

/** From this price of the selection on, and down to `LAY_UNTIL` once chosen, the lay ladder has the finer ticks. */
const LAY_FROM = 2.1;
const LAY_UNTIL = 1.9;

/**
 * What the prices of our orders against a selection are, at a price of the selection (null if not known). `before` is the last
 * choice for the selection: near evens it stays, because a change costs a betslip.
 */
export function secondKind(
  { convention, secondSide }: ExchangePrices,
  price: number | null,
  before: PriceKind | null,
): PriceKind {
  if (convention === 'lay' || secondSide === 'lay') return 'lay-for';
  if (secondSide === 'against') return 'odds-against';
  if (price === null) return before ?? 'odds-against';
  return price >= (before === 'lay-for' ? LAY_UNTIL : LAY_FROM) ? 'lay-for' : 'odds-against';
}

/** The bet type and the betslip of our orders of a kind. */
export interface OrderMarket {
  /** The direction in the bet type. */
  readonly betTypeDirection: Direction;
  readonly betslipType: 'normal' | 'lay';
}

/** Where an order of a kind is placed. Under the convention `lay`, the `against` bet type has lay prices by itself. */
export function orderMarket(kind: PriceKind, { convention }: ExchangePrices): OrderMarket {
  const direction = isComplement(kind) ? 'against' : 'for';
  if (kind === 'lay-for' && convention === 'lay')
    return { betTypeDirection: 'against', betslipType: 'normal' };
  return { betTypeDirection: direction, betslipType: kind.startsWith('lay') ? 'lay' : 'normal' };
}

/**
 * What an order of a kind is called on the exchange: `for`, `against`, or `lay` for a lay betslip on a `for` bet type. Null where
 * that is its direction, at the price of the selection: nothing more is to be said.
 */
export function nameOnExchange(kind: PriceKind, prices: ExchangePrices): string | null {
  const { betTypeDirection, betslipType } = orderMarket(kind, prices);
  if (betslipType === 'lay') return betTypeDirection === 'for' ? 'lay' : 'lay against';
  return isComplement(kind) ? betTypeDirection : null;
}

/**
 * The betslip of an order, by its bet type and what its price is: `lay` if it takes the other side of its bet type. This holds under
 * both conventions, so it may be asked of orders of the past, too.
 */
export const betslipTypeOf = (betType: string, kind: PriceKind): OrderMarket['betslipType'] =>
  isLay(kind) && splitBetType(betType)?.direction !== directionOfKind(kind) ? 'lay' : 'normal';

/** Whether an order on a bet type can have such a price under either convention. */
export const mayHave = (betType: string, kind: PriceKind): boolean =>
  PRICE_CONVENTIONS.some((convention) => {
    const terms = reportedTerms(betType, betslipTypeOf(betType, kind), { convention, secondSide: 'against' });
    return terms?.priceKind === kind;
  });

/** The market of an order, by its terms. */
export const marketOfOrder = ({
  sport,
  eventId,
  betType,
  priceKind,
}: Pick<OrderTerms, 'sport' | 'eventId' | 'betType' | 'priceKind'>): BetslipRequest => ({
  sport,
  eventId,
  betType,
  ...(betslipTypeOf(betType, priceKind) === 'lay' ? { betslipType: 'lay' } : {}),
});

/** The side that a bet takes, and what its price is. */
export interface BetTerms {
  readonly direction: Direction;
  readonly priceKind: PriceKind;
}

/**
 * The terms of a bet that the exchange reports, by its bet type and the `order_type` of its order. Null for a bet type of unknown
 * direction. A lay bet takes the other side of its bet type at a lay price (published facts, Prices); under the convention `lay`,
 * a lay order on an `against` bet type is the same as a normal one.
 */
export function reportedTerms(
  betType: string,
  orderType: string,
  { convention }: ExchangePrices,
): BetTerms | null {
  const parts = splitBetType(betType);
  if (parts === null) return null;
  const { direction } = parts;
  if (orderType !== 'lay') return { direction, priceKind: kindsOf(convention)[direction] };
  if (convention === 'lay' && direction === 'against')
    return { direction, priceKind: SELECTION_KINDS.against };
  return { direction: opposite(direction), priceKind: direction === 'for' ? 'lay-for' : 'lay-against' };
}

/**
 * Every terms that a reported bet may have. `orderType` is null while its order is not known. A `lay` order on an `against` bet type
 * takes the other side of it or is priced as a lay of the selection: sources disagree (published facts, Prices). A bet type of
 * unknown direction may have either; a parlay is only ever bought.
 */
export function possibleTerms(
  betType: string,
  orderType: string | null,
  prices: ExchangePrices,
): readonly BetTerms[] {
  const normal = reportedTerms(betType, 'normal', prices);
  if (normal === null) {
    if (orderType === 'parlay') return [termsOf('odds-for')];
    return prices.convention === 'lay' ? OF_SELECTION : EVERY_TERMS;
  }
  if (prices.convention === 'lay')
    return [orderType === null ? normal : (reportedTerms(betType, orderType, prices) ?? normal)];
  const lay =
    normal.direction === 'for' ? [termsOf('lay-for')] : [termsOf('lay-against'), termsOf('lay-for')];
  if (orderType === null) return [normal, ...lay];
  return orderType === 'lay' ? lay : [normal];
}

const termsOf = (priceKind: PriceKind): BetTerms => ({ direction: directionOfKind(priceKind), priceKind });

const OF_SELECTION: readonly BetTerms[] = DIRECTIONS.map((direction) => termsOf(SELECTION_KINDS[direction]));

const EVERY_TERMS: readonly BetTerms[] = PRICE_KINDS.map(termsOf);

/** Names a market. A `lay` betslip has other prices than a normal one on the same bet type. */
export const marketKey = ({ eventId, sport, betType, betslipType }: BetslipRequest): string =>
  `${eventId}|${sport}|${betType}${betslipType === 'lay' ? '|lay' : ''}`;
