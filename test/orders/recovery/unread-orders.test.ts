import { describe, expect, it } from 'vitest';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { markedBy, OTHER, OWN } from '../../support/claims.ts';
import { BY_HAND, OrderManagerRig, quote } from '../../support/order-manager-rig.ts';
import { onlyOpen } from '../support/only-open.ts';

const EACH_PART = ['all but its id', 'its id', 'all'] as const;

const resting = (rig: OrderManagerRig): number => rig.venue.open().filter(({ uuid }) => uuid !== null).length;

describe('an entry of another’s order that cannot be read', () => {
  it.each(EACH_PART)('does not keep a start from quoting: %s', async (part) => {
    const rig = new OrderManagerRig();
    const odd = rig.venue.placeByHand(BY_HAND).orderId;
    const other = rig.venue.placeByHand(BY_HAND).orderId;
    rig.venue.unreadable.set(odd, part);
    await rig.startQuoting(quote());
    expect(rig.manager.status()).toMatchObject({ blocked: null, foreign: [{ orderId: other }] });
    expect(resting(rig)).toBe(1);
    await rig.restart();
    expect(rig.manager.status().blocked).toBeNull();
  });

  it.each(EACH_PART)('does not keep a resync from ending, nor a stop from being clean: %s', async (part) => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.venue.unreadable.set(rig.venue.placeByHand(BY_HAND).orderId, part);
    rig.venue.disconnect();
    rig.venue.connect();
    await rig.advance(3_000);
    expect(rig.manager.status().blocked).toBeNull();
    expect(resting(rig)).toBe(1);
    const drained = rig.manager.drain(20_000);
    await rig.advance(3_000);
    expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  });

  it('does not hold up the updates of others', async () => {
    const rig = new OrderManagerRig({ options: { dropCopyEveryMs: 1_000 } });
    await rig.startQuoting(quote());
    rig.venue.connected = false;
    const [odd, other] = [rig.venue.placeByHand(BY_HAND), rig.venue.placeByHand(BY_HAND)];
    rig.venue.unreadable.set(odd.orderId, 'all');
    rig.venue.connected = true;
    await rig.advance(120_000);
    expect(rig.manager.status().foreign.map(({ orderId }) => orderId)).toEqual([other.orderId]);
    expect(rig.warnings).not.toContain('updates could not be read');
  });
});

describe('an entry of an order of ours that cannot be read', () => {
  it.each(EACH_PART)('proves nothing about it: %s', async (part) => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    rig.venue.unreadable.set(onlyOpen(rig).orderId, part);
    rig.venue.disconnect();
    rig.venue.connect();
    await rig.advance(60_000);
    expect(rig.states()).toEqual(['live']);
    await rig.restart();
    expect(rig.states()).toEqual(['live']);
  });

  it.each([
    ['all but its id', false],
    ['its id', false],
    // Without its id and our mark it cannot be told from an order of others.
    ['all', true],
  ] as const)('keeps a stop from being clean while it may be open: %s', async (part, clean) => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    rig.venue.endsNothing = true;
    const order = onlyOpen(rig);
    rig.venue.unreadable.set(order.orderId, part);
    rig.venue.emit({ tag: 'order', order: { ...order, closed: true, status: 'failed', closeReason: 'odd' } });
    const drained = rig.manager.drain(5_000);
    await rig.advance(6_000);
    expect(await drained).toMatchObject({ clean, heartbeatRemoved: clean });
  });

  it.each([
    [OWN, false],
    [OTHER, true],
  ])('is one with the mark of this installation: %s', async (installation, clean) => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    const { uuid } = rig.venue.open()[0]!;
    rig.venue.connected = false;
    const userData = markedBy(installation, '1', String(uuid));
    rig.venue.unreadable.set(rig.venue.placeByHand({ ...BY_HAND, userData }).orderId, 'its id');
    rig.venue.connected = true;
    const drained = rig.manager.drain(5_000);
    await rig.advance(6_000);
    expect((await drained).clean).toBe(clean);
  });
});

describe('an order of ours with a bet that cannot be read', () => {
  const closedWith = (order: VenueOrder, part: Partial<VenueOrder>): VenueOrder => ({
    ...order,
    closed: true,
    status: 'done',
    closeReason: 'order_filled',
    unreadBets: 1,
    ...part,
  });

  async function told(part: Partial<VenueOrder>) {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    const order = onlyOpen(rig);
    rig.desire();
    const view = closedWith(order, part);
    rig.venue.held.get(order.orderId)!.view = view;
    rig.venue.emit({ tag: 'order', order: view });
    await rig.advance(2_000);
    return rig.states();
  }

  it.each<[string, Partial<VenueOrder>, boolean]>([
    ['the matched stake is not told', { stakeMicros: null }, true],
    ['some of the matched stake is not booked', { stakeMicros: 1_000_000 }, true],
    ['its settlement is told', { stakeMicros: 1_000_000, status: 'reconciled', profitLossMicros: 5 }, true],
    ['nothing was matched', { stakeMicros: 0, status: 'failed' }, false],
  ])('counts until all its stake is booked, where %s', async (_, part, counts) => {
    expect((await told(part)).length > 0).toBe(counts);
  });
});
