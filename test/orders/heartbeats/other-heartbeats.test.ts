import { expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it('places nothing until a listing shows that the heartbeat of another process is gone', async () => {
  const rig = new OrderManagerRig();
  void rig.venue.createHeartbeat(20);
  await rig.advance(100);
  await rig.start();
  rig.venue.fault = (method) => (method === 'heartbeats' ? { kind: 'lost' } : null);
  rig.desire(quote());
  await rig.advance(400_000);
  expect(rig.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect(rig.venue.held.size).toBe(0);
  rig.venue.fault = () => null;
  await rig.advance(90_000);
  expect(rig.venue.open()).toHaveLength(1);
});
