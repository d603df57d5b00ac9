import { fromMicros, toMicros } from '../../domain/money.ts';
import type { ScopePreview } from '../exposure/book.ts';
import type { RefusalCode } from '../refusal-codes.ts';
import { type Check, refusal, type StrategyContext } from './context.ts';

/** The limits on loss that a strategy has of its own, over its own bets and orders. Like the account's, they let pass what reduces. */
export const STRATEGY_WORST_CASES: readonly Check[] = [
  worstCase('strategy_event_worst_case', 'on the event', ({ limits: { eventUsdt }, own }) =>
    eventUsdt === null ? null : { limitUsdt: eventUsdt, scope: own.event() },
  ),
  worstCase('strategy_worst_case', 'on all its events', ({ limits: { totalUsdt }, own }) =>
    totalUsdt === null ? null : { limitUsdt: totalUsdt, scope: own.total() },
  ),
];

/** Limits the number of open orders that a strategy has of its own. */
export const strategyOpenOrders: Check = ({ strategy }) => {
  const limit = strategy?.limits.openOrders ?? null;
  if (strategy === null || limit === null) return null;
  const openOrders = strategy.own.openOrders();
  if (openOrders < limit) return null;
  return refusal('strategy_open_orders', `${strategy.name} has too many open orders`, openOrders + 1, limit);
};

/** A limit and what it limits. */
interface Limited {
  readonly limitUsdt: number;
  readonly scope: ScopePreview;
}

/** Beyond the limit only an order that reduces the strategy's own risk passes. */
function worstCase(
  code: RefusalCode,
  where: string,
  of: (strategy: StrategyContext) => Limited | null,
): Check {
  return ({ strategy }) => {
    const limited = strategy === null ? null : of(strategy);
    if (strategy === null || limited === null) return null;
    const { worstAfterMicros } = limited.scope;
    if (worstAfterMicros >= 0 - toMicros(limited.limitUsdt) || strategy.own.reduces) return null;
    const message = `the worst case of ${strategy.name} ${where} would pass its limit`;
    return refusal(code, message, 0 - fromMicros(worstAfterMicros), limited.limitUsdt);
  };
}
