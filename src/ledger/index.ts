import { AccountLedger, type Ledger } from './ledger.ts';

export type { Attribution } from './attribution.ts';
export type { HorizonS, Markout } from './markouts.ts';
export { HORIZONS_S } from './markouts.ts';
export type { EventTotal } from '../domain/settlement.ts';
export type { EventHoldings, FairOf, Ledger, ProfitLoss } from './ledger.ts';

/** Makes an empty ledger. It books each fill once, keeps positions, and computes profit and loss. */
export function createLedger(): Ledger {
  return new AccountLedger();
}
