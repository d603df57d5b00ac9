import { expect, it } from 'vitest';
import { VenueRejection } from '../../src/domain/errors.ts';
import type { PlaceOrder } from '../../src/domain/orders.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

it('closes an order that the exchange had refused until it is shown closed', async () => {
  const desk = new TestDesk();
  await desk.start();
  const error = new VenueRejection('validation_error', 400, 'refused');
  desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'reject', error } : null);
  desk.desire(quote());
  await desk.advance(1_000);
  desk.desire();
  const intended = desk.store.records.find(({ kind }) => kind === 'order_intended');
  let failures = 2;
  desk.venue.fault = (method) => (method === 'closeOrder' && failures-- > 0 ? { kind: 'lost' } : null);
  desk.venue.placeByHand((intended?.data as unknown as { readonly place: PlaceOrder }).place);
  await desk.advance(15_000);
  expect(desk.venue.open()).toEqual([]);
  const closes = desk.venue.calls.filter(({ method }) => method === 'closeOrder').length;
  await desk.advance(60_000);
  expect(desk.venue.calls.filter(({ method }) => method === 'closeOrder')).toHaveLength(closes);
});
