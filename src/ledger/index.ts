import type { OnMarked } from './markouts.ts';
import { AccountLedger, type Ledger } from './ledger.ts';

export { sourcesOf } from './attribution.ts';
export type { HorizonS, OnMarked } from './markouts.ts';
export { HORIZONS_S, markedStakeMicros } from './markouts.ts';
export type { Ledger } from './ledger.ts';

/** Makes an empty ledger. It keeps positions, and computes profit and loss. `onMarked`: learns of each mark-out. Default: nobody does. */
export function createLedger(onMarked?: OnMarked): Ledger {
  return new AccountLedger(onMarked);
}
