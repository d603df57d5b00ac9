import { expect, it } from 'vitest';
import type { PlaceOrder, VenueOrder } from '../../../src/domain/orders.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it('ignores the answer to another request', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const [first] = rig.venue.open().map(({ view }) => view) as [VenueOrder];
  const place = rig.venue.placeOrder.bind(rig.venue);
  rig.venue.placeOrder = async (order, options) => {
    await place(order, options);
    return first;
  };
  const emit = rig.venue.emit.bind(rig.venue);
  rig.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'order'));
  rig.desire(quote(), quote({ direction: 'against', tick: 90 }));
  await rig.advance(5_000);
  expect(rig.states()).toEqual(['live', 'live']);
  expect(rig.venue.held.size).toBe(2);
});

it.each([
  ['when that turns out lost', 0],
  ['though the daemon dies before the answer', 1],
])('counts a manual order on the terms of a create request in flight, %s', async (_, deaths) => {
  const rig = new OrderManagerRig();
  await rig.start();
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
  rig.desire(quote());
  await rig.advance(500);
  const intended = rig.store.records.find(({ kind }) => kind === 'order_intended')?.data;
  const { userData: _mark, ...place } = (intended as unknown as { readonly place: PlaceOrder }).place;
  rig.kill();
  const { orderId } = rig.venue.placeByHand(place);
  rig.venue.fill(orderId, place.stakeMicros);
  // After this time the next run reads the order while the outcome of the request is still unknown.
  await rig.advance(100_000);
  for (let death = 0; death < deaths; death++) {
    rig.revive();
    await rig.start();
    await rig.advance(5_000);
    expect(rig.fills).toEqual([]);
    rig.kill();
    // The drop copy of a longer run, or of the next run, would not read this far back.
    await rig.advance(100_000);
  }
  rig.revive();
  await rig.start();
  await rig.advance(200_000);
  expect(rig.fills.map((fill) => fill.orderId)).toEqual([orderId]);
  expect(rig.kinds().filter((kind) => kind === 'fill_booked')).toHaveLength(1);
});

it('fills an order that is reported filled, without our mark, before its create is acknowledged', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  const emit = rig.venue.emit.bind(rig.venue);
  const unmarked = (entry: StreamEntry): StreamEntry =>
    entry.tag === 'order' ? { ...entry, order: { ...entry.order, userData: null } } : entry;
  rig.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag !== 'bet').map(unmarked));
  const place = rig.venue.placeOrder.bind(rig.venue);
  rig.venue.placeOrder = async (order, options) => {
    const answer = await place(order, options);
    rig.venue.fill(answer.orderId, order.stakeMicros);
    await sleep(rig.clock, 500);
    return answer;
  };
  rig.desire(quote());
  await rig.advance(1_000);
  expect(rig.fills).toHaveLength(1);
  expect(rig.orderEvents.map(({ state }) => state)).toContain('closed');
});
