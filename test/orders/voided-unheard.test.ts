import { expect, it } from 'vitest';
import type { OrderId } from '../../src/domain/ids.ts';
import type { HeldByVenue } from '../support/fake-venue.ts';
import { quote, TestDesk } from '../support/order-desk.ts';

/** An order of which 4 USDT are matched unheard, with this status, before it is closed. */
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

it('ends an order whose bets were taken back before anybody told of them', async () => {
  const desk = await deskWithUnheardBet('void');
  expect(desk.manager.openOrders()).toBe(0);
  expect(desk.orderEvents.at(-1)).toMatchObject({ state: 'closed', filledMicros: 0 });
  expect(desk.fills).toEqual([]);
});

it('books those that stand', async () => {
  const desk = await deskWithUnheardBet('success');
  expect(desk.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([4_000_000]);
});
