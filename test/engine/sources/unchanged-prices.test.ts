import { expect, it } from 'vitest';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

it('quotes an event with long-unchanged prices as soon as it has a place for it', async () => {
  const day = new CalmDay({ world: { events: 0 }, daemon: { maxSelections: 1 } });
  const first = new StillMarket(day.world, 300, '2026-03-01');
  const second = new StillMarket(day.world, 7_200, '2026-03-02');
  await day.begin();
  const quoted = (): string[] => [...new Set(day.open().map(({ eventId }) => eventId))];
  expect(quoted()).toEqual([first.eventId]);
  await day.pass(310_000);
  expect(quoted()).toEqual([second.eventId]);
});
