/** The wire's name of the market of an order or a betslip. */
import type { BetslipRecord, Identity } from './model.ts';

/** A parlay has a name of its own: no leg comes before the others. */
const PARLAY: Identity = { sport: 'parlay', eventId: '', betType: 'parlay' };

export function identityOf({ type, selections }: Pick<BetslipRecord, 'type' | 'selections'>): Identity {
  const [first] = selections;
  if (type === 'parlay' || first === undefined) return PARLAY;
  const { sport, eventId } = first.market.event.info;
  return { sport, eventId, betType: first.betType };
}
