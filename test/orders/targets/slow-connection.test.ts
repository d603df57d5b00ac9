import { expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** A rig whose order waits three seconds for its connection. */
async function connecting(): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig();
  await rig.start();
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 3_000 } : null);
  rig.desire(quote());
  while (!rig.states().includes('sending')) await rig.advance(10);
  rig.venue.fault = () => null;
  return rig;
}

it('sends nothing after a stop, though a connection was awaited', async () => {
  const rig = await connecting();
  rig.manager.stopQuoting('kill');
  await rig.advance(5_000);
  expect(rig.venue.held.size).toBe(0);
  expect(rig.states()).toEqual([]);
  expect(rig.store.records.findLast(({ kind }) => kind === 'order_changed')?.data).toMatchObject({
    state: 'absent',
  });
});

it('sends nothing that lost its target while connecting', async () => {
  const rig = await connecting();
  rig.desire();
  await rig.advance(5_000);
  expect(rig.venue.held.size).toBe(0);
});

it('sends what is still wanted once it is connected', async () => {
  const rig = await connecting();
  await rig.advance(5_000);
  expect(rig.venue.open()).toHaveLength(1);
});

it('extends no heartbeat for an engine that hung while the connection was awaited', async () => {
  let progressing = true;
  const rig = new OrderManagerRig({ progressing: () => progressing });
  await rig.startQuoting(quote());
  rig.venue.fault = (method) =>
    method === 'refreshHeartbeat' ? { kind: 'slow-connection', ms: 3_000 } : null;
  const asked = (): number => rig.venue.calls.filter(({ method }) => method === 'refreshHeartbeat').length;
  const before = asked();
  while (asked() === before) await rig.advance(10);
  const [[id, untilMs]] = [...rig.venue.heartbeatsHeld] as [[unknown, unknown]];
  progressing = false;
  await rig.advance(4_000);
  expect([...rig.venue.heartbeatsHeld]).toEqual([[id, untilMs]]);
});
