import { expect } from 'vitest';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { venueOrder } from '../../support/orders.ts';
import { type Bench, EVENT, FOOTBALL } from './harness.ts';

/** The account’s exposure. The whole report and the account’s own report must agree. */
export function account({ risk }: Bench) {
  expect(risk.accountExposure()).toEqual(risk.exposure().account);
  return risk.accountExposure();
}

/** Another user’s order of 20 at 3.00 on the home side. */
export const foreign = (changes: Partial<VenueOrder> = {}): VenueOrder =>
  venueOrder({ sport: FOOTBALL, eventId: EVENT, wantPrice: 3, wantStakeMicros: 20e6, ...changes });
