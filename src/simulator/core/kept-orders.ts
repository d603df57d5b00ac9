/** The orders of an account that outlive its exchange: told at each change, and put back at the next start. */
import { invariant } from '../../lib/assert.ts';
import type { KeptOrder, SimEvent } from './api.ts';
import type { Bets } from './bets.ts';
import type { Catalogue } from './catalogue.ts';
import { type Account, type MarketBook, type OrderRecord, register } from './model.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import type { Retention } from './retention.ts';

/** What is kept of an order; null for a parlay, which is not kept. */
export function keptOf(order: OrderRecord): KeptOrder | null {
  if (order.market === null) return null;
  const { orderId, requestUuid, betslipId, orderType, sport, eventId, betType, priceKind } = order;
  const { wantPrice, tick, stakeMicros, placedMs, expiryMs, closedBy, closedMs, terms } = order;
  const { sourceMinimums: _, ...kept } = terms;
  return {
    orderId,
    requestUuid,
    betslipId,
    isLay: orderType === 'lay',
    sport,
    eventId,
    betType,
    priceKind,
    wantPrice,
    tick,
    stakeMicros,
    placedMs,
    expiryMs,
    closedBy,
    closedMs,
    terms: kept,
    bets: order.bets.map(({ order: __, ...bet }) => bet),
  };
}

export interface KeptParts {
  readonly account: Account;
  readonly catalogue: Catalogue;
  readonly lifecycle: OrderLifecycle;
  readonly bets: Bets;
  readonly retention: Retention;
  readonly nowMs: number;
}

/**
 * Puts an order back, closed: nobody refreshed the heartbeat that guarded it. Its bets stand, and the balance has the results of those
 * that are settled. Its event is described when the market tells of it.
 */
export function putBack(kept: KeptOrder, parts: KeptParts): void {
  const { account, lifecycle, bets, retention, nowMs } = parts;
  const { market, direction, description } = marketOf(kept, parts);
  const { isLay, terms, bets: keptBets, closedBy, closedMs, ...rest } = kept;
  const order: OrderRecord = {
    ...rest,
    account,
    orderType: isLay ? 'lay' : 'normal',
    events: [market.event],
    market,
    legs: [],
    description,
    direction,
    terms: { ...terms, sourceMinimums: new Map() },
    filledMicros: keptBets.reduce((sum, bet) => sum + bet.stakeMicros, 0),
    shownMicros: 0,
    bets: [],
    status: 'failed',
    closed: true,
    closedBy: closedBy ?? 'heartbeat',
    closedMs: closedMs ?? nowMs,
    updatedMs: nowMs,
    reservedMicros: 0,
    resting: null,
    closing: false,
    timers: [],
  };
  order.bets.push(...keptBets.map((bet) => ({ ...bet, order })));
  register(order);
  lifecycle.putBack(order);
  bets.putBack(order);
  retention.watch(order);
}

function marketOf(
  kept: KeptOrder,
  { catalogue }: KeptParts,
): { market: MarketBook; direction: OrderRecord['direction']; description: string } {
  const { sport, eventId, betType } = kept;
  if (catalogue.of(kept) === null) catalogue.put(undescribed(kept));
  const parsed = catalogue.parse(sport, betType);
  const market = parsed === null ? null : catalogue.openMarket({ sport, eventId, outcome: parsed.outcome });
  invariant(parsed !== null && market !== null, 'a kept order is on no market', { sport, eventId, betType });
  const direction = kept.isLay ? (parsed.direction === 'for' ? 'against' : 'for') : parsed.direction;
  return { market, direction, description: parsed.description };
}

const undescribed = ({ sport, eventId, placedMs }: KeptOrder): SimEvent => ({
  sport,
  eventId,
  eventType: 'normal',
  eventName: eventId,
  competitionId: 0,
  competitionName: '',
  competitionCountry: '',
  home: '',
  away: '',
  homeId: 0,
  awayId: 0,
  teams: [],
  startTimeMs: placedMs,
  endTimeMs: null,
});
