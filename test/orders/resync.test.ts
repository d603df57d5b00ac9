import { expect, it } from 'vitest';
import type { PlaceOrder } from '../../src/domain/orders.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

it("goes on when an order of somebody else's cannot be looked up any more", async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const intended = desk.store.records.find(({ kind }) => kind === 'order_intended');
  const { place } = intended?.data as unknown as { readonly place: PlaceOrder };
  const byHand = desk.venue.placeByHand({ ...place, userData: 'by hand', durationS: 3_600 });
  await desk.advance(100);
  desk.venue.disconnect();
  desk.venue.held.delete(byHand.orderId);
  desk.venue.connect();
  await desk.advance(5_000);
  expect(desk.manager.status().blocked).toBeNull();
  expect(desk.states()).toEqual(['live']);
  expect(desk.manager.status().foreign.map(({ orderId }) => orderId)).toEqual([byHand.orderId]);
});
