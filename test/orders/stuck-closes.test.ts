import { expect, it } from 'vitest';
import type { VenueMethod } from '../support/fake-venue.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

const ORDERS = 40;

/** Orders whose closes are acknowledged, and which stay open all the same. */
async function deskWithStuck(orders: number): Promise<TestDesk> {
  const desk = new TestDesk({ options: { durationS: 600 } });
  await desk.startQuoting(
    ...Array.from({ length: orders }, (_, level) => quote({ level, tick: 110 + level })),
  );
  expect(desk.venue.open()).toHaveLength(orders);
  desk.venue.closeOrder = () => {
    desk.venue.calls.push({ method: 'closeOrder', atMs: desk.clock.monotonicMs() });
    return Promise.resolve();
  };
  desk.desire();
  return desk;
}

/** Requests about closing them from one instant to another, a second. */
function perSecond({ venue: { calls } }: TestDesk, fromMs: number, toMs: number): number {
  const about: readonly VenueMethod[] = ['closeOrder', 'order'];
  const within = calls.filter(({ method, atMs }) => about.includes(method) && atMs >= fromMs && atMs < toMs);
  return within.length / ((toMs - fromMs) / 1000);
}

it('leaves most of the budget to others while many orders stay open', async () => {
  const desk = await deskWithStuck(ORDERS);
  const closedMs = desk.clock.monotonicMs();
  await desk.advance(120_000);
  expect(perSecond(desk, closedMs + 20_000, closedMs + 120_000)).toBeLessThan(6);
});

it('goes on closing each of them', async () => {
  const desk = await deskWithStuck(ORDERS);
  await desk.advance(60_000);
  Reflect.deleteProperty(desk.venue, 'closeOrder');
  await desk.advance(60_000);
  expect(desk.venue.open()).toEqual([]);
});

it('asks after a single one every other second', async () => {
  const desk = await deskWithStuck(1);
  const closedMs = desk.clock.monotonicMs();
  await desk.advance(120_000);
  expect(perSecond(desk, closedMs + 20_000, closedMs + 120_000)).toBeGreaterThan(0.5);
});
