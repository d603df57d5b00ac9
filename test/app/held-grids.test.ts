import { expect, it } from 'vitest';
import { CalmDay } from '../support/calm-day.ts';
import { StillMarket } from '../support/still-market.ts';

it('after a restart risk judges what is held on its payoff grid, though it is not quoted any more', async () => {
  const day = new CalmDay({ world: { events: 0 } });
  const market = new StillMarket(day.world, 3_600);
  await day.begin();
  market.take('for', 20);
  await day.pass(1_000);
  const held = (): readonly unknown[] =>
    day.run.composed.risk.exposure().events.map(({ eventId, offGrid }) => ({ eventId, offGrid }));
  expect(held()).toEqual([{ eventId: market.eventId, offGrid: [] }]);
  await day.crash();
  market.withdraw();
  await day.begin(false);
  await day.pass(5_000);
  expect(day.run.composed.engine.chosen.size).toBe(0);
  expect(held()).toEqual([{ eventId: market.eventId, offGrid: [] }]);
});
