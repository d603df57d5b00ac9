/**
 * The orders of a paper account, which outlive its exchange: that one is in this process alone. Orders with bets are records of the journal,
 * written before the daemon hears of a fill. The daemon's own records have the others that were open: they ended with the exchange.
 */
import { isTerminal } from '../../domain/lifecycle.ts';
import { JournalError } from '../../domain/errors.ts';
import { directionOfKind } from '../../domain/odds.ts';
import { directionOf } from '../../domain/selection.ts';
import { foldJournal } from '../../orders/journal/checkpoint.ts';
import type { FoldedOrder } from '../../orders/journal/fold.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { KeptOrder } from '../../simulator/core/api.ts';

/** Journal record of a paper order with bets; the last one of each order counts. */
export const PAPER_ORDER = 'paper_order';

/** The orders that earlier runs left. None of a damaged journal: nothing is placed with it. */
export function earlierOrders(journal: Journal, logger: Logger): readonly KeptOrder[] {
  try {
    return ordersIn(journal);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    logger.error('the paper orders of earlier runs cannot be read', { error });
    return [];
  }
}

/** Throws JournalError on damage. */
export function ordersIn(journal: Journal): readonly KeptOrder[] {
  const kept = new Map<number, KeptOrder>();
  // Safe because the journal verifies its checksums, and only `keepOrder` writes this kind.
  for (const { data } of journal.ofKind(PAPER_ORDER)) {
    const order = data as object as KeptOrder;
    kept.set(order.orderId, order);
  }
  const open = [...foldJournal(journal).orders.values()].filter(({ state }) => !isTerminal(state));
  for (const order of open) {
    const { orderId } = order;
    if (orderId !== null && !kept.has(orderId)) kept.set(orderId, withoutBets(order, orderId));
  }
  return [...kept.values()].sort((a, b) => a.orderId - b.orderId);
}

/** Durable on return, unless the journal fails: then the daemon places nothing more, and a restart does not know the bets. */
export function keepOrder(order: KeptOrder, journal: Pick<Journal, 'append'>, logger: Logger): void {
  try {
    const data = JSON.parse(JSON.stringify(order)) as Json;
    journal.append([{ kind: PAPER_ORDER, uuid: order.requestUuid, data }]);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    logger.error('a paper order is not in the journal: a restart will not know its bets', { error });
  }
}

/** An order as the daemon requested it, as far as the exchange shows its terms of a closed one. */
function withoutBets({ intended, sentAtMs, expiryMs }: FoldedOrder, orderId: number): KeptOrder {
  const { place, tick, mode } = intended;
  const { requestUuid, betslipId, sport, eventId, betType, priceKind, price, stakeMicros, durationS } = place;
  return {
    orderId,
    requestUuid,
    betslipId,
    sport,
    eventId,
    betType,
    priceKind,
    tick,
    stakeMicros,
    isLay: directionOf(betType) !== directionOfKind(priceKind),
    wantPrice: price,
    placedMs: sentAtMs,
    expiryMs: expiryMs ?? sentAtMs + 1000 * durationS,
    closedBy: null,
    closedMs: null,
    terms: {
      mode,
      keepOpenIr: place.keepOpenInRunning ?? false,
      minTakerMicros: place.minTakerWantStakeMicros ?? 0,
      acceptBetterPrice: place.acceptBetterPrice ?? true,
      acceptPartialFill: place.acceptPartialFill ?? true,
      forceWantPrice: false,
      excludeDanger: place.excludeDanger ?? false,
      currentScore: place.currentScore ?? null,
      userData: place.userData ?? null,
    },
    bets: [],
  };
}
