import { expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** A run that died with a create in flight, which lands eight seconds later. */
async function crashed(): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig();
  await rig.start();
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'late', ms: 8_000 } : null);
  rig.desire(quote());
  while (!rig.kinds().includes('order_intended')) await rig.advance(10);
  await rig.advance(10);
  rig.kill();
  return rig;
}

function expireHeartbeats({ venue }: OrderManagerRig): void {
  for (const id of Array.from(venue.heartbeatsHeld.keys())) venue.expireHeartbeat(id);
}

/** Expects the order to have landed and to be closed. */
function expectClosed({ venue }: OrderManagerRig): void {
  expect(venue.held.size).toBe(1);
  expect(venue.open()).toEqual([]);
}

it('closes an order that lands after a crash when no heartbeat is left, and none can be created', async () => {
  const rig = await crashed();
  expireHeartbeats(rig);
  rig.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'not-sent' } : null);
  rig.revive();
  await rig.start();
  rig.desire(quote());
  await rig.advance(12_000);
  expectClosed(rig);
});

it('closes an order that lands when recovery outlasts the earlier run’s heartbeat', async () => {
  const rig = await crashed();
  rig.venue.fault = () => null;
  rig.venue.orders = () => new Promise(() => undefined);
  rig.revive();
  void rig.manager.start();
  rig.venue.connect();
  await rig.advance(6_800);
  expireHeartbeats(rig);
  await rig.advance(5_000);
  expectClosed(rig);
});

it('closes an order that lands after recovery when that heartbeat has run out and none could be armed', async () => {
  const rig = await crashed();
  rig.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'not-sent' } : null);
  rig.revive();
  await rig.start();
  rig.desire(quote());
  await rig.advance(5_000);
  expireHeartbeats(rig);
  await rig.advance(6_000);
  expectClosed(rig);
});

it('closes resting orders when their heartbeat was deleted and no other can be created', async () => {
  const rig = new OrderManagerRig({ options: { durationS: 600 } });
  await rig.startQuoting(quote());
  rig.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'not-sent' } : null);
  rig.venue.heartbeatsHeld.clear();
  await rig.advance(30_000);
  expect(rig.venue.open()).toEqual([]);
});

it('closes resting orders after an unnoticed loss of their heartbeat: refreshes fail, or the stream is lost', async () => {
  for (const isStreamLost of [false, true]) {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    if (isStreamLost) rig.venue.disconnect();
    else rig.venue.fault = (method) => (method === 'refreshHeartbeat' ? { kind: 'not-sent' } : null);
    rig.venue.heartbeatsHeld.clear();
    await rig.advance(75_000);
    expect(rig.venue.open()).toEqual([]);
  }
});
