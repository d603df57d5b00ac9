import { expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';

it('values a bet by its own market’s last prices, though another market is quoted now', async () => {
  const { day, market } = await dayWithBet();
  const { engine, parts, core } = day.run.composed;
  const { risk } = core;
  const resultMicros = (): number | undefined =>
    risk.snapshot().results.find(({ of }) => of.kind === 'account')?.totalMicros;
  market.does((exchange, nowMs) => {
    const other = { ...market.at, outcome: 'over,2.5' };
    exchange.setLevel('maker', other, 'against', 1.9, toMicros(1_000), nowMs);
    exchange.setLevel('maker', other, 'for', 2.1, toMicros(1_000), nowMs);
  });
  engine.setRules({ ...parts.rules, marketTypes: ['ou'] });
  await day.pass(10_000);
  market.move(1.3, 1.4);
  await day.pass(10_000);
  const lostMicros = resultMicros();
  expect(lostMicros).toBeLessThan(-5e6);
  market.withdraw();
  await day.pass(10_000);
  expect([...engine.chosen.values()]).toEqual([[`fb|${market.eventId}|over,2.5`]]);
  expect(resultMicros()).toBe(lostMicros);
});
