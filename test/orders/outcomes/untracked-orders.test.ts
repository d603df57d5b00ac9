import { expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { PlaceOrder, VenueOrder } from '../../../src/domain/orders.ts';
import { markedBy, OTHER, OWN } from '../../support/claims.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** A manager, and an order whose create request the exchange has refused. */
async function rigWithRefused(): Promise<{ readonly rig: OrderManagerRig; readonly place: PlaceOrder }> {
  const rig = new OrderManagerRig();
  await rig.start();
  const error = new VenueRejection('validation_error', 400, 'refused');
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'reject', error } : null);
  rig.desire(quote());
  await rig.advance(1_000);
  rig.desire();
  const intended = rig.store.records.find(({ kind }) => kind === 'order_intended');
  const { place } = intended!.data as unknown as { readonly place: PlaceOrder };
  return { rig, place };
}

it('closes an order that the exchange had refused until it is shown closed', async () => {
  const { rig, place } = await rigWithRefused();
  let failures = 2;
  rig.venue.fault = (method) => (isClose(method) && failures-- > 0 ? { kind: 'lost' } : null);
  rig.venue.placeByHand(place);
  await rig.advance(15_000);
  expect(rig.venue.open()).toEqual([]);
  const closes = rig.venue.calls.filter(({ method }) => isClose(method)).length;
  await rig.advance(60_000);
  expect(rig.venue.calls.filter(({ method }) => isClose(method))).toHaveLength(closes);
});

it('does not close an order that the exchange had refused and shows closed', async () => {
  const { rig, place } = await rigWithRefused();
  const emit = rig.venue.emit.bind(rig.venue);
  rig.venue.emit = () => undefined;
  const { orderId } = rig.venue.placeByHand(place);
  rig.venue.closeByHand(orderId);
  emit({ tag: 'order', order: rig.venue.held.get(orderId)?.view as VenueOrder });
  await rig.advance(5_000);
  expect(rig.foreign).toMatchObject([{ orderId, closed: true }]);
  expect(rig.venue.calls.filter(({ method }) => isClose(method))).toEqual([]);
});

it('counts a bet that was reported before the order that the exchange had refused', async () => {
  const { rig, place } = await rigWithRefused();
  rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  const emit = rig.venue.emit.bind(rig.venue);
  rig.venue.emit = (...entries) => emit(...entries.filter(({ tag }) => tag === 'bet'));
  const { orderId } = rig.venue.placeByHand(place);
  rig.venue.fill(orderId, place.stakeMicros / 2);
  await rig.advance(100);
  emit({ tag: 'order', order: { ...(rig.venue.open()[0]?.view as VenueOrder), bets: [] } });
  await rig.advance(100);
  expect(rig.fills.map((fill) => fill.stakeMicros)).toEqual([place.stakeMicros / 2]);
});

/** A stopped manager beside an order that the exchange had refused and now shows open. */
async function rigWithStray(): Promise<OrderManagerRig> {
  const { rig, place } = await rigWithRefused();
  rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
  rig.venue.placeByHand(place);
  await rig.advance(1_000);
  expect([rig.venue.open().length, rig.manager.openOrders()]).toEqual([1, 1]);
  rig.venue.fault = () => null;
  return rig;
}

it('closes a stray at the end', async () => {
  const rig = await rigWithStray();
  const drained = rig.manager.drain(10_000);
  await rig.advance(10_000);
  expect(await drained).toMatchObject({ clean: true, straysOpen: [], heartbeatRemoved: true });
  expect(rig.venue.open()).toEqual([]);
});

it('looks up a closed stray whose close the stream did not report', async () => {
  const rig = await rigWithStray();
  const { orderId } = rig.venue.open()[0]!.view;
  rig.venue.signal = () => undefined;
  rig.venue.closeByHand(orderId);
  await rig.advance(5_000);
  expect(rig.manager.openOrders()).toBe(0);
  const calls = rig.venue.calls.filter(({ method }) => isClose(method)).length;
  await rig.advance(10_000);
  expect(rig.venue.calls.filter(({ method }) => isClose(method))).toHaveLength(calls);
});

it('waits as long as an answer 429 requests before it closes a stray again', async () => {
  const rig = await rigWithStray();
  const error = new VenueRejection('throttled', 429, 'too many requests', { retryAfterS: 10 });
  const before = rig.venue.calls.length;
  let left = 1;
  rig.venue.fault = (method) => (isClose(method) && left-- > 0 ? { kind: 'reject', error } : null);
  await rig.advance(30_000);
  expect(rig.venue.open()).toEqual([]);
  const [first = NaN, second = NaN] = rig.venue.calls
    .slice(before)
    .filter(({ method }) => isClose(method))
    .map(({ atMs }) => atMs);
  expect(second - first).toBeGreaterThanOrEqual(10_000);
});

it('looks up a stray that is reported over only once with each close', async () => {
  const rig = await rigWithStray();
  const asked: boolean[] = [];
  rig.venue.order = async (_, options) => {
    asked.push(options?.once === true);
    throw new Error('no answer');
  };
  const error = new VenueRejection('order_closed', 400, 'over');
  rig.venue.fault = (method) => (isClose(method) ? { kind: 'reject', error } : null);
  await rig.advance(10_000);
  expect(asked.length).toBeGreaterThan(2);
  expect(asked).not.toContain(false);
});

it.each([
  ['another installation', OTHER],
  ['a copy of the journal', OWN],
])('leaves an order of %s alone, also when everything is to be closed', async (_, installation) => {
  const rig = new OrderManagerRig();
  rig.venue.placeByHand({ ...BY_HAND, durationS: 600, userData: markedBy(installation, '7', 'unknown') });
  await rig.start();
  await rig.advance(20_000);
  expect([rig.venue.open().length, rig.manager.openOrders()]).toEqual([1, 0]);
  rig.manager.stopQuoting('killed');
  await rig.advance(20_000);
  const drained = rig.manager.drain(5_000);
  await rig.advance(5_000);
  expect(await drained).toMatchObject({ clean: true, straysOpen: [], heartbeatRemoved: true });
  expect(rig.venue.open()).toHaveLength(1);
  expect(rig.venue.calls.filter(({ method }) => isClose(method))).toEqual([]);
});
