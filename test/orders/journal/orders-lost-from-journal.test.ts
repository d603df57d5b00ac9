import { expect, it } from 'vitest';
import { JournalDamage, JournalError } from '../../../src/domain/errors.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

it('closes orders with our mark that a damaged journal has lost, and no others', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const byHand = desk.venue.placeByHand(BY_HAND);
  expect(desk.venue.open()).toHaveLength(2);
  desk.kill();
  desk.damagedAfter = { seq: 0, damage: new JournalError('journal record is damaged', { seq: 1 }) };
  desk.revive();
  await desk.start();
  await desk.advance(2_000);
  expect(desk.venue.open().map(({ view }) => view.orderId)).toEqual([byHand.orderId]);
  expect(desk.manager.status().foreign.map(({ orderId }) => orderId)).toEqual([byHand.orderId]);
});

it('writes nothing more to a damaged journal', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  desk.kill();
  desk.damagedAfter = { seq: 3, damage: new JournalDamage('damaged', {}) };
  const before = desk.kinds();
  desk.revive();
  await desk.start();
  await desk.advance(5_000);
  expect(desk.kinds()).toEqual(before);
  expect(desk.venue.open()).toEqual([]);
});
