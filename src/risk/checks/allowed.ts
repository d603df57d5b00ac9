import type { RiskLimits } from '../limits/limits.ts';
import type { RefusalCode } from '../refusal-codes.ts';
import { type Check, refusal } from './context.ts';

/** Refuses sports, competitions and market families that are not on their list; an empty list allows all. */
export function allowLists(limits: RiskLimits): readonly Check[] {
  const { sports, competitions, marketTypes } = limits.allow;
  return [
    allowed('sport_not_allowed', sports, ({ bet }) => bet.sport),
    allowed('competition_not_allowed', competitions, ({ facts }) => facts?.competitionId ?? null),
    allowed('market_not_allowed', marketTypes, ({ facts, bet }) => facts?.marketTypeOf(bet.betType) ?? null),
  ];
}

function allowed<T extends string | number>(
  code: RefusalCode,
  list: readonly T[],
  valueOf: (context: Parameters<Check>[0]) => T | null,
): Check {
  const names: ReadonlySet<T | null> = new Set(list);
  return (context) => {
    const value = valueOf(context);
    if (names.size === 0 || names.has(value)) return null;
    return refusal(code, 'its value is not on the allow list', value, [...names].join(', '));
  };
}
