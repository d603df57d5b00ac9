import { expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';

it('places nothing until a listing shows that the heartbeat of another process is gone', async () => {
  const desk = new TestDesk();
  void desk.venue.createHeartbeat(20);
  await desk.advance(100);
  await desk.start();
  desk.venue.fault = (method) => (method === 'heartbeats' ? { kind: 'lost' } : null);
  desk.desire(quote());
  await desk.advance(400_000);
  expect(desk.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect(desk.venue.held.size).toBe(0);
  desk.venue.fault = () => null;
  await desk.advance(90_000);
  expect(desk.venue.open()).toHaveLength(1);
});
