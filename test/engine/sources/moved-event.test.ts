import { expect, it } from 'vitest';
import type { BetId, EventId, OrderId, SelectionId } from '../../../src/domain/ids.ts';
import type { VenueBet, VenueOrder } from '../../../src/domain/orders.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';

const MOVED = '2026-12-24,1,2' as EventId;

it('stops counting the bets of an order whose event was moved once it is settled', async () => {
  const { day } = await dayWithBet();
  const { orders, venue, core } = day.run.composed.parts;
  const { ledger } = core;
  const listing = venue.orders({ pageSize: 100 });
  await day.pass(1_000);
  const order = (await listing).orders.find(({ bets }) => bets.length > 0) as VenueOrder;
  const tell = async (word: Partial<VenueOrder>): Promise<number> => {
    const entries = [{ tag: 'order', order: { ...order, closed: true, ...word } }] as const;
    orders.onSignal({ kind: 'frame', epoch: 99, sentMs: null, receivedMonotonicMs: 0, entries });
    await day.pass(100);
    return day.run.composed.core.risk.exposure().account.grossMicros;
  };
  const moved = (bet: VenueBet): VenueBet => ({ ...bet, eventId: MOVED });
  const before = await tell({ status: 'done' });
  const [selectionId] = ledger.selections();
  const { ifWinMicros, ifLoseMicros } = ledger.position(selectionId as SelectionId);
  const atStake = -Math.min(ifWinMicros, ifLoseMicros);
  expect(atStake).toBeGreaterThan(0);
  const word = { eventId: MOVED, bets: order.bets.map(moved), status: 'reconciled', profitLossMicros: -1e6 };
  expect(before - (await tell(word))).toBe(atStake);
  expect(ledger.profitLoss(() => null).realisedMicros).toBe(-1e6);
});

it('counts a foreign order whose event was moved once, and not after it is settled', async () => {
  const { day } = await dayWithBet();
  const { orders, venue } = day.run.composed.parts;
  const listing = venue.orders({ pageSize: 100 });
  await day.pass(1_000);
  const ours = (await listing).orders.find(({ bets }) => bets.length > 0) as VenueOrder;
  const orderId = 990_000_000_001 as OrderId;
  const bet = { ...(ours.bets[0] as VenueBet), betId: 990_000_000_002 as BetId, orderId };
  const other = { ...ours, orderId, userData: null, wantStakeMicros: 2 * ours.wantStakeMicros, bets: [bet] };
  const grossAfter = async (word: Partial<VenueOrder>): Promise<number> => {
    const entries = [{ tag: 'order', order: { ...other, ...word } }] as const;
    orders.onSignal({ kind: 'frame', epoch: 99, sentMs: null, receivedMonotonicMs: 0, entries });
    await day.pass(100);
    return day.run.composed.core.risk.exposure().account.grossMicros;
  };
  const before = day.run.composed.core.risk.exposure().account.grossMicros;
  const open = await grossAfter({ closed: false, status: 'open' });
  expect(open).toBeGreaterThan(before);
  const moved = { eventId: MOVED, bets: [{ ...bet, eventId: MOVED }] };
  expect(await grossAfter({ ...moved, closed: false, status: 'open' })).toBe(open);
  const settled = { ...moved, closed: true, status: 'reconciled', profitLossMicros: -1e6 };
  expect(await grossAfter(settled)).toBe(before);
});
