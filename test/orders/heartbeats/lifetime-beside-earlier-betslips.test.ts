import { expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { EVENT, quote, TestDesk } from '../../support/order-desk.ts';

it('requests no long life because betslips of an earlier run take places for a minute', async () => {
  const desk = new TestDesk();
  const quotes = ['h', 'd', 'a', 'x', 'y', 'z'].map((outcome) =>
    quote({ selectionId: `fb|${EVENT}|${outcome}` as SelectionId }),
  );
  await desk.startQuoting(...quotes);
  for (const id of desk.venue.heartbeatsHeld.keys()) desk.venue.expireHeartbeat(id);
  const before = desk.store.records.length;
  await desk.restart();
  desk.desire(...quotes);
  await desk.advance(30_000);
  const intended = desk.store.records.slice(before).filter(({ kind }) => kind === 'order_intended');
  const lives = intended.map(
    ({ data }) => (data as unknown as { readonly place: PlaceOrder }).place.durationS,
  );
  expect(lives.length).toBeGreaterThan(3);
  expect(new Set(lives)).toEqual(new Set([60]));
});
