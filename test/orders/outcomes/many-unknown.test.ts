import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { CallOptions } from '../../../src/ports/venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const ORDERS = 100;
const OUTAGE_MS = 120_000;
/**
 * Orders with an unknown outcome may use at most this many of the account’s sustained 19.6 requests a second.
 */
const MOST_PER_S = 4;

/** All order requests are answered 503, while all others work. */
async function rigInOutage(
  orders: number,
): Promise<{ rig: OrderManagerRig; repeatedByClient: () => boolean }> {
  const rig = new OrderManagerRig({ options: { maxInFlight: orders } });
  const asked: (CallOptions | undefined)[] = [];
  const ask = rig.venue.trackedOrder.bind(rig.venue);
  rig.venue.trackedOrder = (uuid, options) => (asked.push(options), ask(uuid, options));
  await rig.start();
  const error = new VenueRejection('unavailable', 503, 'unavailable');
  rig.venue.fault = (method) =>
    ['placeOrder', 'trackedOrder'].includes(method) ? { kind: 'reject', error } : null;
  rig.desire(...Array.from({ length: orders }, (_, level) => quote({ level, tick: 110 + level })));
  await rig.advance(2_000);
  return { rig, repeatedByClient: () => asked.some((options) => options?.once !== true) };
}

it('leaves most requests to others however many creates an outage has left unknown', async () => {
  const { rig, repeatedByClient } = await rigInOutage(ORDERS);
  expect(rig.states()).toEqual(Array.from({ length: ORDERS }, () => 'unknown'));
  const before = rig.venue.calls.length;
  await rig.advance(OUTAGE_MS);
  const asked = rig.venue.calls.slice(before).filter(({ method }) => method === 'trackedOrder');
  expect(asked.length).toBeGreaterThan(ORDERS);
  expect(asked.length).toBeLessThan((MOST_PER_S * OUTAGE_MS) / 1000);
  expect(repeatedByClient()).toBe(false);
});

it('looks up each of them in turn, and resolves all once the outage is over', async () => {
  const { rig } = await rigInOutage(ORDERS);
  await rig.advance(OUTAGE_MS);
  rig.venue.fault = () => null;
  rig.desire();
  // By then no request can land any more, and any order they created would be over.
  await rig.advance((ORDERS / MOST_PER_S) * 2_000);
  expect(rig.states()).toEqual([]);
});
