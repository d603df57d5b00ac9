import { expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { EVENT, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it('requests no long life because betslips of an earlier run take places for a minute', async () => {
  const rig = new OrderManagerRig();
  const quotes = ['h', 'd', 'a', 'x', 'y', 'z'].map((outcome) =>
    quote({ selectionId: `fb|${EVENT}|${outcome}` as SelectionId }),
  );
  await rig.startQuoting(...quotes);
  for (const id of rig.venue.heartbeatsHeld.keys()) rig.venue.expireHeartbeat(id);
  const before = rig.store.records.length;
  await rig.restart();
  rig.desire(...quotes);
  await rig.advance(30_000);
  const intended = rig.store.records.slice(before).filter(({ kind }) => kind === 'order_intended');
  const lives = intended.map(
    ({ data }) => (data as unknown as { readonly place: PlaceOrder }).place.durationS,
  );
  expect(lives.length).toBeGreaterThan(3);
  expect(new Set(lives)).toEqual(new Set([60]));
});
