import { expect, it } from 'vitest';
import { dayWithBet } from '../../support/day-with-bet.ts';

const HOUR_MS = 3_600_000;

it.each([0, 11])(
  'books a result that arrives while the daemon is down, after a start with a clock %i h ahead',
  async (hours) => {
    const { day, market } = await dayWithBet();
    await day.crash();
    day.world.clock.jumpWall(hours * HOUR_MS);
    await day.begin(false);
    await day.pass(30_000);
    day.world.clock.jumpWall(-hours * HOUR_MS);
    await day.pass(60_000);
    await day.crash();
    const result = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;
    market.intervene({ kind: 'end', result });
    await day.pass(90_000);
    await day.begin(false);
    await day.pass(120_000);
    const { ledger } = day.run.composed.core;
    expect(ledger.profitLoss(() => null).realisedMicros).not.toBe(0);
    expect(ledger.selections()).toEqual([]);
  },
);
