import { SELECTION_KINDS } from '../../domain/odds.ts';
import { splitBetType } from '../../domain/selection.ts';
import type { Accounts } from './accounts.ts';
import type { InspectedAccount, InspectedEvent, InspectedOrder, Inspection } from './api.ts';
import type { Catalogue } from './catalogue.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import { type Account, type EventRecord, limitOf, type OrderRecord } from './model.ts';
import { closeReasonOf, irStatus } from './wire.ts';

/** The full state at `nowMs`: every account, order and event. */
export function inspectExchange(
  nowMs: number,
  accounts: Accounts,
  catalogue: Catalogue,
  lifecycle: OrderLifecycle,
): Inspection {
  return {
    nowMs,
    accounts: accounts.all.map(inspectedAccount),
    orders: [...lifecycle.all()].map(inspectedOrder),
    openOrders: accounts.all.flatMap(({ openOrders }) => [...openOrders].map(inspectedOrder)),
    events: inspectedEvents(catalogue),
  };
}

export const inspectedAccount = (account: Account): InspectedAccount => ({
  accountId: account.accountId,
  balanceMicros: account.balanceMicros,
  openStakeMicros: account.openStakeMicros,
  openBetslips: account.openBetslipCount,
  heartbeats: [...account.heartbeats.values()].map(({ heartbeatId, expiryMs }) => ({
    heartbeatId,
    expiryMs,
  })),
  throttledCount: account.budgets.throttledCount,
});

export const inspectedOrder = (order: OrderRecord): InspectedOrder => ({
  orderId: order.orderId,
  accountId: order.account.accountId,
  requestUuid: order.requestUuid,
  sport: order.sport,
  eventId: order.eventId,
  betType: order.betType,
  ...kindOf(order),
  ...limitsOf(order),
  stakeMicros: order.stakeMicros,
  filledMicros: order.filledMicros,
  status: order.status,
  closed: order.closed,
  closeReason: closeReasonOf(order),
  closedBy: order.closedBy,
  createdMs: order.placedMs,
  expiryMs: order.expiryMs,
  closedMs: order.closedMs,
  userData: order.terms.userData,
  fills: order.bets.map(({ betId, price, stakeMicros, atMs, role, cause, voided }) => ({
    betId,
    price,
    stakeMicros,
    atMs,
    role,
    cause: voided ? 'voided' : cause,
    voided,
  })),
});

function kindOf({ market, betType, priceKind }: OrderRecord): Pick<InspectedOrder, 'priceKind'> {
  const direction = market === null ? 'for' : (splitBetType(betType)?.direction ?? 'for');
  return priceKind === SELECTION_KINDS[direction] ? {} : { priceKind };
}

function limitsOf(order: OrderRecord): Pick<InspectedOrder, 'price' | 'wantPrice'> {
  const { wantPrice } = order;
  const price = limitOf(order);
  return price === wantPrice ? { price } : { price, wantPrice };
}

export const inspectedEvents = (catalogue: Catalogue): InspectedEvent[] =>
  [...catalogue.all()].map(inspectedEvent);

const inspectedEvent = (event: EventRecord): InspectedEvent => ({
  eventId: event.info.eventId,
  sport: event.info.sport,
  irStatus: irStatus(event),
  suspended: event.suspended,
  score: event.score,
  outcomes: event.books.size,
  phase: event.phase,
  competitionId: event.info.competitionId,
  startTimeMs: event.info.startTimeMs,
});
