import type { BetslipId } from '../domain/ids.ts';
import type { StreamEntry } from '../domain/stream.ts';

/** The betslip whose quote, or end, an entry of the stream tells; null if it tells none. */
export const betslipOf = (entry: StreamEntry): BetslipId | null => {
  if (entry.tag === 'pmm') return entry.quote.betslipId;
  return entry.tag === 'betslip_closed' ? entry.betslipId : null;
};
