import { AccountLedger, type Ledger, type LedgerObserver } from './ledger.ts';

export type { Attribution, ResultSources, ValuedBet } from './attribution.ts';
export { sourcesOf } from './attribution.ts';
export type { HorizonS, Markout } from './markouts.ts';
export { HORIZONS_S } from './markouts.ts';
export type { EventTotal } from '../domain/settlement.ts';
export type { EventHoldings, FairOf, Ledger, LedgerObserver, ProfitLoss } from './ledger.ts';

/** Makes an empty ledger. It books each fill once, keeps positions, and computes profit and loss. */
export function createLedger(observer: LedgerObserver | null = null): Ledger {
  return new AccountLedger(observer);
}
