import { expect, it } from 'vitest';
import { isClose } from '../../support/faulty-calls.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it('is armed again, and left to run out, when it is deleted over orders that a kill cannot close', async () => {
  let closingFailed = false;
  const rig = new OrderManagerRig({ closingFailed: () => closingFailed });
  await rig.start();
  rig.desire(quote());
  await rig.advance(3_000);
  expect(rig.venue.open()).toHaveLength(1);
  rig.venue.fault = (method) => (isClose(method) ? { kind: 'not-sent' } : null);
  closingFailed = true;
  await rig.advance(3_000);
  rig.venue.heartbeatsHeld.clear();
  await rig.advance(45_000);
  expect(rig.venue.open()).toEqual([]);
  expect(rig.venue.heartbeatsHeld.size).toBe(0);
});
