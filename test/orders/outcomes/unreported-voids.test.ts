import { describe, expect, it } from 'vitest';
import type { BetId, OrderId } from '../../../src/domain/ids.ts';
import { markedBy, OTHER } from '../../support/claims.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** An order of which 4 USDT are filled without a report, with this status, before it is closed. */
async function rigWithUnreportedBet(statusCode: string): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const held = rig.venue.open()[0] as HeldByVenue;
  rig.venue.connected = false;
  rig.venue.fill(held.view.orderId as OrderId, 4_000_000);
  held.view = { ...held.view, bets: held.view.bets.map((bet) => ({ ...bet, statusCode })) };
  rig.venue.closeByHand(held.view.orderId as OrderId);
  rig.venue.connected = true;
  rig.desire();
  await rig.advance(30_000);
  return rig;
}

it('ends an order whose bets were voided before any report of them', async () => {
  const rig = await rigWithUnreportedBet('void');
  expect(rig.manager.openOrders()).toBe(0);
  expect(rig.orderEvents.at(-1)).toMatchObject({ state: 'closed', filledMicros: 0 });
  expect(rig.fills).toEqual([]);
});

it('books the remaining bets', async () => {
  const rig = await rigWithUnreportedBet('success');
  expect(rig.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([4_000_000]);
});

it.each([
  ['a micro', 3_333_333],
  ['a cent', 3_330_000],
])('ends an order whose bets add up to its stake but for the rounding of each, to %s', async (_, micros) => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const held = rig.venue.open()[0] as HeldByVenue;
  const { orderId } = held.view;
  for (let bets = 0; bets < 3; bets++) rig.venue.fill(orderId, micros);
  rig.venue.connected = false;
  rig.venue.closeByHand(orderId);
  held.view = { ...held.view, stakeMicros: 10_000_000 };
  rig.venue.connected = true;
  rig.desire();
  await rig.advance(30_000);
  expect(rig.manager.openOrders()).toBe(0);
  expect(rig.orderEvents.at(-1)).toMatchObject({ state: 'closed', filledMicros: 3 * micros });
});

it('books a small late bet, however many others of its order were never matched', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const held = rig.venue.open()[0] as HeldByVenue;
  const { orderId } = held.view;
  rig.venue.connected = false;
  const bet = rig.venue.fill(orderId, 50_000);
  rig.venue.closeByHand(orderId);
  const unplaced = (at: number) => ({
    ...bet,
    betId: (bet.betId + 1_000 + at) as BetId,
    statusCode: 'unplaced',
    gotStakeMicros: null,
    gotPrice: null,
  });
  held.view = { ...held.view, bets: Array.from({ length: 5 }, (_, at) => unplaced(at)) };
  rig.venue.connected = true;
  rig.desire();
  await rig.advance(5_000);
  expect(rig.manager.openOrders()).toBe(1);
  held.view = { ...held.view, bets: [...held.view.bets, bet] };
  await rig.advance(30_000);
  expect(rig.manager.openOrders()).toBe(0);
  expect(rig.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([50_000]);
});

describe('a booked bet that is voided', () => {
  it('is reported once its order is over, and so is its reinstatement', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const held = rig.venue.open()[0] as HeldByVenue;
    const id = held.view.orderId as OrderId;
    const bet = rig.venue.fill(id, 4_000_000);
    const becomes = async (statusCode: string): Promise<void> => {
      held.view = { ...held.view, bets: [{ ...bet, statusCode }] };
      rig.venue.emit({ tag: 'bet', bet: { ...bet, statusCode } }, { tag: 'order', order: held.view });
      await rig.advance(500);
    };
    await becomes('void');
    expect(rig.standing).toEqual([]);
    rig.venue.closeByHand(id);
    await rig.advance(500);
    expect(rig.standing.at(-1)).toEqual([bet.betId, false]);
    // Statuses of unmatched bets say nothing about a bet that was matched.
    await becomes('unplaced');
    expect(rig.standing.at(-1)).toEqual([bet.betId, false]);
    await becomes('success');
    expect(rig.standing.at(-1)).toEqual([bet.betId, true]);
  });

  it.each(['failed', 'rejected', 'cancelled'])('is reported under another status: %s', async (statusCode) => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const held = rig.venue.open()[0] as HeldByVenue;
    const bet = rig.venue.fill(held.view.orderId, 4_000_000);
    await rig.advance(500);
    held.view = { ...held.view, bets: [{ ...bet, statusCode }] };
    rig.venue.closeByHand(held.view.orderId);
    await rig.advance(500);
    expect(rig.standing.at(-1)).toEqual([bet.betId, false]);
  });

  it('is reported where a person has placed its order', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const byHand = rig.venue.placeByHand({ ...BY_HAND, stakeMicros: 4_000_000 });
    const bet = rig.venue.fill(byHand.orderId, 4_000_000);
    await rig.advance(1_000);
    const { view } = rig.venue.held.get(byHand.orderId) as HeldByVenue;
    rig.venue.emit({ tag: 'order', order: { ...view, bets: [{ ...bet, statusCode: 'void' }] } });
    await rig.advance(1_000);
    expect(rig.standing.at(-1)).toEqual([bet.betId, false]);
  });

  it.each([
    ['a person has placed its order', undefined],
    ['another installation has placed its order', markedBy(OTHER, '7', 'of-another-journal')],
  ])('is reported only by a look-up, where %s', async (_, userData) => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    const mark = userData === undefined ? {} : { userData };
    const { orderId } = rig.venue.placeByHand({ ...BY_HAND, stakeMicros: 4_000_000, ...mark });
    const bet = rig.venue.fill(orderId, 2_000_000);
    await rig.advance(1_000);
    rig.venue.disconnect();
    rig.venue.closeByHand(orderId);
    const held = rig.venue.held.get(orderId) as HeldByVenue;
    held.view = { ...held.view, bets: [{ ...bet, statusCode: 'void' }] };
    rig.venue.connect();
    await rig.advance(2_000);
    expect(rig.standing).toEqual([[bet.betId, false]]);
  });
});
