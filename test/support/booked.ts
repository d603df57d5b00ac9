import type { AccountChange, BookedChange } from '../../src/account/changes.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { OrderResult } from '../../src/domain/settlement.ts';
import type { Fact } from '../../src/read-model/read-model.ts';

/** The change of the account when a bet is matched. */
export const booked = (fill: Fill): BookedChange => ({
  kind: 'booked',
  fill,
  state: 'matched',
  isRecorded: false,
});

/** The same for the read model. */
export const bookedFact = (fill: Fill): Fact => ({
  kind: 'account',
  change: booked(fill),
  atMs: fill.atMs,
  wallMs: fill.atMs,
});

/** The change of the account when an order with these bets is settled. */
export const settledBy = (result: OrderResult, bets: readonly Fill[]): AccountChange => ({
  kind: 'result',
  result,
  bets,
  beforeMicros: null,
  isTakenBack: false,
  hasBets: true,
  isNews: true,
  isRecorded: false,
  atMs: 0,
});
