import { describe, expect, it } from 'vitest';
import { priceOf } from '../../../src/domain/odds.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { strangerOf } from '../../../src/orders/outcomes/foreign-orders.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

const STAKE_MICROS = 4_000_000;

/** A daemon that starts long after our order ended. The journal’s checkpoint has only the order’s fills. */
async function deskWithOldOrder() {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  const { orderId } = desk.venue.open()[0]!.view;
  desk.venue.fill(orderId, STAKE_MICROS);
  desk.desire();
  await desk.advance(2_000);
  desk.kill();
  const journal = createMemoryJournal(desk.clock, { store: desk.store });
  const state = foldJournal(journal);
  state.orders.clear();
  journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
  desk.revive();
  await desk.start();
  desk.own = [];
  const order = desk.venue.held.get(orderId)?.view as VenueOrder;
  const settled: VenueOrder = {
    ...{ ...order, status: 'reconciled', stakeMicros: STAKE_MICROS, profitLossMicros: -STAKE_MICROS },
  };
  return { desk, settled };
}

describe('an order of ours that ended long ago', () => {
  it('is known by its fills when it is settled, and does not count as foreign', async () => {
    const { desk, settled } = await deskWithOldOrder();
    desk.venue.emit({ tag: 'order', order: settled });
    await desk.advance(100);
    expect(desk.own).toEqual([settled]);
    expect(desk.foreign).toEqual([]);
    expect(desk.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([STAKE_MICROS]);
  });

  it('books a late bet once', async () => {
    const { desk, settled } = await deskWithOldOrder();
    const [bet] = settled.bets;
    const late = { ...bet, betId: 77, gotStakeMicros: 1_000_000 } as VenueOrder['bets'][number];
    desk.venue.emit({ tag: 'bet', bet: late });
    const order = { ...settled, bets: [...settled.bets, late] };
    for (let times = 0; times < 2; times++) desk.venue.emit({ tag: 'order', order });
    await desk.advance(100);
    expect(desk.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([STAKE_MICROS, 1_000_000]);
    expect(desk.fills[1]).toMatchObject({ requestUuid: desk.fills[0]?.requestUuid });
    expect(desk.kinds().filter((kind) => kind === 'fill_booked')).toHaveLength(2);
  });

  it('counts like a foreign order while the exchange shows it open', async () => {
    const { desk, settled } = await deskWithOldOrder();
    const open = { ...settled, status: 'open', closed: false };
    desk.venue.emit({ tag: 'order', order: open });
    await desk.advance(100);
    expect(desk.foreign).toEqual([open]);
    expect(strangerOf(open)).toBe('an order with our mark that the journal does not record');
    expect(strangerOf({ ...open, userData: 'lunch' })).toBe('an order that is not ours');
  });
});

it('remembers an order that has just ended after a restart, however many were placed after it', async () => {
  const desk = new TestDesk({ options: { durationS: 3_600 } });
  await desk.startQuoting(quote());
  for (let placed = 0; placed < 1_001; placed++) {
    desk.desire(quote(), quote({ level: 1, tick: placed % 2 === 0 ? 120 : 130 }));
    await desk.advance(100);
  }
  const draining = desk.manager.drain(5_000);
  await desk.advance(5_000);
  expect(await draining).toMatchObject({ clean: true });
  expect(desk.venue.held.size).toBeGreaterThan(1_000);
  // By then the updates have covered the order’s whole life.
  await desk.advance(70_000);
  await desk.restart();
  expect(desk.foreign).toEqual([]);
});

describe('an order with our mark that the journal lacks', () => {
  it.each([
    ['counts at once', 'touchline/9/another', 1],
    ['may be the awaited answer when it has no mark', null, 0],
  ])('%s, beside a similar create without an answer', async (_, userData, counted) => {
    const desk = new TestDesk();
    await desk.start();
    desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    desk.desire(quote());
    await desk.advance(3_000);
    const sent = desk.orderEvents.at(-1);
    expect(sent?.orderId).toBe(null);
    const like = desk.venue.placeByHand({
      ...{ ...sent, betslipId: '' as never, price: priceOf(sent?.tick as never), durationS: 600 },
    } as never);
    desk.foreign = [];
    desk.venue.emit({ tag: 'order', order: { ...like, userData } });
    await desk.advance(100);
    expect(desk.foreign).toHaveLength(counted);
  });
});
