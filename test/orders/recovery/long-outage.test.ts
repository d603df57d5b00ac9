import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

const HOUR_MS = 3_600_000;
const STAKE_MICROS = 10_000_000;
/** More than a page of the order list. */
const ORDERS_SINCE = 1_001;

/** A bet of ours, then many other orders of the account. A day later the daemon runs, and is down again. */
async function deskWithBetOfYesterday(): Promise<{ desk: TestDesk; orderId: OrderId }> {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const { orderId } = desk.venue.open()[0]!.view;
  desk.venue.fill(orderId, STAKE_MICROS);
  await desk.advance(1_000);
  const { place } = desk.store.records.find(({ kind }) => kind === 'order_intended')!.data as unknown as {
    readonly place: PlaceOrder;
  };
  desk.kill();
  desk.venue.disconnect();
  await desk.advance(HOUR_MS);
  for (let n = 0; n < ORDERS_SINCE; n++)
    desk.venue.placeByHand({ ...place, userData: 'by hand', durationS: 1 });
  await desk.advance(30 * HOUR_MS);
  desk.revive();
  await desk.start();
  await desk.advance(130_000);
  desk.kill();
  desk.venue.disconnect();
  return { desk, orderId };
}

function settle({ venue, clock }: TestDesk, orderId: OrderId): void {
  const held = venue.held.get(orderId) as HeldByVenue;
  held.view = { ...held.view, status: 'reconciled', profitLossMicros: -STAKE_MICROS };
  held.updatedMs = clock.wallMs();
}

it.each([5, 7, 60])('reads the result of an older bet that came in an outage of %i hours', async (hours) => {
  const { desk, orderId } = await deskWithBetOfYesterday();
  await desk.advance(HOUR_MS);
  settle(desk, orderId);
  await desk.advance((hours - 1) * HOUR_MS);
  desk.revive();
  desk.own = [];
  desk.venue.connect();
  const started = desk.manager.start();
  await desk.advance(10_000);
  await started;
  expect(desk.own.find((order) => order.orderId === orderId)).toMatchObject({ status: 'reconciled' });
});
