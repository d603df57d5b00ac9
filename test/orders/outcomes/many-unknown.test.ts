import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { CallOptions } from '../../../src/ports/venue.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

const ORDERS = 100;
const OUTAGE_MS = 120_000;
/**
 * Orders with an unknown outcome may use at most this many of the account’s sustained 19.6 requests a second.
 */
const MOST_PER_S = 4;

/** All order requests are answered 503, while all others work. */
async function deskInOutage(orders: number): Promise<{ desk: TestDesk; repeatedByClient: () => boolean }> {
  const desk = new TestDesk({ options: { maxInFlight: orders } });
  const asked: (CallOptions | undefined)[] = [];
  const ask = desk.venue.trackedOrder.bind(desk.venue);
  desk.venue.trackedOrder = (uuid, options) => (asked.push(options), ask(uuid, options));
  await desk.start();
  const error = new VenueRejection('unavailable', 503, 'unavailable');
  desk.venue.fault = (method) =>
    ['placeOrder', 'trackedOrder'].includes(method) ? { kind: 'reject', error } : null;
  desk.desire(...Array.from({ length: orders }, (_, level) => quote({ level, tick: 110 + level })));
  await desk.advance(2_000);
  return { desk, repeatedByClient: () => asked.some((options) => options?.once !== true) };
}

it('leaves most requests to others however many creates an outage has left unknown', async () => {
  const { desk, repeatedByClient } = await deskInOutage(ORDERS);
  expect(desk.states()).toEqual(Array.from({ length: ORDERS }, () => 'unknown'));
  const before = desk.venue.calls.length;
  await desk.advance(OUTAGE_MS);
  const asked = desk.venue.calls.slice(before).filter(({ method }) => method === 'trackedOrder');
  expect(asked.length).toBeGreaterThan(ORDERS);
  expect(asked.length).toBeLessThan((MOST_PER_S * OUTAGE_MS) / 1000);
  expect(repeatedByClient()).toBe(false);
});

it('looks up each of them in turn, and resolves all once the outage is over', async () => {
  const { desk } = await deskInOutage(ORDERS);
  await desk.advance(OUTAGE_MS);
  desk.venue.fault = () => null;
  desk.desire();
  // By then no request can land any more, and any order they created would be over.
  await desk.advance((ORDERS / MOST_PER_S) * 2_000);
  expect(desk.states()).toEqual([]);
});
