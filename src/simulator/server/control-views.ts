import { fromMicros } from '../../domain/money.ts';
import type { InspectedAccount, InspectedEvent, InspectedOrder } from '../core/api.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** An order as the control interface shows it: stakes in USDT, instants in ISO 8601. */
export function orderView(order: InspectedOrder) {
  return {
    order_id: order.orderId,
    account_id: order.accountId,
    request_uuid: order.requestUuid,
    sport: order.sport,
    event_id: order.eventId,
    bet_type: order.betType,
    price: order.price,
    stake: fromMicros(order.stakeMicros),
    filled: fromMicros(order.filledMicros),
    status: order.status,
    closed: order.closed,
    close_reason: order.closeReason,
    created: iso(order.createdMs),
    expiry: iso(order.expiryMs),
    closed_at: isoOrNull(order.closedMs),
    user_data: order.userData,
    fills: order.fills.map(fillView),
  };
}

function fillView({ betId, price, stakeMicros, atMs, role }: InspectedOrder['fills'][number]) {
  return { bet_id: betId, price, stake: fromMicros(stakeMicros), at: iso(atMs), role };
}

export function accountView(account: InspectedAccount) {
  return {
    account_id: account.accountId,
    balance: fromMicros(account.balanceMicros),
    open_stake: fromMicros(account.openStakeMicros),
    open_betslips: account.openBetslips,
    heartbeats: account.heartbeats.map(({ heartbeatId, expiryMs }) => ({
      heartbeat_id: heartbeatId,
      expiry: iso(expiryMs),
    })),
    throttled: account.throttledCount,
  };
}

export function eventView({ eventId, sport, irStatus, suspended, score, outcomes }: InspectedEvent) {
  return { event_id: eventId, sport, ir_status: irStatus, suspended, score, outcomes };
}
