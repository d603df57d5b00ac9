import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

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

  it.each([
    ['answered', null],
    ['never answered', { kind: 'answer-lost' }],
  ] as const)(
    'does not exist as it was asked for, which is known at once: its request was %s',
    async (_, fault) => {
      const rig = new OrderManagerRig({ options: { durationS: 600 } });
      madeOtherwise(rig, ({ wantPrice }) => ({ wantPrice: wantPrice + 0.5 }));
      rig.venue.fault = (method) => {
        // What it is shall count, however long its close takes.
        if (method.startsWith('close')) return { kind: 'lost' };
        return method === 'placeOrder' ? fault : null;
      };
      await rig.start();
      rig.desire(quote());
      for (let ms = 0; rig.manager.status().latched === null && ms < 20_000; ms += 50) await rig.advance(50);
      await rig.advance(200);
      expect(rig.manager.status().latched).toBe(DIFFERS);
      expect(rig.venue.open()).toHaveLength(1);
      expect([...rig.manager.orders()]).toEqual([]);
      expect(rig.foreign.at(-1)).toMatchObject({ orderId: rig.venue.open()[0]?.view.orderId, closed: false });
    },
  );

  it('does not exist as it was asked for, either, if that is shown after its outcome was unknown for a while', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    madeOtherwise(rig, ({ wantPrice }) => ({ wantPrice: wantPrice + 0.5 }));
    const emit = rig.venue.emit.bind(rig.venue);
    rig.venue.emit = (...entries) => {
      if (entries.some(({ tag }) => tag === 'order')) rig.clock.after(20_000, () => emit(...entries));
      else emit(...entries);
    };
    await rig.start();
    rig.venue.fault = (method) => {
      if (method === 'placeOrder') return { kind: 'answer-lost' };
      return method.startsWith('close') || ['order', 'orders', 'trackedOrder'].includes(method)
        ? { kind: 'lost' }
        : null;
    };
    rig.desire(quote());
    for (let ms = 0; !rig.states().includes('unknown') && ms < 20_000; ms += 50) await rig.advance(50);
    expect(rig.states()).toEqual(['unknown']);
    rig.desire();
    for (let ms = 0; rig.manager.status().latched === null && ms < 40_000; ms += 50) await rig.advance(50);
    expect(rig.manager.status().latched).toBe(DIFFERS);
    expect(rig.states()).toEqual([]);
    expect(rig.foreign.at(-1)).toMatchObject({ closed: false });
  });
});

it('counts an order once if it seemed to be another’s until the answer to our request named it', async () => {
  const rig = new OrderManagerRig({ options: { durationS: 600 } });
  await rig.start();
  const { tick, stakeMicros } = quote();
  const made = rig.venue.placeByHand({ ...BY_HAND, price: priceOf(tick), stakeMicros });
  await rig.advance(100);
  expect(rig.manager.status().foreign).toEqual([made]);
  rig.venue.placeOrder = () => Promise.resolve(made);
  rig.desire(quote());
  await rig.advance(1_000);
  expect([...rig.manager.orders()]).toMatchObject([{ orderId: made.orderId, state: 'live' }]);
  expect(rig.manager.status().foreign).toEqual([]);
  expect(rig.foreign.at(-1)).toMatchObject({ orderId: made.orderId, closed: true });
  expect(rig.fatals).toEqual([]);
});
