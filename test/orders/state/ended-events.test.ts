import { expect, it, vi } from 'vitest';
import { OrderBook } from '../../../src/account/orders.ts';
import type { EventId } from '../../../src/domain/ids.ts';
import { EVENT_NAME, OWNER, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const eventOf = (day: number) => ({ ...EVENT_NAME, eventId: `2026-11-21,9,${day}` as EventId });

it('drops events without targets once their orders are over', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  rig.desire();
  for (let day = 0; day < 50; day++) rig.manager.setTargets(eventOf(day), OWNER, []);
  await rig.advance(5_000);
  expect(rig.venue.open()).toEqual([]);
  const looked = vi.spyOn(OrderBook.prototype, 'activeOf');
  await rig.advance(10_000);
  expect(looked).not.toHaveBeenCalled();
  looked.mockRestore();
});

it('closes an earlier run’s orders on an event without targets, even when targets end before the start', async () => {
  const rig = new OrderManagerRig({ options: { adoptionGraceMs: 600_000 } });
  await rig.startQuoting(quote());
  rig.kill();
  rig.revive();
  rig.desire();
  await rig.advance(100);
  await rig.start();
  await rig.advance(5_000);
  expect(rig.venue.open()).toEqual([]);
});
