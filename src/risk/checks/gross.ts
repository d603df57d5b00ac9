import { fromMicros, toMicros } from '../../domain/money.ts';
import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** Limits the sum of what each bet and live order could lose, without netting: per event and for the account. */
export function grossLimits(limits: RiskLimits): readonly Check[] {
  return [grossLimit('event', limits.gross.eventUsdt), grossLimit('account', limits.gross.accountUsdt)];
}

function grossLimit(kind: 'event' | 'account', limit: number): Check {
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
