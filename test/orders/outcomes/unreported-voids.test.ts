import { describe, expect, it } from 'vitest';
import type { BetId, OrderId } from '../../../src/domain/ids.ts';
import { markedBy, OTHER } from '../../support/claims.ts';
import type { HeldByVenue } from '../../support/fake-venue.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

/** An order of which 4 USDT are filled without a report, with this status, before it is closed. */
async function deskWithUnheardBet(statusCode: string): Promise<TestDesk> {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const held = desk.venue.open()[0] as HeldByVenue;
  desk.venue.connected = false;
  desk.venue.fill(held.view.orderId as OrderId, 4_000_000);
  held.view = { ...held.view, bets: held.view.bets.map((bet) => ({ ...bet, statusCode })) };
  desk.venue.closeByHand(held.view.orderId as OrderId);
  desk.venue.connected = true;
  desk.desire();
  await desk.advance(30_000);
  return desk;
}

it('ends an order whose bets were voided before any report of them', async () => {
  const desk = await deskWithUnheardBet('void');
  expect(desk.manager.openOrders()).toBe(0);
  expect(desk.orderEvents.at(-1)).toMatchObject({ state: 'closed', filledMicros: 0 });
  expect(desk.fills).toEqual([]);
});

it('books the remaining bets', async () => {
  const desk = await deskWithUnheardBet('success');
  expect(desk.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([4_000_000]);
});

it.each([
  ['a micro', 3_333_333],
  ['a cent', 3_330_000],
])('ends an order whose bets add up to its stake but for the rounding of each, to %s', async (_, micros) => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const held = desk.venue.open()[0] as HeldByVenue;
  const { orderId } = held.view;
  for (let bets = 0; bets < 3; bets++) desk.venue.fill(orderId, micros);
  desk.venue.connected = false;
  desk.venue.closeByHand(orderId);
  held.view = { ...held.view, stakeMicros: 10_000_000 };
  desk.venue.connected = true;
  desk.desire();
  await desk.advance(30_000);
  expect(desk.manager.openOrders()).toBe(0);
  expect(desk.orderEvents.at(-1)).toMatchObject({ state: 'closed', filledMicros: 3 * micros });
});

it('books a small late bet, however many others of its order were never matched', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const held = desk.venue.open()[0] as HeldByVenue;
  const { orderId } = held.view;
  desk.venue.connected = false;
  const bet = desk.venue.fill(orderId, 50_000);
  desk.venue.closeByHand(orderId);
  const unplaced = (at: number) => ({
    ...bet,
    ...{
      betId: (bet.betId + 1_000 + at) as BetId,
      statusCode: 'unplaced',
      gotStakeMicros: null,
      gotPrice: null,
    },
  });
  held.view = { ...held.view, bets: Array.from({ length: 5 }, (_, at) => unplaced(at)) };
  desk.venue.connected = true;
  desk.desire();
  await desk.advance(5_000);
  expect(desk.manager.openOrders()).toBe(1);
  held.view = { ...held.view, bets: [...held.view.bets, bet] };
  await desk.advance(30_000);
  expect(desk.manager.openOrders()).toBe(0);
  expect(desk.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([50_000]);
});

describe('a booked bet that is voided', () => {
  it('is reported once its order is over, and so is its reinstatement', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const held = desk.venue.open()[0] as HeldByVenue;
    const id = held.view.orderId as OrderId;
    const bet = desk.venue.fill(id, 4_000_000);
    const becomes = async (statusCode: string): Promise<void> => {
      held.view = { ...held.view, bets: [{ ...bet, statusCode }] };
      desk.venue.emit({ tag: 'bet', bet: { ...bet, statusCode } }, { tag: 'order', order: held.view });
      await desk.advance(500);
    };
    await becomes('void');
    expect(desk.standing).toEqual([]);
    desk.venue.closeByHand(id);
    await desk.advance(500);
    expect(desk.standing.at(-1)).toEqual([bet.betId, false]);
    // Statuses of unmatched bets say nothing about a bet that was matched.
    await becomes('unplaced');
    expect(desk.standing.at(-1)).toEqual([bet.betId, false]);
    await becomes('success');
    expect(desk.standing.at(-1)).toEqual([bet.betId, true]);
  });

  it.each(['failed', 'rejected', 'cancelled'])('is reported under another status: %s', async (statusCode) => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const held = desk.venue.open()[0] as HeldByVenue;
    const bet = desk.venue.fill(held.view.orderId, 4_000_000);
    await desk.advance(500);
    held.view = { ...held.view, bets: [{ ...bet, statusCode }] };
    desk.venue.closeByHand(held.view.orderId);
    await desk.advance(500);
    expect(desk.standing.at(-1)).toEqual([bet.betId, false]);
  });

  it('is reported where a person has placed its order', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const byHand = desk.venue.placeByHand({ ...BY_HAND, stakeMicros: 4_000_000 });
    const bet = desk.venue.fill(byHand.orderId, 4_000_000);
    await desk.advance(1_000);
    const { view } = desk.venue.held.get(byHand.orderId) as HeldByVenue;
    desk.venue.emit({ tag: 'order', order: { ...view, bets: [{ ...bet, statusCode: 'void' }] } });
    await desk.advance(1_000);
    expect(desk.standing.at(-1)).toEqual([bet.betId, false]);
  });

  it.each([
    ['a person has placed its order', undefined],
    ['another installation has placed its order', markedBy(OTHER, '7', 'of-another-journal')],
  ])('is reported only by a look-up, where %s', async (_, userData) => {
    const desk = new TestDesk();
    await desk.startQuoting(quote());
    const mark = userData === undefined ? {} : { userData };
    const { orderId } = desk.venue.placeByHand({ ...BY_HAND, stakeMicros: 4_000_000, ...mark });
    const bet = desk.venue.fill(orderId, 2_000_000);
    await desk.advance(1_000);
    desk.venue.disconnect();
    desk.venue.closeByHand(orderId);
    const held = desk.venue.held.get(orderId) as HeldByVenue;
    held.view = { ...held.view, bets: [{ ...bet, statusCode: 'void' }] };
    desk.venue.connect();
    await desk.advance(2_000);
    expect(desk.standing).toEqual([[bet.betId, false]]);
  });
});
