import { fromMicros, toMicros } from '../../domain/money.ts';
import type { ScopeKind, ScopePreview } from '../exposure/book.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

const SCOPES: readonly ScopeKind[] = ['selection', 'event', 'competition', 'sport', 'day', 'account'];

/**
 * The worst case of each scope, over matched bets and every live order. An order that reduces risk is never refused
 * (`EventBets.reduces`). An order that leaves a scope's worst case unchanged is not refused either, even above the limit. While payoff grids are
 * pending, only the selection scope keeps these exceptions, by its own worst case; elsewhere the limit applies.
 */
export function worstCaseLimits(limits: RiskLimits): readonly Check[] {
  return SCOPES.map((kind) => worstCaseLimit(kind, limits.worstCase[`${kind}Usdt`]));
}

function worstCaseLimit(kind: ScopeKind, limit: number): Check {
  const leastMicros = 0 - toMicros(limit);
  const isPassed = ({ worstMicros, worstAfterMicros }: ScopePreview, isBound: boolean): boolean =>
    worstAfterMicros < leastMicros && (isBound || worstAfterMicros < worstMicros);
  return ({ exposure }) => {
    const scope = exposure.scopes[kind];
    const isBound = exposure.isProvisional && kind !== 'selection';
    if (exposure.reduces || !isPassed(scope, isBound)) return null;
    const lossUsdt = 0 - fromMicros(scope.worstAfterMicros);
    return refusal(
      `${kind}_worst_case`,
      `the worst case of the ${kind} would pass its limit`,
      lossUsdt,
      limit,
    );
  };
}
