import type { Score } from '../domain/events.ts';
import { type BetTerms, type ExchangePrices, reportedTerms } from '../domain/exchange-prices.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { isParlay, isUnmatched, type VenueBet } from '../domain/orders.ts';
import { selectionIdOf } from '../domain/selection.ts';

/** A bet with matched stake, and the facts needed to book it. */
export interface MatchedBet {
  readonly bet: VenueBet;
  readonly price: number;
  readonly stakeMicros: Micros;
}

/**
 * Returns the matched part of a bet, or null when it has none yet. `success` is the only documented code. An
 * unknown code counts as matched if the exchange reports a stake and a price for it.
 */
export function matchedBet(bet: VenueBet): MatchedBet | null {
  const stakeMicros = bet.gotStakeMicros ?? 0;
  const price = bet.gotPrice ?? 0;
  if (!(stakeMicros > 0) || !(price > 1)) return null;
  if (isUnmatched(bet)) return null;
  return { bet, price, stakeMicros };
}

/**
 * Returns the fill of a matched bet of our order. It counts on the event that its order was placed on, whatever event the exchange
 * shows now. `score`: that of the event as far as it is known now.
 */
export function ownFill(
  { bet, price, stakeMicros }: MatchedBet,
  order: FilledOrder,
  atMs: number,
  score: Score | null = null,
): Fill {
  const { betId, orderId, betType } = bet;
  const { requestUuid, selectionId, sport, eventId, direction, priceKind, mode, take } = order;
  return {
    betId,
    orderId,
    sport,
    eventId,
    betType,
    price,
    stakeMicros,
    atMs,
    requestUuid,
    selectionId,
    direction,
    priceKind,
    role: roleOf(bet.exchangeRole),
    mode,
    ...(take !== undefined && { take }),
    ...(score !== null && { score }),
  };
}

/**
 * Returns the fill of a matched bet of another's order. `orderType` is null while the order is not known: the fill then has the terms
 * of a normal order, and no `isParlay`.
 */
export function foreignFill(
  { bet, price, stakeMicros }: MatchedBet,
  orderType: string | null,
  prices: ExchangePrices,
  atMs: number,
): Fill {
  const { betId, orderId, sport, eventId, betType } = bet;
  const terms = reportedTerms(betType, orderType ?? 'normal', prices) ?? UNKNOWN_TERMS;
  return {
    betId,
    orderId,
    sport,
    eventId,
    betType,
    price,
    stakeMicros,
    atMs,
    requestUuid: null,
    selectionId: selectionIdOf(bet),
    ...terms,
    role: roleOf(bet.exchangeRole),
    ...(orderType !== null && { isParlay: isParlay({ orderType }) }),
  };
}

/** Stands for the terms of a bet type of unknown direction. */
const UNKNOWN_TERMS: BetTerms = { direction: 'for', priceKind: 'odds-for' };

const roleOf = (role: string | null): Fill['role'] =>
  role === 'maker' || role === 'taker' ? role : 'unknown';

/** The order of ours that a fill belongs to, and its market. */
export type FilledOrder = Pick<
  LiveOrder,
  'requestUuid' | 'selectionId' | 'direction' | 'priceKind' | 'sport' | 'eventId' | 'mode' | 'take'
>;
