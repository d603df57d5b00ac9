import { expect, it } from 'vitest';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it('goes on when a foreign order can no longer be looked up', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const intended = rig.store.records.find(({ kind }) => kind === 'order_intended');
  const { place } = intended!.data as unknown as { readonly place: PlaceOrder };
  const byHand = rig.venue.placeByHand({ ...place, userData: 'by hand', durationS: 3_600 });
  await rig.advance(100);
  rig.venue.disconnect();
  rig.venue.held.delete(byHand.orderId);
  rig.venue.connect();
  await rig.advance(5_000);
  expect(rig.manager.status().blocked).toBeNull();
  expect(rig.states()).toEqual(['live']);
  expect(rig.manager.status().foreign.map(({ orderId }) => orderId)).toEqual([byHand.orderId]);
});

it('treats a foreign order as closed that closed after the list was made', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  const { orderId } = rig.venue.placeByHand(BY_HAND);
  await rig.advance(100);
  const list = rig.venue.orders.bind(rig.venue);
  rig.venue.orders = async (...asked) => {
    const listed = await list(...asked);
    await sleep(rig.clock, 500);
    return listed;
  };
  rig.venue.disconnect();
  rig.venue.connect();
  await rig.advance(100);
  rig.venue.closeByHand(orderId);
  await rig.advance(2_000);
  expect(rig.manager.status()).toMatchObject({ blocked: null, foreign: [] });
  expect(rig.foreign.at(-1)).toMatchObject({ closed: true });
});
