import { expect, it } from 'vitest';
import { foldJournal } from '../../src/orders/journal/checkpoint.ts';
import { createMemoryJournal } from '../../src/storage/memory-journal.ts';
import { OrderManagerRig, quote } from '../support/order-manager-rig.ts';

it('an unproven convention keeps orders from being placed, leaves open ones, and tells why', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  rig.manager.holdForConvention('3 votes');
  rig.desire(quote(), quote({ direction: 'against', tick: 89 }));
  await rig.advance(5_000);
  expect(rig.venue.open()).toHaveLength(1);
  expect(rig.manager.status().blocked).toBe('convention_unproven: 3 votes');
  rig.manager.holdForConvention(null);
  await rig.advance(5_000);
  expect(rig.manager.status().blocked).toBeNull();
  expect(rig.venue.open()).toHaveLength(2);
});

it('a held kind of price gets no order, and the other does', async () => {
  const rig = new OrderManagerRig();
  rig.manager.holdKind('lay-for', { detail: 'the first bet is compared', holds: () => true });
  await rig.startQuoting(quote(), quote({ direction: 'against', tick: 89 }));
  await rig.advance(3_000);
  expect(rig.venue.open().map(({ view }) => view.betType)).toEqual(['for,h']);
  expect(rig.manager.status().waiting).toMatchObject([
    { code: 'first_fill_unchecked', detail: 'the first bet is compared' },
  ]);
  rig.manager.holdKind('lay-for', null);
  await rig.advance(3_000);
  expect(rig.venue.open()).toHaveLength(2);
});

it('fills that are read again count so from the next start on, and in later checkpoints', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const [order] = rig.venue.open();
  rig.venue.fill(order?.view.orderId as never, 4_000_000);
  await rig.advance(2_000);
  expect(rig.manager.rereadFills(({ direction }) => direction === 'against', 'odds-against')).toBe(0);
  expect(rig.manager.rereadFills(({ direction }) => direction === 'for', 'lay-against')).toBe(1);
  const folded = () => [...foldJournal(createMemoryJournal(rig.clock, { store: rig.store })).fills.values()];
  expect(folded()).toMatchObject([{ priceKind: 'lay-against', stakeMicros: 4_000_000 }]);
  await rig.restart();
  expect(rig.rememberedFills).toMatchObject([{ priceKind: 'lay-against' }]);
});
