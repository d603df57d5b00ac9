import { fromMicros, type Micros, toMicros } from '../../domain/money.ts';
import { liabilityMicros, winMicros } from '../../domain/odds.ts';
import type { Bet } from '../exposure/payoffs.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, type CountedScope, type OrderCheck, type OrderContext, refusal } from './context.ts';

/** Refuses the same order twice: the same uuid at any time, the same terms within a short time. */
export function duplicates(limits: RiskLimits): readonly Check[] {
  const windowMs = limits.throttle.duplicateWindowS * 1_000;
  return [sameUuid, sameTerms(windowMs)];
}

const sameUuid: Check = ({ order, openOrders }) =>
  openOrders.some(({ key }) => key === order.requestUuid)
    ? refusal('duplicate_uuid', 'an order with this request_uuid already exists', order.requestUuid)
    : null;

const sameTerms =
  (windowMs: number): Check =>
  ({ openOrders, bet: judged, nowMs }) => {
    const twin = openOrders.find(({ bet, origin, createdMs, closing }) => {
      const isSame =
        bet.betType === judged.betType &&
        bet.selectionId === judged.selectionId &&
        bet.priceKind === judged.priceKind &&
        bet.price === judged.price &&
        bet.stakeMicros === judged.stakeMicros;
      return isSame && origin !== 'foreign' && !closing && nowMs - createdMs < windowMs;
    });
    if (twin === undefined) return null;
    const [ageS, windowS] = [(nowMs - twin.createdMs) / 1_000, windowMs / 1_000];
    return refusal('duplicate_order', `the order repeats ${twin.key} within a short time`, ageS, windowS);
  };

/** Limits the number of open orders. */
export function openOrderLimits(limits: RiskLimits): readonly OrderCheck[] {
  const scopes = ['selection', 'event', 'account'] as const;
  return scopes.map((scope) => openOrderLimit(scope, limits.openOrders[scope]));
}

function openOrderLimit(kind: CountedScope, limit: number): OrderCheck {
  return ({ openCounts }) => {
    const others = openCounts[kind];
    if (others < limit) return null;
    return refusal(`${kind}_open_orders`, `too many open orders of the ${kind}`, others + 1, limit);
  };
}

/** The code of the refusal that halts the account until a person resumes. */
export const MESSAGE_THROTTLE = 'message_throttle';

/** Limits the orders per minute, far above what a sound strategy needs: a strategy that passes it is out of control. */
export function messageThrottle(limits: RiskLimits): Check {
  const limit = limits.throttle.ordersPerMinute;
  return ({ ordersLastMinute }) =>
    ordersLastMinute < limit
      ? null
      : refusal(MESSAGE_THROTTLE, 'too many orders within a minute', ordersLastMinute + 1, limit);
}

/** Limits the stake matched today plus the stake that may still be matched. */
export function turnoverLimit(limits: RiskLimits): OrderCheck {
  const limit = limits.turnover.dayUsdt;
  const limitMicros = toMicros(limit);
  return ({ matchedTodayMicros, openStakeMicros, bet, exposure }) => {
    const micros = matchedTodayMicros + openStakeMicros + bet.stakeMicros;
    if (exposure.reduces || micros <= limitMicros) return null;
    return refusal('day_turnover', 'the turnover of the day would pass its limit', fromMicros(micros), limit);
  };
}

/**
 * Limits on takes that do not certainly reduce the risk of their event. The bets of a hedge pass them if they certainly worsen nothing of what
 * is matched: one alone may improve nothing yet, and orders that rest may lapse.
 */
export function takeLimits(limits: RiskLimits): readonly OrderCheck[] {
  const { eventUsdt, hourUsdt, minEdge } = limits.take;
  return [
    ofSpeculation(amount('take_event', 'on the event', eventUsdt, ({ takenMicros: { event } }) => event)),
    ofSpeculation(amount('take_hour', 'of the last hour', hourUsdt, ({ takenMicros: { hour } }) => hour)),
    ofSpeculation(edge(minEdge)),
  ];
}

const ofSpeculation =
  (check: OrderCheck): OrderCheck =>
  (context) =>
    context.order.take === undefined ||
    context.order.take.byHand !== undefined ||
    context.exposure.reduces ||
    context.exposure.hedges
      ? null
      : check(context);

function amount(
  code: 'take_event' | 'take_hour',
  where: string,
  limit: number,
  takenOf: (context: OrderContext) => Micros,
): OrderCheck {
  const limitMicros = toMicros(limit);
  return (context) => {
    const micros = takenOf(context) + context.liabilityMicros;
    if (micros <= limitMicros) return null;
    return refusal(code, `what takes ${where} may lose would pass its limit`, fromMicros(micros), limit);
  };
}

function edge(least: number): OrderCheck {
  return ({ order, bet }) => {
    const fair = order.take?.fairProbability ?? null;
    if (fair === null) return refusal('take_edge', 'the take names no fair probability', null, least);
    const actual = edgeOf(bet, fair);
    return actual >= least
      ? null
      : refusal('take_edge', 'the take has too little edge by its own fair probability', actual, least);
  };
}

/** Expected profit for each USDT that the bet may lose, before commission, if the selection wins with this probability. */
export function edgeOf({ direction, priceKind, price, stakeMicros }: Bet, fair: number): number {
  const won = direction === 'for' ? fair : 1 - fair;
  const loss = liabilityMicros(priceKind, stakeMicros, price);
  return (won * winMicros(priceKind, stakeMicros, price) - (1 - won) * loss) / loss;
}
