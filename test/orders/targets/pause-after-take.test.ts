import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

it.each([
  { part: 'in part', stakeMicros: 6_000_000 },
  { part: 'whole', stakeMicros: 10_000_000 },
])('leaves a market alone for a while when its order took $part', async ({ stakeMicros }) => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const [taker] = [...desk.venue.held.keys()] as [OrderId];
  desk.venue.fill(taker, stakeMicros, 'taker');
  await desk.advance(9_000);
  expect(desk.venue.held.size).toBe(1);
  await desk.advance(5_000);
  expect(desk.venue.held.size).toBe(2);
});

it('leaves it alone no longer when one order took in several bets', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const [taker] = [...desk.venue.held.keys()] as [OrderId];
  for (let bets = 0; bets < 5; bets++) desk.venue.fill(taker, 2_000_000, 'taker');
  await desk.advance(14_000);
  expect(desk.venue.held.size).toBe(2);
});

it('leaves it alone for as long as configured', async () => {
  const desk = new TestDesk({ options: { takenBackoffMs: 300_000 } });
  await desk.startQuoting(quote());
  const [taker] = [...desk.venue.held.keys()] as [OrderId];
  desk.venue.fill(taker, 10_000_000, 'taker');
  await desk.advance(290_000);
  expect(desk.venue.held.size).toBe(1);
  await desk.advance(15_000);
  expect(desk.venue.held.size).toBe(2);
});
