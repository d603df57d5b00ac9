import { fromMicros, toMicros } from '../../domain/money.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/**
 * The balance less the reserve must cover the worst case of the account. Whether the balance already excludes the stake of
 * matched bets is not documented. The check assumes that it does not, which can only be too careful.
 */
export function coveredByBalance(limits: RiskLimits): Check {
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
