import { expect, it } from 'vitest';
import type { OrderId, SelectionId } from '../../../src/domain/ids.ts';
import type { VenueBet } from '../../../src/domain/orders.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';

/** A day with an order of ours that two bets have filled in part, and helpers to mark and measure them. */
async function dayWithTwoBets(settings: Readonly<Record<string, string>> = {}) {
  const { day, market } = await dayWithBet(settings);
  const { exchange, wires } = day.world;
  await day.pass(5_000);
  for (let times = 0; times < 2; times++) market.take('for', 4);
  await day.pass(1_000);
  const isHalf = ({ fills }: InspectedOrder): boolean => fills.length === 2;
  const [order] = (exchange.inspect().openOrders ?? []).filter(isHalf) as [InspectedOrder];
  const mark = async (bet: InspectedOrder['fills'][number], as: 'void' | 'success'): Promise<void> => {
    wires.host.run((nowMs) => exchange.markBet(bet.betId, as, nowMs));
    await day.pass(500);
  };
  const restart = async (): Promise<void> => {
    await day.crash();
    await day.begin(false);
  };
  const ifWins = () =>
    day.run.composed.parts.core.ledger.position(market.selectionId as SelectionId).ifWinMicros;
  return { day, order, mark, restart, ifWins };
}

const liability = (bet: InspectedOrder['fills'][number]): number =>
  Math.round(bet.stakeMicros * (bet.price - 1));

it('counts a voided bet until its order is over, and not afterwards, over restarts as well', async () => {
  const { day, order, mark, restart, ifWins } = await dayWithTwoBets();
  const [bet] = order.fills as [InspectedOrder['fills'][number]];
  const before = ifWins();
  await mark(bet, 'void');
  expect(ifWins()).toBe(before);
  // Resting quotes would count as well.
  day.run.composed.parts.orders.stopQuoting('test');
  await day.pass(60_000);
  const counted = () => [ifWins(), 0 - day.run.composed.core.risk.exposure().account.grossMicros];
  const less = [before + liability(bet), before + liability(bet)];
  expect(counted()).toEqual(less);
  await restart();
  expect(counted()).toEqual(less);
  await mark(bet, 'success');
  expect(ifWins()).toBe(before);
  await restart();
  expect(ifWins()).toBe(before);
});

it('quotes on, without a position mismatch, when a bet is voided while its order is open', async () => {
  const { day, order, mark } = await dayWithTwoBets({ 'orders.durationS': '600' });
  await mark(order.fills[0] as InspectedOrder['fills'][number], 'void');
  await day.pass(90_000);
  const guards = day.run.composed.core.risk.guards.active().map(({ guard }) => guard);
  expect(guards).not.toContain('position_mismatch');
  const open = day.world.exchange.inspect().openOrders ?? [];
  expect(open.map(({ orderId }) => orderId)).toContain(order.orderId);
});

it.each(['failed', 'unplaced'])(
  'cancels no other bets when a bet becomes %s while its order is open',
  async (statusCode) => {
    const { day, order } = await dayWithTwoBets({ 'orders.durationS': '600' });
    const { venue } = day.run.composed.parts;
    const asked = venue.order(order.orderId as OrderId);
    await day.pass(1_000);
    const word = await asked;
    const [bet, other] = word.bets as [VenueBet, VenueBet];
    const { account } = day.run.composed.core;
    const changed = { ...word, bets: [{ ...bet, statusCode }, other] };
    account.apply({ kind: 'report', order: changed, atMs: day.world.clock.wallMs() });
    expect([bet, other].map(({ betId }) => account.bets.stateOf(betId))).toEqual(['doubtful', 'matched']);
  },
);

it('settles an order whose bets were all voided while it was open, over a restart as well', async () => {
  const { day, order, mark, restart } = await dayWithTwoBets();
  for (const bet of order.fills) await mark(bet, 'void');
  await day.pass(120_000);
  const result = () =>
    day.run.composed.core.account.bets.resultOf(order.orderId as OrderId)?.profitLossMicros;
  expect(result()).toBe(0);
  await restart();
  expect(result()).toBe(0);
});

it('counts an order again that was voided whole and reopened, over restarts as well', async () => {
  const { day, order, mark, restart, ifWins } = await dayWithTwoBets();
  const [first, second] = order.fills as [InspectedOrder['fills'][number], InspectedOrder['fills'][number]];
  // The order is over by then.
  await day.pass(60_000);
  const before = ifWins();
  const counted = () => [ifWins(), 0 - day.run.composed.core.risk.exposure().account.grossMicros];
  // Resting quotes would count as well.
  day.run.composed.parts.orders.stopQuoting('test');
  for (const bet of [first, second]) await mark(bet, 'void');
  const without = before + liability(first) + liability(second);
  expect(ifWins()).toBe(without);
  await mark(first, 'success');
  const half = before + liability(second);
  expect(counted()).toEqual([half, half]);
  await restart();
  expect(counted()).toEqual([half, half]);
  await mark(second, 'success');
  expect(ifWins()).toBe(before);
  await restart();
  expect(counted()).toEqual([before, before]);
  for (const bet of [first, second]) await mark(bet, 'void');
  await restart();
  expect(counted()).toEqual([without, without]);
});
