import { fromMicros, toMicros } from '../../domain/money.ts';
import type { ScopeKind, ScopePreview } from '../exposure/book.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

const SCOPES: readonly ScopeKind[] = ['selection', 'event', 'competition', 'sport', 'day', 'account'];

/**
 * The worst case of each scope, over matched bets and every live order. An order that makes the event's worst case
 * better is never refused: it can only help, filled in part or not at all included, because the worst case is a
 * concave function of how much of it is filled. Nor is one that leaves a scope as it is, which passed its limit before. While
 * payoff grids are awaited, none of this is certain but of a selection by itself: then the limit stands.
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
