import { expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { slowPlacing } from '../support/slow-placing.ts';

it('stays stopped when a resume and a stop arrive together', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  rig.manager.stopQuoting('first');
  await rig.advance(1_000);
  rig.manager.resumeQuoting();
  rig.manager.stopQuoting('second');
  await rig.advance(10_000);
  expect(rig.venue.open()).toEqual([]);
  expect(rig.manager.status().blocked).toBe('stopped: second');
});

it('does not send an order whose close was requested before the send, when quoting was resumed meanwhile', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  const asked = slowPlacing(rig, (request) => (request === 0 ? 1_000 : 0));
  rig.desire(quote());
  while (asked.requests === 0) await rig.advance(10);
  rig.manager.stopQuoting('test');
  await rig.advance(100);
  rig.manager.resumeQuoting();
  await rig.advance(10_000);
  expect(rig.venue.held.size).toBe(1);
  expect(rig.venue.open()).toHaveLength(1);
});

it('closes every order once when asked to, and quotes again what is still wanted', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  expect(rig.venue.open()).toHaveLength(1);
  rig.manager.closeAll('a person asks');
  await rig.advance(10_000);
  expect(rig.venue.open()).toHaveLength(1);
  // The first and the one that followed it.
  expect(rig.venue.held.size).toBe(2);
});

it('closes every order while quoting is stopped, and places none', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  rig.manager.stopQuoting('paused');
  rig.manager.closeAll('a person asks');
  await rig.advance(10_000);
  expect(rig.venue.open()).toEqual([]);
});
