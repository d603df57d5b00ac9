import { expect, it } from 'vitest';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

it('quotes a quiet event whose offers were lost at its registration', async () => {
  const day = new CalmDay({
    world: { events: 0 },
    faults: [faultSchema.parse({ target: 'stream.offer', fault: 'missing', times: 4 })],
  });
  new StillMarket(day.world, 7_200);
  await day.begin(false);
  await day.pass(20_000);
  expect(day.open()).toEqual([]);
  await day.pass(40_000);
  expect(day.open().length).toBeGreaterThan(1);
});
