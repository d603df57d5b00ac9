import type { ExposedOrder } from '../exposure/exposed-order.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, type CheckContext, refusal } from './context.ts';

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
  (context) => {
    const twin = context.openOrders.find((order) => isTwin(order, context, windowMs));
    if (twin === undefined) return null;
    const ageS = (context.nowMs - twin.createdMs) / 1_000;
    return refusal(
      'duplicate_order',
      `the order repeats ${twin.key} within a short time`,
      ageS,
      windowMs / 1_000,
    );
  };

function isTwin(
  { bet, origin, createdMs, closing }: ExposedOrder,
  context: CheckContext,
  windowMs: number,
): boolean {
  const isSame =
    bet.betType === context.bet.betType &&
    bet.selectionId === context.bet.selectionId &&
    bet.priceKind === context.bet.priceKind &&
    bet.price === context.bet.price &&
    bet.stakeMicros === context.bet.stakeMicros;
  return isSame && origin !== 'foreign' && !closing && context.nowMs - createdMs < windowMs;
}
