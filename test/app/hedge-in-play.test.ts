import { describe, expect, it } from 'vitest';
import type { HedgePreviewReport, HedgeProgressReport } from '../../src/app/operate/hedge.ts';
import type { CalmDay } from '../support/calm-day.ts';
import { layingHome, takesOf } from '../support/hedged-day.ts';
import type { StillMarket } from '../support/still-market.ts';

const BET_DELAY_MS = 3_000;

const scored = (market: StillMarket, home: number, away: number): void =>
  market.does((exchange, nowMs) => exchange.setScore(market.at, home, away, nowMs));

/** We have sold home before the start, and it is in play at 0-0, with a bet delay. */
async function inPlay() {
  const held = await layingHome({ 'risk.inPlay.scoreMaxAgeS': '3600' }, { inPlay: true });
  const { day, market } = held;
  await day.pass(8_000);
  market.does((exchange, nowMs) => {
    exchange.setBetDelay(market.at, ['h'], { delayMs: BET_DELAY_MS, isPassive: false }, nowMs);
    exchange.goInRunning(market.at, nowMs);
    exchange.setTime(market.at, '1h', 10, nowMs);
  });
  scored(market, 0, 0);
  await day.pass(4_000);
  market.move(9, 11);
  await day.pass(4_000);
  return held;
}

const preview = (day: CalmDay, goal: object): HedgePreviewReport =>
  day.controls.hedge.preview({ event: 'A v B', ...goal }) as HedgePreviewReport;

const make = (day: CalmDay, { plan }: HedgePreviewReport): unknown =>
  day.controls.hedge.make(plan, 'in play', 'anna');

const progress = (day: CalmDay, { plan }: HedgePreviewReport): HedgeProgressReport =>
  day.controls.hedge.progress(plan) as HedgeProgressReport;

const scoresOf = (day: CalmDay): unknown[] =>
  takesOf(day).map(
    ({ body }) => (JSON.parse(body ?? '{}') as { readonly current_score?: unknown }).current_score,
  );

describe('a hedge in play', () => {
  it('asserts the score that it was decided by, waits for the bet delay, and reaches its bound', async () => {
    const { day, market } = await inPlay();
    scored(market, 0, 1);
    await day.pass(30_000);
    market.move(9, 11);
    await day.pass(2_000);
    const planned = preview(day, { boundUsdt: 50 });
    expect(planned.seconds).toBeGreaterThan(1.5);
    make(day, planned);
    await day.until('its take is sent', () => progress(day, planned).bets[0]?.state === 'sent');
    const sentMs = day.world.clock.monotonicMs();
    await day.until('it is over', () => progress(day, planned).isOver);
    expect(day.world.clock.monotonicMs() - sentMs).toBeGreaterThanOrEqual(BET_DELAY_MS - 200);
    expect(scoresOf(day)).toEqual([[0, 1]]);
    expect(progress(day, planned).worstUsdt).toBeGreaterThanOrEqual(-50);
  });

  it('counts and shows the final scores alone that can still be', async () => {
    const { day, market } = await inPlay();
    const names = (): readonly string[] => preview(day, { boundUsdt: 50 }).outcomes.map(({ name }) => name);
    // Every score, and that the bets are void.
    expect([names().includes('0-0'), names().at(-1), names().length]).toEqual([true, 'void', 401]);
    scored(market, 0, 2);
    await day.pass(30_000);
    market.move(9, 11);
    await day.pass(2_000);
    expect([names().includes('0-0'), names().includes('0-2'), names().length]).toEqual([false, true, 361]);
  });

  it('is not sent once the score is another than the one that it was decided by', async () => {
    const { day, market } = await inPlay();
    const planned = preview(day, { boundUsdt: 50 });
    make(day, planned);
    scored(market, 1, 0);
    await day.pass(20_000);
    expect(scoresOf(day).filter((score) => JSON.stringify(score) !== '[1,0]')).toEqual([]);
  });
});
