import { expect, it } from 'vitest';
import { dayWithBet } from '../../support/day-with-bet.ts';

it('judges held positions on their payoff grid after a restart, although they are no longer quoted', async () => {
  const { day, market } = await dayWithBet();
  const held = (): readonly unknown[] =>
    day.run.composed.core.risk.exposure().events.map(({ eventId, offGrid }) => ({ eventId, offGrid }));
  expect(held()).toEqual([{ eventId: market.eventId, offGrid: [] }]);
  await day.crash();
  market.withdraw();
  await day.begin(false);
  await day.pass(5_000);
  expect(day.run.composed.engine.chosen.size).toBe(0);
  expect(held()).toEqual([{ eventId: market.eventId, offGrid: [] }]);
});
