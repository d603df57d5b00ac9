import { expect, it } from 'vitest';
import { KEY } from '../../sim/world.ts';
import type { CalmDay } from '../../support/calm-day.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';
import { StillMarket } from '../../support/still-market.ts';

/** Buys a manual parlay of 100 USDT on the first outcome of each event, and fills it. */
async function buyParlay(day: CalmDay, eventIds: readonly string[]): Promise<void> {
  const legs = eventIds.map((eventId) => ({ sport: 'fb', event_id: eventId, bet_type: 'for,h' }));
  const { betslip_id } = await post(day, '/v2/betslips/', { betslip_type: 'parlay', legs });
  await day.pass(3_000);
  await post(day, '/v2/orders/', { betslip_id, price: 2, stake: ['USDT', 100], duration: 30 });
  await day.pass(300_000);
}

async function post(day: CalmDay, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const { http } = day.world.wires;
  const answer = http.send({ method: 'POST', path, headers, body: JSON.stringify(body), timeoutMs: 5_000 });
  await day.pass(2_000);
  const { status, data } = JSON.parse((await answer).body) as { status: string; data: object };
  expect(status).toBe('ok');
  return { ...data };
}

const scored = (home: number, away: number) =>
  ({ kind: 'end', result: { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away } }) as const;

it('counts a parlay again when its losing leg is corrected, over restarts as well, until it is won', async () => {
  const { day, market } = await dayWithBet();
  const other = new StillMarket(day.world, 3_600, '2026-03-02');
  day.halt('so that nothing of ours is open');
  await day.until('closed', () => day.open().length === 0);
  await buyParlay(day, [other.eventId, market.eventId]);
  const balanceUsdt = (): number => (day.world.inspectAccounts()[0]?.balanceMicros ?? 0) / 1e6;
  const startUsdt = balanceUsdt();
  const known = () => {
    const { parts } = day.run.composed;
    const { risk } = parts.core;
    const { realisedMicros } = parts.core.ledger.profitLoss(() => null);
    // A parlay belongs to no event, however many legs it has.
    const at = risk.exposure().events.find(({ eventId }) => eventId === '');
    return { resultUsdt: realisedMicros / 1e6, atStakeUsdt: (at?.grossMicros ?? 0) / 1e6 };
  };
  const restart = async (): Promise<void> => {
    await day.crash();
    await day.begin(false);
    await day.pass(5_000);
  };
  other.intervene(scored(0, 1));
  await day.pass(1_000);
  expect(known()).toEqual({ resultUsdt: -100, atStakeUsdt: 0 });
  other.intervene(scored(1, 0));
  await day.pass(1_000);
  expect(balanceUsdt()).toBe(startUsdt);
  expect(known()).toEqual({ resultUsdt: 0, atStakeUsdt: 100 });
  await restart();
  expect(known()).toEqual({ resultUsdt: 0, atStakeUsdt: 100 });
  market.intervene(scored(1, 0));
  await day.pass(1_000);
  for (let times = 0; times < 2; times++) {
    const { resultUsdt, atStakeUsdt } = known();
    expect([resultUsdt, atStakeUsdt]).toEqual([expect.closeTo(balanceUsdt() - startUsdt, 5), 0]);
    await restart();
  }
});

it('counts only the stake of a manual parlay, over a restart as well', async () => {
  const { day, market } = await dayWithBet();
  day.halt('so that nothing of ours is open');
  await day.until('closed', () => day.open().length === 0);
  const grossUsdt = (): number => day.run.composed.core.risk.accountExposure().grossMicros / 1e6;
  const without = grossUsdt();
  await buyParlay(day, [market.eventId, new StillMarket(day.world, 3_600, '2026-03-02').eventId]);
  expect(grossUsdt()).toBeCloseTo(without + 100, 3);
  await day.stop();
  await day.pass(300_000);
  await day.begin(false);
  await day.pass(65_000);
  expect(grossUsdt()).toBeCloseTo(without + 100, 3);
});
