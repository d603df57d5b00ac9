import { expect, it } from 'vitest';
import type { EventId } from '../../../src/domain/ids.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** A rig with a resting order, and the exchange’s record of it. */
async function rigWithOrder(): Promise<{ readonly rig: OrderManagerRig; readonly held: HeldByVenue }> {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  return { rig, held: rig.venue.open()[0] as HeldByVenue };
}

it.each([
  ['of which a bet was booked with less than its final stake', { gotStakeMicros: 6_000_000 }, 6_000_000],
  ['whose stake counts a bet that was taken back', { statusCode: 'void', gotStakeMicros: 0 }, 10_000_000],
])('ends an order %s at its settlement', async (_, becomes, stakeMicros) => {
  const { rig, held } = await rigWithOrder();
  const bet = rig.venue.fill(held.view.orderId, 4_000_000);
  await rig.advance(100);
  rig.venue.connected = false;
  rig.venue.closeByHand(held.view.orderId);
  held.view = { ...held.view, stakeMicros, bets: [{ ...bet, ...becomes }] };
  rig.venue.connected = true;
  rig.desire();
  await rig.advance(30_000);
  expect(rig.manager.openOrders()).toBe(1);
  held.view = { ...held.view, status: 'reconciled', profitLossMicros: 1_000_000 };
  rig.venue.emit({ tag: 'order', order: held.view });
  await rig.advance(20_000);
  expect(rig.manager.openOrders()).toBe(0);
  expect(rig.own.at(-1)?.status).toBe('reconciled');
});

it('latches on an order that is moved to another event, and ends it when it is closed', async () => {
  const { rig, held } = await rigWithOrder();
  held.view = { ...held.view, eventId: '2026-11-23,1,2' as EventId };
  rig.venue.emit({ tag: 'order', order: held.view });
  await rig.advance(10_000);
  expect(held.view.closed).toBe(true);
  expect(rig.manager.openOrders()).toBe(0);
  await rig.restart();
  expect(rig.manager.release('looked at')).toContain('differs');
  await rig.advance(60_000);
  expect(rig.manager.status().latched).toBeNull();
});
