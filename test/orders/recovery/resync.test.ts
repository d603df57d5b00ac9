import { expect, it } from 'vitest';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

it('goes on when a foreign order can no longer be looked up', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const intended = desk.store.records.find(({ kind }) => kind === 'order_intended');
  const { place } = intended!.data as unknown as { readonly place: PlaceOrder };
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

it('treats a foreign order as closed that closed after the list was made', async () => {
  const desk = new TestDesk();
  await desk.start();
  const { orderId } = desk.venue.placeByHand(BY_HAND);
  await desk.advance(100);
  const list = desk.venue.orders.bind(desk.venue);
  desk.venue.orders = async (...asked) => {
    const listed = await list(...asked);
    await sleep(desk.clock, 500);
    return listed;
  };
  desk.venue.disconnect();
  desk.venue.connect();
  await desk.advance(100);
  desk.venue.closeByHand(orderId);
  await desk.advance(2_000);
  expect(desk.manager.status()).toMatchObject({ blocked: null, foreign: [] });
  expect(desk.foreign.at(-1)).toMatchObject({ closed: true });
});
