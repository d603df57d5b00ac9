import { expect, it } from 'vitest';
import { RememberedDay } from '../../support/remembered-day.ts';

it('an alarm is kept with its times although no page looks, and told once it is over', async () => {
  const day = new RememberedDay();
  await day.begin();
  const wallMs = (): number => day.run.composed.parts.clock.wallMs();
  const beganMs = wallMs();
  const alerts = () =>
    day.run.daemon.records().alerts({ fromMs: beganMs, toMs: beganMs + 3_600_000, limit: 9 });
  await day.pass(20_000);
  expect(alerts()).toEqual([]);
  day.controls.kill('drill', 'anna');
  const killedMs = wallMs();
  await day.pass(300);
  const text = expect.stringContaining('drill') as string;
  expect(alerts()).toMatchObject([{ kind: 'killed', severity: 'page', text, atMs: killedMs, untilMs: null }]);
  await day.pass(15_000);
  day.resume();
  await day.pass(15_000);
  const [killed] = alerts();
  expect(killed).toMatchObject({ kind: 'killed' });
  expect((killed?.untilMs ?? NaN) - (killed?.atMs ?? NaN)).toBeCloseTo(15_300, -3);
});
