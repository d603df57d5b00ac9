import { expect, it } from 'vitest';
import { CalmDay } from '../support/calm-day.ts';
import { StillMarket } from '../support/still-market.ts';

const LIMIT_USDT = '60';
const settings = {
  'risk.loss.dayUsdt': LIMIT_USDT,
  'risk.loss.fromPeakUsdt': LIMIT_USDT,
  'risk.loss.strategyDayUsdt': LIMIT_USDT,
  'risk.loss.strategyFromPeakUsdt': LIMIT_USDT,
  // A quote at 9.4 may lose this much, so that its stake is about 20.
  'strategy.parameters.stake': '175',
};

/** A day on which we have sold 20 USDT at about 9.4. */
async function withPosition(): Promise<{ readonly day: CalmDay; readonly market: StillMarket }> {
  const day = new CalmDay({ world: { events: 0 }, settings });
  const market = new StillMarket(day.world, 7_200);
  market.move(9, 11);
  await day.begin();
  await day.pass(10_000);
  market.take('for', 20);
  await day.pass(10_000);
  return { day, market };
}

const isKilled = ({ run }: CalmDay): boolean => run.composed.core.risk.killed !== null;

it('does not kill over a market that the others have left', async () => {
  const { day, market } = await withPosition();
  market.move(1.01, 1000);
  await day.pass(10_000);
  expect(isKilled(day)).toBe(false);
});

it('kills over a loss that even a wide market’s prices leave beyond doubt', async () => {
  const { day, market } = await withPosition();
  market.move(1.1, 2);
  await day.pass(10_000);
  expect(isKilled(day)).toBe(true);
});

it('shows the result by which it judges losses, of a market that the others have left and of one that is gone', async () => {
  const { day, market } = await withPosition();
  const shown = (): number => day.run.daemon.status().profitLoss;
  const judged = (): number =>
    (day.run.composed.core.risk.snapshot().results.find(({ of }) => of.kind === 'account')?.totalMicros ??
      NaN) / 1e6;
  for (const move of [() => market.move(8, 9), () => market.move(1.01, 1000), () => market.withdraw()]) {
    move();
    await day.pass(10_000);
    expect(shown()).toBeCloseTo(judged(), 6);
    expect(shown()).not.toBe(0);
  }
});
