import type { BetNews } from '../../../src/account/changes.ts';
import { betId, orderId, requestUuid } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { VenueBet } from '../../../src/domain/orders.ts';
import { ask, EVENT, fillOf, FOOTBALL } from '../../risk/support/harness.ts';

/** Bets 1 and 2 are of order 1, bets 3 and 4 of order 2. */
export const fill = (id: number, changes: Partial<Fill> = {}): Fill => ({
  ...fillOf(ask({ price: 2 }), 10),
  betId: betId(id),
  orderId: orderId(Math.ceil(id / 2)),
  requestUuid: requestUuid(`uuid-of-${id}`),
  ...changes,
});

export const bet = (id: number, changes: Partial<Fill> = {}): BetNews => ({
  kind: 'bet',
  fill: fill(id, changes),
});

export const result = (
  order: number,
  profitLossMicros: number,
  changes: Partial<Extract<BetNews, { kind: 'result' }>> = {},
): BetNews => ({
  kind: 'result',
  result: { orderId: orderId(order), sport: FOOTBALL, eventId: EVENT, profitLossMicros },
  isTakenBack: false,
  hasBets: true,
  isRecorded: false,
  atMs: 5,
  ...changes,
});

export const reopened = (order: number): BetNews => ({
  kind: 'reopened',
  orderId: orderId(order),
  isRecorded: false,
});
export const standing = (id: number, stands: boolean): BetNews => ({
  kind: 'standing',
  betId: betId(id),
  stands,
});
export const parked = (id: number): BetNews => ({
  kind: 'parked',
  bet: { betId: betId(id), orderId: orderId(Math.ceil(id / 2)) } as VenueBet,
});
export const unparked = (order: number): BetNews => ({ kind: 'unparked', orderId: orderId(order) });
export const doubt = (id: number, isUnmatched: boolean): BetNews => ({
  kind: 'doubt',
  betId: betId(id),
  isUnmatched,
});
