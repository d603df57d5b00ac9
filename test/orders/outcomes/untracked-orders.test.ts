import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { PlaceOrder, VenueOrder } from '../../../src/domain/orders.ts';
import { markedBy, OTHER, OWN } from '../../support/claims.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

/** A manager, and an order whose create request the exchange has refused. */
async function deskWithRefused(): Promise<{ readonly desk: TestDesk; readonly place: PlaceOrder }> {
  const desk = new TestDesk();
  await desk.start();
  const error = new VenueRejection('validation_error', 400, 'refused');
  desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'reject', error } : null);
  desk.desire(quote());
  await desk.advance(1_000);
  desk.desire();
  const intended = desk.store.records.find(({ kind }) => kind === 'order_intended');
  const { place } = intended!.data as unknown as { readonly place: PlaceOrder };
  return { desk, place };
}

it('closes an order that the exchange had refused until it is shown closed', async () => {
  const { desk, place } = await deskWithRefused();
  let failures = 2;
  desk.venue.fault = (method) => (isClose(method) && failures-- > 0 ? { kind: 'lost' } : null);
  desk.venue.placeByHand(place);
  await desk.advance(15_000);
  expect(desk.venue.open()).toEqual([]);
  const closes = desk.venue.calls.filter(({ method }) => isClose(method)).length;
  await desk.advance(60_000);
  expect(desk.venue.calls.filter(({ method }) => isClose(method))).toHaveLength(closes);
});

it('counts a bet that was reported before the order that the exchange had refused', async () => {
  const { desk, place } = await deskWithRefused();
  desk.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  const emit = desk.venue.emit.bind(desk.venue);
  desk.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag === 'bet'));
  const { orderId } = desk.venue.placeByHand(place);
  desk.venue.fill(orderId, place.stakeMicros / 2);
  await desk.advance(100);
  emit({ tag: 'order', order: { ...(desk.venue.open()[0]?.view as VenueOrder), bets: [] } });
  await desk.advance(100);
  expect(desk.fills.map((fill) => fill.stakeMicros)).toEqual([place.stakeMicros / 2]);
});

/** A stopped manager beside an order that the exchange had refused and now shows open. */
async function deskWithStray(): Promise<TestDesk> {
  const { desk, place } = await deskWithRefused();
  desk.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  desk.venue.placeByHand(place);
  await desk.advance(1_000);
  expect([desk.venue.open().length, desk.manager.openOrders()]).toEqual([1, 1]);
  desk.venue.fault = () => null;
  return desk;
}

it('closes a stray at the end', async () => {
  const desk = await deskWithStray();
  const drained = desk.manager.drain(10_000);
  await desk.advance(10_000);
  expect(await drained).toMatchObject({ clean: true, straysOpen: [], heartbeatRemoved: true });
  expect(desk.venue.open()).toEqual([]);
});

it('looks up a closed stray whose close the stream did not report', async () => {
  const desk = await deskWithStray();
  const { orderId } = desk.venue.open()[0]!.view;
  desk.venue.signal = () => undefined;
  desk.venue.closeByHand(orderId);
  await desk.advance(5_000);
  expect(desk.manager.openOrders()).toBe(0);
  const calls = desk.venue.calls.filter(({ method }) => isClose(method)).length;
  await desk.advance(10_000);
  expect(desk.venue.calls.filter(({ method }) => isClose(method))).toHaveLength(calls);
});

it('waits as long as an answer 429 requests before it closes a stray again', async () => {
  const desk = await deskWithStray();
  const error = new VenueRejection('throttled', 429, 'too many requests', { retryAfterS: 10 });
  const before = desk.venue.calls.length;
  let left = 1;
  desk.venue.fault = (method) => (isClose(method) && left-- > 0 ? { kind: 'reject', error } : null);
  await desk.advance(30_000);
  expect(desk.venue.open()).toEqual([]);
  const [first = NaN, second = NaN] = desk.venue.calls
    .slice(before)
    .filter(({ method }) => isClose(method))
    .map(({ atMs }) => atMs);
  expect(second - first).toBeGreaterThanOrEqual(10_000);
});

it('looks up a stray that is reported over only once with each close', async () => {
  const desk = await deskWithStray();
  const asked: boolean[] = [];
  desk.venue.order = async (_, options) => {
    asked.push(options?.once === true);
    throw new Error('no answer');
  };
  const error = new VenueRejection('order_closed', 400, 'over');
  desk.venue.fault = (method) => (isClose(method) ? { kind: 'reject', error } : null);
  await desk.advance(10_000);
  expect(asked.length).toBeGreaterThan(2);
  expect(asked).not.toContain(false);
});

it.each([
  ['another installation', OTHER],
  ['a copy of the journal', OWN],
])('leaves an order of %s alone, also when everything is to be closed', async (_, installation) => {
  const desk = new TestDesk();
  desk.venue.placeByHand({ ...BY_HAND, durationS: 600, userData: markedBy(installation, '7', 'unknown') });
  await desk.start();
  await desk.advance(20_000);
  expect([desk.venue.open().length, desk.manager.openOrders()]).toEqual([1, 0]);
  desk.manager.stopQuoting('killed');
  await desk.advance(20_000);
  const drained = desk.manager.drain(5_000);
  await desk.advance(5_000);
  expect(await drained).toMatchObject({ clean: true, straysOpen: [], heartbeatRemoved: true });
  expect(desk.venue.open()).toHaveLength(1);
  expect(desk.venue.calls.filter(({ method }) => isClose(method))).toEqual([]);
});
