import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { isClose } from '../../support/faulty-calls.ts';
import { BY_HAND, OrderManagerRig, quote } from '../../support/order-manager-rig.ts';
import { onlyOpen } from '../support/only-open.ts';

const LONG = { options: { durationS: 600 } };

/** An order that the exchange has accepted and does not know. */
async function withGhost() {
  const rig = new OrderManagerRig(LONG);
  await rig.startQuoting(quote());
  const order = onlyOpen(rig);
  const held = rig.venue.held.get(order.orderId) as HeldByVenue;
  rig.venue.held.delete(order.orderId);
  return { rig, order, held };
}

async function stopped(rig: OrderManagerRig, ms = 20_000) {
  const beganMs = rig.clock.monotonicMs();
  const drained = rig.manager.drain(ms);
  let tookMs = Infinity;
  void drained.then(() => (tookMs = rig.clock.monotonicMs() - beganMs));
  await rig.advance(ms + 5_000);
  return { ...(await drained), tookMs };
}

describe('a stop with an order that does not exist', () => {
  it('ends once look-ups over three seconds and a later list do not show it', async () => {
    const { rig } = await withGhost();
    const report = await stopped(rig);
    expect(report).toMatchObject({ clean: true, stillOpen: [], straysOpen: [], heartbeatRemoved: true });
    expect(report.tookMs).toBeGreaterThanOrEqual(3_000);
    expect(report.tookMs).toBeLessThan(8_000);
    expect(rig.orderEvents.at(-1)).toMatchObject({ state: 'closed', closeReason: 'not_found' });
  });

  it.each<[string, (rig: OrderManagerRig, order: VenueOrder) => void]>([
    [
      'look-ups fail',
      (rig) => (rig.venue.fault = (method) => (method === 'order' ? { kind: 'lost' } : null)),
    ],
    [
      'the list cannot be read',
      (rig) => (rig.venue.fault = (method) => (method === 'orders' ? { kind: 'lost' } : null)),
    ],
    ['the list shows it', (rig, order) => (rig.venue.orders = async () => ({ orders: [order], unread: [] }))],
    ...[
      (order: VenueOrder) => ({ orderId: order.orderId, userData: null }),
      (order: VenueOrder) => ({ orderId: null, userData: order.userData }),
      () => ({ orderId: null, userData: null }),
    ].map((part): [string, (rig: OrderManagerRig, order: VenueOrder) => void] => [
      'an entry of the list may be of it, and cannot be read',
      (rig, order) =>
        (rig.venue.orders = async () => ({
          orders: [],
          unread: [{ at: 0, label: 'odd', ...part(order) }],
        })),
    ]),
  ])('goes on while %s', async (_, spoil) => {
    const { rig, order } = await withGhost();
    spoil(rig, order);
    expect(await stopped(rig)).toMatchObject({ clean: false, heartbeatRemoved: false });
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
  });

  it.each([
    { orderId: 5 as OrderId, userData: null },
    { orderId: null, userData: markedBy(OWN, '1', 'another') },
    { orderId: null, userData: 'by hand' },
  ])('ends although an entry of another order cannot be read: %o', async (part) => {
    const { rig } = await withGhost();
    rig.venue.orders = async () => ({ orders: [], unread: [{ at: 0, label: 'odd', ...part }] });
    expect(await stopped(rig)).toMatchObject({ clean: true });
  });

  it('goes on while anything reports it', async () => {
    const { rig, order } = await withGhost();
    const drained = rig.manager.drain(20_000);
    for (let atS = 0; atS < 20; atS++) {
      rig.venue.emit({ tag: 'order', order });
      await rig.advance(1_000);
    }
    await rig.advance(5_000);
    expect(await drained).toMatchObject({ clean: false });
  });

  it('counts an order again that appears after all', async () => {
    const rig = new OrderManagerRig(LONG);
    await rig.startQuoting(quote(), quote({ direction: 'against', tick: 90 }));
    const [ghost, other] = rig.venue.open() as [HeldByVenue, HeldByVenue];
    rig.venue.held.delete(ghost.view.orderId);
    rig.venue.fault = (method) => (isClose(method) ? { kind: 'lost' } : null);
    void rig.manager.drain(60_000);
    const counted = () => Array.from(rig.manager.orders(), ({ orderId }) => orderId);
    await rig.advance(10_000);
    expect(counted()).toEqual([ghost, other].map(({ view }) => view.orderId));
    rig.venue.fault = (method) => (method === 'closeMany' ? { kind: 'lost' } : null);
    await rig.advance(10_000);
    expect(counted()).not.toContain(ghost.view.orderId);
    rig.venue.endsNothing = true;
    rig.venue.held.set(ghost.view.orderId, ghost);
    rig.venue.disconnect();
    rig.venue.connect();
    await rig.advance(1_000);
    expect(counted()).toContain(ghost.view.orderId);
  });

  it('ends with a stray of ours that does not exist', async () => {
    const rig = new OrderManagerRig(LONG);
    await rig.startQuoting(quote());
    const { uuid } = rig.venue.open()[0]!;
    const stray = { ...BY_HAND, userData: markedBy(OWN, '1', String(uuid)), price: 9 };
    rig.venue.held.delete(rig.venue.placeByHand(stray).orderId);
    await rig.advance(100);
    const report = await stopped(rig);
    expect(report).toMatchObject({ clean: true, straysOpen: [] });
    expect(report.tookMs).toBeLessThan(10_000);
  });
});

it.each<[string, (rig: OrderManagerRig) => void]>([
  ['quoting goes on', (rig) => rig.desire()],
  ['quoting is stopped', (rig) => rig.manager.stopQuoting('killed')],
])('an order that look-ups do not find counts until its lapse while %s', async (_, act) => {
  const { rig } = await withGhost();
  act(rig);
  await rig.advance(60_000);
  expect(rig.states()).toEqual(['closing']);
  expect(rig.venue.calls.filter(({ method }) => method === 'order').length).toBeGreaterThan(5);
});
