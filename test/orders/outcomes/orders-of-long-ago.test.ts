import { describe, expect, it } from 'vitest';
import { priceOf } from '../../../src/domain/ladder.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { strangerOf } from '../../../src/orders/outcomes/execution-reports.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const STAKE_MICROS = 4_000_000;

/** A daemon that starts long after our order ended. The journal’s checkpoint has only the order’s fills. */
async function rigWithOldOrder() {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  const { orderId } = rig.venue.open()[0]!.view;
  rig.venue.fill(orderId, STAKE_MICROS);
  rig.desire();
  await rig.advance(2_000);
  rig.kill();
  const journal = createMemoryJournal(rig.clock, { store: rig.store });
  const state = foldJournal(journal);
  state.orders.clear();
  journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
  rig.revive();
  await rig.start();
  rig.own = [];
  const order = rig.venue.held.get(orderId)?.view as VenueOrder;
  const settled: VenueOrder = {
    ...order,
    status: 'reconciled',
    stakeMicros: STAKE_MICROS,
    profitLossMicros: -STAKE_MICROS,
  };
  return { rig, settled };
}

describe('an order of ours that ended long ago', () => {
  it('is known by its fills when it is settled, and does not count as foreign', async () => {
    const { rig, settled } = await rigWithOldOrder();
    rig.venue.emit({ tag: 'order', order: settled });
    await rig.advance(100);
    expect(rig.own).toEqual([settled]);
    expect(rig.foreign).toEqual([]);
    expect(rig.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([STAKE_MICROS]);
  });

  it('books a late bet once', async () => {
    const { rig, settled } = await rigWithOldOrder();
    const [bet] = settled.bets;
    const late = { ...bet, betId: 77, gotStakeMicros: 1_000_000 } as VenueOrder['bets'][number];
    rig.venue.emit({ tag: 'bet', bet: late });
    const order = { ...settled, bets: [...settled.bets, late] };
    for (let times = 0; times < 2; times++) rig.venue.emit({ tag: 'order', order });
    await rig.advance(100);
    expect(rig.fills.map(({ stakeMicros }) => stakeMicros)).toEqual([STAKE_MICROS, 1_000_000]);
    expect(rig.fills[1]).toMatchObject({ requestUuid: rig.fills[0]?.requestUuid });
    expect(rig.kinds().filter((kind) => kind === 'fill_booked')).toHaveLength(2);
  });

  it('counts like a foreign order while the exchange shows it open', async () => {
    const { rig, settled } = await rigWithOldOrder();
    const open = { ...settled, status: 'open', closed: false };
    rig.venue.emit({ tag: 'order', order: open });
    await rig.advance(100);
    expect(rig.foreign).toEqual([open]);
    expect(strangerOf(open)).toBe('an order with our mark that the journal does not record');
    expect(strangerOf({ ...open, userData: 'lunch' })).toBe('an order that is not ours');
  });
});

it('remembers an order that has just ended after a restart, however many were placed after it', async () => {
  const rig = new OrderManagerRig({ options: { durationS: 3_600 } });
  await rig.startQuoting(quote());
  for (let placed = 0; placed < 1_001; placed++) {
    rig.desire(quote(), quote({ level: 1, tick: placed % 2 === 0 ? 120 : 130 }));
    await rig.advance(100);
  }
  const draining = rig.manager.drain(5_000);
  await rig.advance(5_000);
  expect(await draining).toMatchObject({ clean: true });
  expect(rig.venue.held.size).toBeGreaterThan(1_000);
  // By then the updates have covered the order’s whole life.
  await rig.advance(70_000);
  await rig.restart();
  expect(rig.foreign).toEqual([]);
});

describe('an order with our mark that the journal lacks', () => {
  it.each([
    ['counts at once', 'touchline/9/another', 1],
    ['may be the awaited answer when it has no mark', null, 0],
  ])('%s, beside a similar create without an answer', async (_, userData, counted) => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
    rig.desire(quote());
    await rig.advance(3_000);
    const sent = rig.orderEvents.at(-1);
    expect(sent?.orderId).toBe(null);
    const like = rig.venue.placeByHand({
      ...sent,
      betslipId: '' as never,
      price: priceOf(sent?.tick as never),
      durationS: 600,
    } as never);
    rig.foreign = [];
    rig.venue.emit({ tag: 'order', order: { ...like, userData } });
    await rig.advance(100);
    expect(rig.foreign).toHaveLength(counted);
  });
});
