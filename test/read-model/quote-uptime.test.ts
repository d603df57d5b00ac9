import { describe, expect, it } from 'vitest';
import { eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/lifecycle.ts';
import type { Direction } from '../../src/domain/selection.ts';
import { QuoteUptime } from '../../src/read-model/quote-uptime.ts';
import { liveOrder } from '../support/orders.ts';

const event = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const id = 'fb|2026-01-01,1,2|h' as SelectionId;
const intent = (direction: Direction) => ({
  selectionId: id,
  direction,
  tick: 100,
  stakeMicros: 1,
  level: 0,
});
const order = (requestUuid: string, direction: Direction, state: OrderState) =>
  liveOrder({ requestUuid, selectionId: id, direction, state });

describe('QuoteUptime', () => {
  it('weights by time, over wanted time only', () => {
    const uptime = new QuoteUptime(0);
    uptime.want(event, [intent('for'), intent('against')], 1000);
    uptime.onOrder(order('a', 'for', 'live'), 2000);
    uptime.onOrder(order('b', 'against', 'live'), 3000);
    uptime.onOrder(order('a', 'for', 'closed'), 5000);
    uptime.want(event, [], 6000);
    expect(uptime.ratio(9000)).toBeCloseTo(2000 / 5000, 12);
    expect(uptime.selectionsQuoted).toBe(1);
  });

  it('counts an order that is closing as open until the exchange confirms', () => {
    const uptime = new QuoteUptime(0);
    uptime.want(event, [intent('for')], 0);
    uptime.onOrder(order('a', 'for', 'live'), 0);
    uptime.onOrder(order('b', 'against', 'live'), 0);
    uptime.onOrder(order('b', 'against', 'closing'), 500);
    uptime.onOrder(order('b', 'against', 'closed'), 1000);
    expect(uptime.ratio(2000)).toBe(0.5);
  });

  it('does not count an order that the exchange has not confirmed', () => {
    const uptime = new QuoteUptime(0);
    uptime.want(event, [intent('for')], 0);
    for (const state of ['prepared', 'sending', 'unknown'] as const)
      uptime.onOrder(order('a', 'for', state), 100);
    uptime.onOrder(order('b', 'against', 'live'), 100);
    expect(uptime.ratio(200)).toBe(0);
    expect(uptime.selectionsQuoted).toBe(0);
  });

  it('does not lack quotes of what is no longer wanted, although an order of it is still open', () => {
    const uptime = new QuoteUptime(0);
    const another = { ...event, eventId: eventId('2026-01-01,3,4') };
    uptime.want(event, [intent('for')], 1_000);
    // The same wish once more, and an order that is not confirmed, begin nothing anew.
    uptime.want(event, [intent('for')], 1_200);
    uptime.want({ ...event, eventId: eventId('2026-01-01,5,6') }, [], 1_300);
    uptime.onOrder(order('b', 'for', 'live'), 1_350);
    uptime.onOrder(order('b', 'for', 'closed'), 1_360);
    uptime.want(event, [intent('for')], 1_400);
    expect(uptime.now(1_500).notQuotingMs).toBe(140);
    uptime.onOrder(order('a', 'for', 'live'), 2_000);
    expect(uptime.now(2_500).notQuotingMs).toBeNull();
    uptime.want(event, [], 3_000);
    expect(uptime.now(3_500)).toEqual({ wanted: 0, quoted: 0, twoSided: 0, notQuotingMs: null });
    // The open order of what nobody wants quotes nothing of another event.
    uptime.want(another, [{ ...intent('for'), selectionId: 'fb|2026-01-01,3,4|h' as SelectionId }], 4_000);
    expect(uptime.now(4_500)).toEqual({ wanted: 1, quoted: 0, twoSided: 0, notQuotingMs: 500 });
    uptime.want(event, [intent('for')], 5_000);
    expect(uptime.now(5_500)).toEqual({ wanted: 2, quoted: 1, twoSided: 0, notQuotingMs: null });
    uptime.want(event, [], 6_000);
    uptime.want(another, [], 7_000);
    expect(uptime.now(7_500).notQuotingMs).toBeNull();
  });

  it('follows a selection while it is wanted or has an open order, and no longer', () => {
    const uptime = new QuoteUptime(0);
    uptime.want(event, [intent('for')], 0);
    uptime.onOrder(order('a', 'for', 'live'), 1_000);
    uptime.want(event, [], 2_000);
    expect(uptime.selectionsFollowed).toBe(1);
    uptime.onOrder(order('a', 'for', 'closed'), 3_000);
    expect(uptime.selectionsFollowed).toBe(0);
    uptime.want(event, [intent('for')], 4_000);
    uptime.want(event, [], 5_000);
    expect(uptime.selectionsFollowed).toBe(0);
  });

  it('counts from a resume, if nothing is quoted then', () => {
    const uptime = new QuoteUptime(0);
    uptime.onResume(500);
    expect(uptime.now(600).notQuotingMs).toBeNull();
    uptime.want(event, [intent('for')], 1_000);
    uptime.onResume(9_000);
    expect(uptime.now(9_500).notQuotingMs).toBe(500);
    uptime.onOrder(order('a', 'for', 'live'), 10_000);
    uptime.onResume(11_000);
    expect(uptime.now(12_000).notQuotingMs).toBeNull();
  });

  it('accepts a decision that arrives after the orders that it made', () => {
    const uptime = new QuoteUptime(0);
    uptime.onOrder(order('a', 'for', 'live'), 1_005);
    uptime.onOrder(order('b', 'against', 'live'), 1_005);
    uptime.want(event, [intent('for')], 1_000);
    expect(uptime.ratio(1_005)).toBe(0);
    expect(uptime.ratio(2_005)).toBe(1);
  });

  it('is 0 before anything was wanted', () => {
    expect(new QuoteUptime(0).ratio(1000)).toBe(0);
  });
});
