import { expect, it } from 'vitest';
import type { PlaceOrder, VenueOrder } from '../../../src/domain/orders.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

it('ignores the answer to another request', async () => {
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
  expect(desk.states()).toEqual(['live', 'live']);
  expect(desk.venue.held.size).toBe(2);
});

it.each([
  ['when that turns out lost', 0],
  ['though the daemon dies before the answer', 1],
])('counts a manual order on the terms of a create request in flight, %s', async (_, deaths) => {
  const desk = new TestDesk();
  await desk.start();
  desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
  desk.desire(quote());
  await desk.advance(500);
  const intended = desk.store.records.find(({ kind }) => kind === 'order_intended')?.data;
  const { userData: _mark, ...place } = (intended as unknown as { readonly place: PlaceOrder }).place;
  desk.kill();
  const { orderId } = desk.venue.placeByHand(place);
  desk.venue.fill(orderId, place.stakeMicros);
  // After this time the next run reads the order while the outcome of the request is still unknown.
  await desk.advance(100_000);
  for (let death = 0; death < deaths; death++) {
    desk.revive();
    await desk.start();
    await desk.advance(5_000);
    expect(desk.fills).toEqual([]);
    desk.kill();
    // The drop copy of a longer run, or of the next run, would not read this far back.
    await desk.advance(100_000);
  }
  desk.revive();
  await desk.start();
  await desk.advance(200_000);
  expect(desk.fills.map((fill) => fill.orderId)).toEqual([orderId]);
  expect(desk.kinds().filter((kind) => kind === 'fill_booked')).toHaveLength(1);
});

it('fills an order that is reported filled, without our mark, before its create is acknowledged', async () => {
  const desk = new TestDesk();
  await desk.start();
  const emit = desk.venue.emit.bind(desk.venue);
  const unmarked = (entry: StreamEntry): StreamEntry =>
    entry.tag === 'order' ? { ...entry, order: { ...entry.order, userData: null } } : entry;
  desk.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'bet').map(unmarked));
  const place = desk.venue.placeOrder.bind(desk.venue);
  desk.venue.placeOrder = async (order, options) => {
    const answer = await place(order, options);
    desk.venue.fill(answer.orderId, order.stakeMicros);
    await sleep(desk.clock, 500);
    return answer;
  };
  desk.desire(quote());
  await desk.advance(1_000);
  expect(desk.fills).toHaveLength(1);
  expect(desk.orderEvents.map(({ state }) => state)).toContain('closed');
});
