import { expect, it } from 'vitest';
import { quote, TestDesk } from '../support/order-desk.ts';

it('of nobody keeps nothing from being placed for longer than it can live, though no list tells that it is gone', async () => {
  const desk = new TestDesk();
  void desk.venue.createHeartbeat(20);
  await desk.advance(100);
  await desk.start();
  desk.venue.fault = (method) => (method === 'heartbeats' ? { kind: 'lost' } : null);
  desk.desire(quote());
  await desk.advance(290_000);
  expect(desk.manager.status().blocked).toBe('heartbeat_of_another_process');
  await desk.advance(20_000);
  expect(desk.venue.open()).toHaveLength(1);
});
