import { expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { dayWithBet } from '../support/day-with-bet.ts';

it('a bet that is taken back while its order works counts no more, over a restart as well', async () => {
  const { day, market } = await dayWithBet();
  const { exchange, wires } = day.world;
  await day.pass(5_000);
  market.take('for', 5);
  await day.pass(1_000);
  const [order] = (exchange.inspect().openOrders ?? []).filter(({ fills }) => fills.length > 0) as [
    InspectedOrder,
  ];
  const [bet] = order.fills as [InspectedOrder['fills'][number]];
  const ifWins = () => day.run.composed.parts.ledger.position(market.selectionId as SelectionId).ifWinMicros;
  const atStake = () => day.run.composed.risk.exposure().account.grossMicros;
  const [winsBefore, stakeBefore] = [ifWins(), atStake()];
  const liability = Math.round(bet.stakeMicros * (bet.price - 1));
  wires.host.run((nowMs) => exchange.markBet(bet.betId, 'void', nowMs));
  await day.pass(500);
  expect([ifWins(), atStake()]).toEqual([winsBefore + liability, stakeBefore - liability]);
  await day.crash();
  await day.begin(false);
  expect(ifWins()).toBe(winsBefore + liability);
});
