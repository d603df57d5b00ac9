import { expect, it } from 'vitest';
import { dayWithBet, lossLimitsOf } from '../support/day-with-bet.ts';

it('a loss of open bets counts once, however often the daemon starts again', async () => {
  const { day, market } = await dayWithBet(lossLimitsOf(25));
  market.move(1.3, 1.4);
  await day.pass(65_000);
  const lostMicros = (): readonly number[] =>
    day.run.composed.risk.snapshot().results.map(({ dayMicros }) => 0 - dayMicros);
  const before = lostMicros();
  expect(Math.min(...before)).toBeGreaterThan(15e6);
  for (let restart = 0; restart < 2; restart++) {
    await day.crash();
    await day.begin(false);
    await day.pass(65_000);
    expect(lostMicros()).toEqual(before);
    expect(day.run.composed.risk.killed).toBeNull();
  }
});

it('nor does it when the daemon starts killed, and dies before it has looked around', async () => {
  const { day, market } = await dayWithBet();
  market.move(1.3, 1.4);
  await day.pass(65_000);
  const remembered = (): unknown => day.run.composed.journal.last('risk_snapshot')?.data;
  day.controls.kill('drill', 'a person');
  const { fairs } = remembered() as { readonly fairs: unknown };
  expect(fairs).toEqual([[market.selectionId, expect.any(Number)]]);
  await day.crash();
  await day.begin(false);
  expect(remembered()).toMatchObject({ kill: { reason: 'drill' }, fairs });
});
