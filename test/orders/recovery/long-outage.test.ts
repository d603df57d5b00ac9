import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const HOUR_MS = 3_600_000;
const STAKE_MICROS = 10_000_000;
/** More than a page of the order list. */
const ORDERS_SINCE = 1_001;

/** A bet of ours, then many other orders of the account. A day later the daemon runs, and is down again. */
async function rigWithBetOfYesterday(): Promise<{ rig: OrderManagerRig; orderId: OrderId }> {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const { orderId } = rig.venue.open()[0]!.view;
  rig.venue.fill(orderId, STAKE_MICROS);
  await rig.advance(1_000);
  const { place } = rig.store.records.find(({ kind }) => kind === 'order_intended')!.data as unknown as {
    readonly place: PlaceOrder;
  };
  rig.kill();
  rig.venue.disconnect();
  await rig.advance(HOUR_MS);
  for (let n = 0; n < ORDERS_SINCE; n++)
    rig.venue.placeByHand({ ...place, userData: 'by hand', durationS: 1 });
  await rig.advance(30 * HOUR_MS);
  rig.revive();
  await rig.start();
  await rig.advance(130_000);
  rig.kill();
  rig.venue.disconnect();
  return { rig, orderId };
}

function settle({ venue, clock }: OrderManagerRig, orderId: OrderId): void {
  const held = venue.held.get(orderId) as HeldByVenue;
  held.view = { ...held.view, status: 'reconciled', profitLossMicros: -STAKE_MICROS };
  held.updatedMs = clock.wallMs();
}

it.each([5, 7, 60])('reads the result of an older bet that came in an outage of %i hours', async (hours) => {
  const { rig, orderId } = await rigWithBetOfYesterday();
  await rig.advance(HOUR_MS);
  settle(rig, orderId);
  await rig.advance((hours - 1) * HOUR_MS);
  rig.revive();
  rig.own = [];
  rig.venue.connect();
  const started = rig.manager.start();
  await rig.advance(10_000);
  await started;
  expect(rig.own.find((order) => order.orderId === orderId)).toMatchObject({ status: 'reconciled' });
});
