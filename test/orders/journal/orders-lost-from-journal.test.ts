import { expect, it } from 'vitest';
import { JournalDamage, JournalError } from '../../../src/domain/errors.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it('closes orders with our mark that a damaged journal has lost, and no others', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const byHand = rig.venue.placeByHand(BY_HAND);
  expect(rig.venue.open()).toHaveLength(2);
  rig.kill();
  rig.damagedAfter = { seq: 0, damage: new JournalError('journal record is damaged', { seq: 1 }) };
  rig.revive();
  await rig.start();
  await rig.advance(2_000);
  expect(rig.venue.open().map(({ view }) => view.orderId)).toEqual([byHand.orderId]);
  expect(rig.manager.status().foreign.map(({ orderId }) => orderId)).toEqual([byHand.orderId]);
});

it('writes nothing more to a damaged journal', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  rig.kill();
  rig.damagedAfter = { seq: 3, damage: new JournalDamage('damaged', {}) };
  const before = rig.kinds();
  rig.revive();
  await rig.start();
  await rig.advance(5_000);
  expect(rig.kinds()).toEqual(before);
  expect(rig.venue.open()).toEqual([]);
});
