import type { OrderId } from '../../src/domain/ids.ts';
import type { Micros } from '../../src/domain/money.ts';
import { SETTLED, type SettledBets } from '../../src/engine/risk-inputs/risk-memory.ts';
import type { Journal } from '../../src/ports/journal.ts';

/** Both sides of an account since the start of a run, in micros. */
export interface AccountMoney {
  /** The exchange's balance, at the start and now. */
  readonly startMicros: Micros;
  readonly balanceMicros: Micros;
  /** The results of settled orders that the daemon has booked. */
  readonly settledMicros: Micros;
}

/**
 * The part of the balance's change that settled results do not explain. The simulated exchange charges no commission, takes no
 * deposits, and moves the balance only when it pays an order: stakes at risk are no part of it.
 */
export const residualMicros = ({ startMicros, balanceMicros, settledMicros }: AccountMoney): Micros =>
  balanceMicros - startMicros - settledMicros;

/** The settled orders of a journal that had bets, and the sum of their results. */
export interface Settled {
  readonly orders: number;
  readonly micros: Micros;
}

/** Counts the last result of each order in the journal. A reopened order has none. */
export function settledIn(journal: Pick<Journal, 'ofKind'>): Settled {
  const last = new Map<OrderId, SettledBets>();
  for (const { data } of journal.ofKind(SETTLED)) {
    const settled = data as unknown as SettledBets;
    if (settled.now === 'reopened') last.delete(settled.orderId);
    else last.set(settled.orderId, settled);
  }
  const results = [...last.values()];
  return {
    orders: results.filter(({ betIds }) => betIds.length > 0).length,
    micros: results.reduce((sum, { profitLossMicros }) => sum + profitLossMicros, 0),
  };
}
