import { expect, it } from 'vitest';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const HOUR_S = 3_600;

it.each([0, 400])(
  'quotes an event that was gone for %i ms again within seconds, though its registration ended',
  async (goneMs) => {
    const day = new CalmDay({ world: { events: 0 } });
    const market = new StillMarket(day.world, HOUR_S);
    await day.begin();
    await day.pass(3_300);
    market.does((live, nowMs) => live.removeEvent(market.at, nowMs));
    await day.pass(goneMs);
    new StillMarket(day.world, HOUR_S);
    await day.pass(6_000);
    expect(day.open()).toHaveLength(2);
  },
);
