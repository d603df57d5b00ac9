import { expect, it } from 'vitest';
import { dayWithBet } from '../../support/day-with-bet.ts';

it('does not count a bet in danger at the exchange as a position mismatch', async () => {
  const { day } = await dayWithBet();
  const { exchange, wires } = day.world;
  await day.pass(60_000);
  const guards = () => day.run.composed.core.risk.guards.active().map(({ guard }) => guard);
  expect(guards()).not.toContain('position_mismatch');
  const own = exchange.inspect().orders.filter(({ requestUuid }) => requestUuid !== null);
  for (const { betId } of own.flatMap(({ fills }) => fills))
    wires.host.run((nowMs) => exchange.markBet(betId, 'danger', nowMs));
  await day.pass(90_000);
  expect(guards()).not.toContain('position_mismatch');
});
