import {
  betslipId,
  betType,
  eventId,
  orderId,
  requestUuid,
  type SelectionId,
  sport,
} from '../../src/domain/ids.ts';
import type { LiveOrder } from '../../src/domain/live-order.ts';
import { SELECTION_KINDS } from '../../src/domain/odds.ts';
import type { VenueOrder } from '../../src/domain/orders.ts';

type Overrides = Partial<Omit<LiveOrder, 'requestUuid'>> & { readonly requestUuid?: string };

/** An order of ours with unremarkable values, except those that the test sets. */
export function liveOrder(overrides: Overrides = {}): LiveOrder {
  return {
    orderId: null,
    betslipId: betslipId('slip'),
    selectionId: 'fb|2026-01-01,1,2|h' as SelectionId,
    sport: sport('fb'),
    eventId: eventId('2026-01-01,1,2'),
    betType: betType('for,h'),
    direction: 'for',
    tick: 100,
    stakeMicros: 1_000_000,
    mode: 'make_and_take',
    filledMicros: 0,
    state: 'live',
    createdMonotonicMs: 0,
    expiryMs: null,
    closeReason: null,
    priceKind: SELECTION_KINDS[overrides.direction ?? 'for'],
    ...overrides,
    requestUuid: requestUuid(overrides.requestUuid ?? 'uuid'),
  };
}

/** An order as the exchange reports it: open, with nothing matched, except what the test sets. */
export const venueOrder = (changes: Partial<VenueOrder> = {}): VenueOrder => ({
  orderId: orderId(5),
  orderType: 'normal',
  sport: sport('fb'),
  eventId: eventId('2026-01-01,1,2'),
  betType: betType('for,h'),
  status: 'open',
  closed: false,
  closeReason: null,
  wantPrice: 2,
  wantStakeMicros: 10e6,
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
