import { expect, it } from 'vitest';
import type { EventId } from '../../../src/domain/ids.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** A desk with a resting order, and the exchange’s record of it. */
async function deskWithOrder(): Promise<{ readonly desk: TestDesk; readonly held: HeldByVenue }> {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  return { desk, held: desk.venue.open()[0] as HeldByVenue };
}

it.each([
  ['of which a bet was booked with less than its final stake', { gotStakeMicros: 6_000_000 }, 6_000_000],
  ['whose stake counts a bet that was taken back', { statusCode: 'void', gotStakeMicros: 0 }, 10_000_000],
])('ends an order %s at its settlement', async (_, becomes, stakeMicros) => {
  const { desk, held } = await deskWithOrder();
  const bet = desk.venue.fill(held.view.orderId, 4_000_000);
  await desk.advance(100);
  desk.venue.connected = false;
  desk.venue.closeByHand(held.view.orderId);
  held.view = { ...held.view, stakeMicros, bets: [{ ...bet, ...becomes }] };
  desk.venue.connected = true;
  desk.desire();
  await desk.advance(30_000);
  expect(desk.manager.openOrders()).toBe(1);
  held.view = { ...held.view, status: 'reconciled', profitLossMicros: 1_000_000 };
  desk.venue.emit({ tag: 'order', order: held.view });
  await desk.advance(20_000);
  expect(desk.manager.openOrders()).toBe(0);
  expect(desk.own.at(-1)?.status).toBe('reconciled');
});

it('latches on an order that is moved to another event, and ends it when it is closed', async () => {
  const { desk, held } = await deskWithOrder();
  held.view = { ...held.view, eventId: '2026-11-23,1,2' as EventId };
  desk.venue.emit({ tag: 'order', order: held.view });
  await desk.advance(10_000);
  expect(held.view.closed).toBe(true);
  expect(desk.manager.openOrders()).toBe(0);
  await desk.restart();
  expect(desk.manager.release('looked at')).toContain('differs');
  await desk.advance(60_000);
  expect(desk.manager.status().latched).toBeNull();
});
