import { expect } from 'vitest';
import { betType, orderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { type Bench, EVENT, FOOTBALL } from './harness.ts';

/** The account’s exposure. The whole report and the account’s own report must agree. */
export function account({ risk }: Bench) {
  expect(risk.accountExposure()).toEqual(risk.exposure().account);
  return risk.accountExposure();
}

/** Another user’s order of 20 at 3.00 on the home side. */
export const foreign = (changes: Partial<VenueOrder> = {}): VenueOrder => ({
  orderId: orderId(5),
  orderType: 'normal',
  sport: FOOTBALL,
  eventId: EVENT,
  betType: betType('for,h'),
  status: 'open',
  closed: false,
  closeReason: null,
  wantPrice: 3,
  wantStakeMicros: 20e6,
  price: null,
  stakeMicros: null,
  profitLossMicros: null,
  placementTimeMs: null,
  expiryTimeMs: null,
  exchangeMode: null,
  keepOpenInRunning: false,
  userData: null,
  bets: [],
  result: null,
  ...changes,
});
