import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it.each([
  { part: 'in part', stakeMicros: 6_000_000 },
  { part: 'whole', stakeMicros: 10_000_000 },
])('leaves a market alone for a while when its order took $part', async ({ stakeMicros }) => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const [taker] = [...rig.venue.held.keys()] as [OrderId];
  rig.venue.fill(taker, stakeMicros, 'taker');
  await rig.advance(9_000);
  expect(rig.venue.held.size).toBe(1);
  await rig.advance(5_000);
  expect(rig.venue.held.size).toBe(2);
});

it('leaves it alone no longer when one order took in several bets', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const [taker] = [...rig.venue.held.keys()] as [OrderId];
  for (let bets = 0; bets < 5; bets++) rig.venue.fill(taker, 2_000_000, 'taker');
  await rig.advance(14_000);
  expect(rig.venue.held.size).toBe(2);
});

it('leaves it alone for as long as configured', async () => {
  const rig = new OrderManagerRig({ options: { takenBackoffMs: 300_000 } });
  await rig.startQuoting(quote());
  const [taker] = [...rig.venue.held.keys()] as [OrderId];
  rig.venue.fill(taker, 10_000_000, 'taker');
  await rig.advance(290_000);
  expect(rig.venue.held.size).toBe(1);
  await rig.advance(15_000);
  expect(rig.venue.held.size).toBe(2);
});
