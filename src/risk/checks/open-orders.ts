import { isSameEvent } from '../../domain/events.ts';
import type { ExposedOrder } from '../exposure/exposed-order.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, type CheckContext, refusal } from './context.ts';

type Kind = 'selection' | 'event' | 'account';

/** Whether an order is in the same scope as the one that is judged. */
const BELONGS: Readonly<Record<Kind, (order: ExposedOrder, context: CheckContext) => boolean>> = {
  selection: (order, { bet }) => order.bet.selectionId === bet.selectionId,
  event: (order, { bet }) => isSameEvent(order.bet, bet),
  account: () => true,
};

/** Limits the number of open orders. */
export function openOrderLimits(limits: RiskLimits): readonly Check[] {
  return (Object.keys(BELONGS) as Kind[]).map((kind) => openOrderLimit(kind, limits.openOrders[kind]));
}

function openOrderLimit(kind: Kind, limit: number): Check {
  return (context) => {
    const others = context.openOrders.filter((order) => BELONGS[kind](order, context)).length;
    if (others < limit) return null;
    return refusal(`${kind}_open_orders`, `too many open orders of the ${kind}`, others + 1, limit);
  };
}
