import { expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** A run that died with a create in flight, which lands eight seconds later. */
async function crashed(): Promise<TestDesk> {
  const desk = new TestDesk();
  await desk.start();
  desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'late', ms: 8_000 } : null);
  desk.desire(quote());
  while (!desk.kinds().includes('order_intended')) await desk.advance(10);
  await desk.advance(10);
  desk.kill();
  return desk;
}

function expireHeartbeats({ venue }: TestDesk): void {
  for (const id of [...venue.heartbeatsHeld.keys()]) venue.expireHeartbeat(id);
}

/** Expects the order to have landed and to be closed. */
function expectClosed({ venue }: TestDesk): void {
  expect(venue.held.size).toBe(1);
  expect(venue.open()).toEqual([]);
}

it('closes an order that lands after a crash when no heartbeat is left, and none can be created', async () => {
  const desk = await crashed();
  expireHeartbeats(desk);
  desk.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'not-sent' } : null);
  desk.revive();
  await desk.start();
  desk.desire(quote());
  await desk.advance(12_000);
  expectClosed(desk);
});

it('closes an order that lands when recovery outlasts the earlier run’s heartbeat', async () => {
  const desk = await crashed();
  desk.venue.fault = () => null;
  desk.venue.orders = () => new Promise(() => undefined);
  desk.revive();
  void desk.manager.start();
  desk.venue.connect();
  await desk.advance(6_800);
  expireHeartbeats(desk);
  await desk.advance(5_000);
  expectClosed(desk);
});

it('closes an order that lands after recovery when that heartbeat has run out and none could be armed', async () => {
  const desk = await crashed();
  desk.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'not-sent' } : null);
  desk.revive();
  await desk.start();
  desk.desire(quote());
  await desk.advance(5_000);
  expireHeartbeats(desk);
  await desk.advance(6_000);
  expectClosed(desk);
});

it('closes resting orders when their heartbeat was deleted and no other can be created', async () => {
  const desk = new TestDesk({ options: { durationS: 600 } });
  await desk.startQuoting(quote());
  desk.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'not-sent' } : null);
  desk.venue.heartbeatsHeld.clear();
  await desk.advance(30_000);
  expect(desk.venue.open()).toEqual([]);
});

it('closes resting orders after an unnoticed loss of their heartbeat: refreshes fail, or the stream is lost', async () => {
  for (const isStreamLost of [false, true]) {
    const desk = new TestDesk({ options: { durationS: 600 } });
    await desk.startQuoting(quote());
    if (isStreamLost) desk.venue.disconnect();
    else desk.venue.fault = (method) => (method === 'refreshHeartbeat' ? { kind: 'not-sent' } : null);
    desk.venue.heartbeatsHeld.clear();
    await desk.advance(75_000);
    expect(desk.venue.open()).toEqual([]);
  }
});
