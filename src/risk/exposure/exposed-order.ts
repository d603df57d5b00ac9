import { type ExchangePrices, reportedTerms } from '../../domain/exchange-prices.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { isUnmatched, type VenueBet, type VenueOrder } from '../../domain/orders.ts';
import { selectionIdOf } from '../../domain/selection.ts';
import type { Bet } from './payoffs.ts';

/** An order as far as exposure is concerned: ours, someone else's on the account, or one just approved. */
export interface ExposedOrder {
  /** The request_uuid of our order; `#` and the order id of any other. */
  readonly key: string;
  readonly orderId: number | null;
  readonly bet: Bet;
  readonly filledMicros: Micros;
  readonly ended: boolean;
  /** `approved`: not yet reported as an order. */
  readonly origin: 'approved' | 'own' | 'foreign';
  /** Monotonic instant of the approval or of the create request, or 0. */
  readonly createdMs: number;
  readonly closing: boolean;
  /** Its type as the exchange reports it, which decides what its bets are; null if the order is ours, and `bet` has its terms. */
  readonly orderType: string | null;
}

/** The tracker's key of an order that is not ours. */
export const foreignKey = (id: number): string => `#${id}`;

/** Our own order, in the tracker's form. */
export function exposedOf(order: LiveOrder, price: number): ExposedOrder {
  const { selectionId, sport, eventId, betType, direction, priceKind, stakeMicros } = order;
  return {
    key: order.requestUuid,
    orderId: order.orderId,
    bet: { selectionId, sport, eventId, betType, direction, priceKind, stakeMicros, price },
    filledMicros: order.filledMicros,
    ended: isTerminal(order.state),
    origin: 'own',
    createdMs: order.createdMonotonicMs,
    closing: order.state === 'closing',
    orderType: null,
  };
}

/**
 * An order that we did not place, at its limit price and with its likeliest terms: the tracker counts every terms that it may have.
 * A settled order can lose nothing more. A bet type without a known direction is given as `for`.
 */
export function foreignOrder(order: VenueOrder, settled: boolean, prices: ExchangePrices): ExposedOrder {
  const { sport, eventId, betType, wantPrice: price, wantStakeMicros: stakeMicros } = order;
  const selectionId = selectionIdOf(order);
  const terms = reportedTerms(betType, order.orderType, prices) ?? {
    direction: 'for',
    priceKind: 'odds-for',
  };
  return {
    key: foreignKey(order.orderId),
    orderId: order.orderId,
    bet: { selectionId, sport, eventId, betType, ...terms, price, stakeMicros },
    filledMicros: settled ? 0 : filledOf(order),
    ended: order.closed,
    origin: 'foreign',
    createdMs: 0,
    closing: false,
    orderType: order.orderType,
  };
}

/**
 * Stake that counts as matched. The exchange's total may include voided bets. While the order is open, their stake may be
 * matched again, so it counts as open.
 */
function filledOf({ bets, stakeMicros }: VenueOrder): Micros {
  const unmatched = bets.filter(isUnmatched);
  const valid = bets.filter((bet) => !isUnmatched(bet));
  return Math.max(gotMicros(valid), (stakeMicros ?? 0) - gotMicros(unmatched));
}

const gotMicros = (bets: readonly VenueBet[]): Micros =>
  bets.reduce((total, { gotStakeMicros }) => total + (gotStakeMicros ?? 0), 0);
