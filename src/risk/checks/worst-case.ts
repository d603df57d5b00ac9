import { fromMicros, toMicros } from '../../domain/money.ts';
import type { ScopeKind } from '../exposure/book.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

const SCOPES: readonly ScopeKind[] = ['selection', 'event', 'competition', 'sport', 'day', 'account'];

/**
 * The worst case of each scope, over matched bets and every live order. Beyond a limit only an order that reduces risk passes
 * (`exposure/reducing.ts`): one that merely leaves the worst case as it is would stand alone once the orders beside it lapse. While payoff
 * grids are pending, nothing reduces for certain but on its own selection, and there the limit of the selection alone lets it pass.
 */
export function worstCaseLimits(limits: RiskLimits): readonly Check[] {
  return SCOPES.map((kind) => worstCaseLimit(kind, limits.worstCase[`${kind}Usdt`]));
}

function worstCaseLimit(kind: ScopeKind, limit: number): Check {
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
