import { expect, it } from 'vitest';
import type { VenueOrder } from '../../src/domain/orders.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

it('takes the answer of another request for none', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const [first] = desk.venue.open().map(({ view }) => view) as [VenueOrder];
  const place = desk.venue.placeOrder.bind(desk.venue);
  desk.venue.placeOrder = async (order, options) => {
    await place(order, options);
    return first;
  };
  const emit = desk.venue.emit.bind(desk.venue);
  desk.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'order'));
  desk.desire(quote(), quote({ direction: 'against', tick: 90 }));
  await desk.advance(5_000);
  expect(desk.manager.status().orders).toEqual({ live: 2 });
  expect(desk.venue.held.size).toBe(2);
});
