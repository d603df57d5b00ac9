import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const DIFFERS = 'an order differs from the journal';

/** Every order that the exchange makes is another than was asked for, wherever it is shown. Returns how to end that. */
function madeOtherwise(rig: OrderManagerRig, change: (order: VenueOrder) => Partial<VenueOrder>): () => void {
  const { venue } = rig;
  const changed = new Set<OrderId>();
  let isOn = true;
  const emit = venue.emit.bind(venue);
  venue.emit = (...entries) => {
    for (const entry of entries) {
      if (!isOn || entry.tag !== 'order' || changed.has(entry.order.orderId)) continue;
      const held = venue.held.get(entry.order.orderId) as HeldByVenue;
      changed.add(entry.order.orderId);
      held.view = { ...held.view, ...change(held.view) };
    }
    emit(
      ...entries.map((entry) =>
        entry.tag === 'order'
          ? { ...entry, order: venue.held.get(entry.order.orderId)?.view ?? entry.order }
          : entry,
      ),
    );
  };
  const place = venue.placeOrder.bind(venue);
  venue.placeOrder = async (order, options) => {
    const made = await place(order, options);
    return venue.held.get(made.orderId)?.view ?? made;
  };
  return () => (isOn = false);
}

const KINDS: readonly (readonly [string, (order: VenueOrder) => Partial<VenueOrder>])[] = [
  ['another price', ({ wantPrice }) => ({ wantPrice: wantPrice + 0.5 })],
  ['a larger stake', ({ wantStakeMicros }) => ({ wantStakeMicros: wantStakeMicros * 3 })],
  ['another type', () => ({ orderType: 'lay' })],
];

describe('an order of ours that is another than we asked for', () => {
  it.each(KINDS)('latches, counts as what it is, and is closed: %s', async (_, change) => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    madeOtherwise(rig, change);
    await rig.start();
    rig.desire(quote());
    await rig.advance(10_000);
    expect(rig.manager.status().latched).toBe(DIFFERS);
    expect(rig.foreign.length).toBeGreaterThan(0);
    expect(rig.venue.open()).toEqual([]);
    expect([...rig.manager.orders()]).toEqual([]);
    expect(rig.fatals).toEqual([]);
  });

  it.each(KINDS)('is closed by a stop as well, though closes fail at first: %s', async (_, change) => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    madeOtherwise(rig, change);
    let failures = 3;
    rig.venue.fault = (method) => (method.startsWith('close') && failures-- > 0 ? { kind: 'lost' } : null);
    await rig.start();
    rig.desire(quote());
    await rig.advance(300);
    const drained = rig.manager.drain(30_000);
    await rig.advance(31_000);
    expect((await drained).clean).toBe(true);
    expect(rig.venue.open()).toEqual([]);
  });

  it('needs one resume, and not another when it ends', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 30 } });
    const end = madeOtherwise(rig, ({ wantPrice }) => ({ wantPrice: wantPrice + 0.5 }));
    await rig.start();
    rig.desire(quote());
    await rig.advance(300);
    const [first] = rig.venue.held.values();
    end();
    expect(rig.manager.release('looked at it')).toBe(DIFFERS);
    await rig.advance(60_000);
    if (first !== undefined) rig.venue.emit({ tag: 'order', order: first.view });
    await rig.advance(5_000);
    expect(rig.manager.status().latched).toBeNull();
    expect(rig.venue.open()).toHaveLength(1);
  });
});
