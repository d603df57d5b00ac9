import { expect, it } from 'vitest';
import { isClose } from '../../support/faulty-calls.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

it('is armed again, and left to run out, when it is deleted over orders that a kill cannot close', async () => {
  let closingFailed = false;
  const desk = new TestDesk({ closingFailed: () => closingFailed });
  await desk.start();
  desk.desire(quote());
  await desk.advance(3_000);
  expect(desk.venue.open()).toHaveLength(1);
  desk.venue.fault = (method) => (isClose(method) ? { kind: 'not-sent' } : null);
  closingFailed = true;
  await desk.advance(3_000);
  desk.venue.heartbeatsHeld.clear();
  await desk.advance(45_000);
  expect(desk.venue.open()).toEqual([]);
  expect(desk.venue.heartbeatsHeld.size).toBe(0);
});
