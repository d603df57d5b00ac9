import { fromMicros, type Micros, toMicros } from '../../domain/money.ts';
import type { ScopeKind } from '../exposure/book.ts';
import type { RiskLimits } from '../limits/limits.ts';
import type { RefusalCode } from '../refusal-codes.ts';
import { type Check, type OrderCheck, refusal, type StrategyContext } from './context.ts';

const SCOPES: readonly ScopeKind[] = ['selection', 'event', 'competition', 'sport', 'day', 'account'];

/**
 * The worst case of each scope, over matched bets and every live order. Beyond a limit only an order that reduces risk passes
 * (`exposure/reducing.ts`): one that merely leaves the worst case as it is would stand alone once the orders beside it lapse. While payoff
 * grids are pending, nothing reduces for certain but on its own selection, and there the limit of the selection alone lets it pass.
 */
export function worstCaseLimits(limits: RiskLimits): readonly OrderCheck[] {
  return SCOPES.map((kind) => worstCaseLimit(kind, limits.worstCase[`${kind}Usdt`]));
}

function worstCaseLimit(kind: ScopeKind, limit: number): OrderCheck {
  const leastMicros = 0 - toMicros(limit);
  return ({ exposure }) => {
    const { worstAfterMicros } = exposure.scopes[kind];
    const isReduced = exposure.reduces || (kind === 'selection' && exposure.reducesSelection);
    if (isReduced || worstAfterMicros >= leastMicros) return null;
    const lossUsdt = 0 - fromMicros(worstAfterMicros);
    return refusal(
      `${kind}_worst_case`,
      `the worst case of the ${kind} would pass its limit`,
      lossUsdt,
      limit,
    );
  };
}

/** Limits the sum of what each bet and live order could lose, without netting: per event and for the account. */
export function grossLimits(limits: RiskLimits): readonly OrderCheck[] {
  return [grossLimit('event', limits.gross.eventUsdt), grossLimit('account', limits.gross.accountUsdt)];
}

function grossLimit(kind: 'event' | 'account', limit: number): OrderCheck {
  const limitMicros = toMicros(limit);
  return ({ exposure }) => {
    const { grossAfterMicros } = exposure.scopes[kind];
    if (exposure.reduces || grossAfterMicros <= limitMicros) return null;
    const grossUsdt = fromMicros(grossAfterMicros);
    return refusal(
      `${kind}_gross`,
      `the gross exposure of the ${kind} would pass its limit`,
      grossUsdt,
      limit,
    );
  };
}

/** The limits on loss that a strategy has of its own, over its own bets and orders. Like the account's, they let pass what reduces. */
export const STRATEGY_WORST_CASES: readonly Check[] = [
  worstCase('strategy_event_worst_case', 'on the event', ({ limits: { eventUsdt }, own }) =>
    eventUsdt === null ? null : { limitUsdt: eventUsdt, worstAfterMicros: own.event() },
  ),
  worstCase('strategy_worst_case', 'on all its events', ({ limits: { totalUsdt }, own }) =>
    totalUsdt === null ? null : { limitUsdt: totalUsdt, worstAfterMicros: own.total() },
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

/** A limit, and the worst case that it limits, with the order open. */
interface Limited {
  readonly limitUsdt: number;
  readonly worstAfterMicros: Micros;
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
    const { worstAfterMicros } = limited;
    if (worstAfterMicros >= 0 - toMicros(limited.limitUsdt) || strategy.own.reduces) return null;
    const message = `the worst case of ${strategy.name} ${where} would pass its limit`;
    return refusal(code, message, 0 - fromMicros(worstAfterMicros), limited.limitUsdt);
  };
}

/**
 * The balance less the reserve must cover the worst case of the account. Whether the balance already excludes the stake of
 * matched bets is not documented. The check assumes that it does not, which can only be too careful.
 */
export function coveredByBalance(limits: RiskLimits): OrderCheck {
  const { reserveUsdt, required } = limits.balance;
  const reserveMicros = toMicros(reserveUsdt);
  return ({ balanceMicros, exposure }) => {
    if (balanceMicros === null)
      return required ? refusal('balance_unknown', 'the balance is not known') : null;
    const needMicros = 0 - exposure.scopes.account.worstAfterMicros;
    const haveMicros = balanceMicros - reserveMicros;
    if (exposure.reduces || needMicros <= haveMicros) return null;
    const message = 'the balance less the reserve does not cover the worst case';
    return refusal('balance', message, fromMicros(needMicros), fromMicros(haveMicros));
  };
}
