import { expect, it } from 'vitest';
import type { EventId } from '../../src/domain/ids.ts';
import type { HeldByVenue } from '../support/fake-venue.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

/** A desk with an order that stands, as the exchange holds it. */
async function deskWithOrder(): Promise<{ readonly desk: TestDesk; readonly held: HeldByVenue }> {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  return { desk, held: desk.venue.open()[0] as HeldByVenue };
}

it('an order that is moved to another event latches, and ends when it is closed', async () => {
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
