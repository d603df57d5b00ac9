import { expect, it, vi } from 'vitest';
import type { EventId } from '../../../src/domain/ids.ts';
import { OwnOrders } from '../../../src/orders/state/own-orders.ts';
import { EVENT_NAME, OWNER, quote, TestDesk } from '../../support/order-desk.ts';

const eventOf = (day: number) => ({ ...EVENT_NAME, eventId: `2026-11-21,9,${day}` as EventId });

it('drops events without targets once their orders are over', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  desk.desire();
  for (let day = 0; day < 50; day++) desk.manager.setTargets(eventOf(day), OWNER, []);
  await desk.advance(5_000);
  expect(desk.venue.open()).toEqual([]);
  const looked = vi.spyOn(OwnOrders.prototype, 'activeOf');
  await desk.advance(10_000);
  expect(looked).not.toHaveBeenCalled();
  looked.mockRestore();
});

it('closes an earlier run’s orders on an event without targets, even when targets end before the start', async () => {
  const desk = new TestDesk({ options: { adoptionGraceMs: 600_000 } });
  await desk.startQuoting(quote());
  desk.kill();
  desk.revive();
  desk.desire();
  await desk.advance(100);
  await desk.start();
  await desk.advance(5_000);
  expect(desk.venue.open()).toEqual([]);
});
