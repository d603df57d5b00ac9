import { describe, expect, it } from 'vitest';
import type { HedgePreviewReport, HedgeProgressReport } from '../../src/app/operate/hedge.ts';
import type { CalmDay } from '../support/calm-day.ts';
import { layingHome, takesOf } from '../support/hedged-day.ts';

/** A day on which we have sold 20 USDT at about 9.4. */
async function withPosition() {
  const held = await layingHome();
  await held.day.pass(8_000);
  return held;
}

const preview = (day: CalmDay, goal: object): HedgePreviewReport =>
  day.controls.hedge.preview({ event: 'A v B', ...goal }) as HedgePreviewReport;

const make = (day: CalmDay, { plan }: HedgePreviewReport): HedgeProgressReport | null =>
  day.controls.hedge.make(plan, 'a red grid', 'anna') as HedgeProgressReport | null;

const progress = (day: CalmDay, plan: string): HedgeProgressReport =>
  day.controls.hedge.progress(plan) as HedgeProgressReport;

describe('a hedge of an event with bets', () => {
  it('brings the worst case to the bound by one take, in two steps', async () => {
    const { day } = await withPosition();
    const before = preview(day, { boundUsdt: 50 });
    expect(before.worstUsdt.before).toBeLessThan(-150);
    expect(before.worstUsdt.after).toBeGreaterThanOrEqual(-50);
    expect(before.worstUsdt.least).toBeCloseTo(before.worstUsdt.before, 6);
    expect(before.bets).toMatchObject([{ direction: 'for', price: 9 }]);
    expect(takesOf(day)).toEqual([]);

    make(day, before);
    await day.until('the hedge is over', () => progress(day, before.plan).isOver);

    expect(takesOf(day)).toHaveLength(1);
    const after = progress(day, before.plan);
    expect(after.bets).toMatchObject([{ state: 'ended' }]);
    expect(after.bets[0]?.filledUsdt).toBeCloseTo(before.bets[0]?.stakeUsdt ?? NaN, 2);
    expect(after.worstUsdt).toBeGreaterThanOrEqual(-50);
    await day.pass(60_000);
    expect(takesOf(day)).toHaveLength(1);
  });

  it('makes the selection pay the same whatever its outcome', async () => {
    const { day } = await withPosition();
    const flat = preview(day, { flatten: 'A' });
    make(day, flat);
    await day.until('the hedge is over', () => progress(day, flat.plan).isOver);
    const { ifWinMicros, ifLoseMicros } = day.run.composed.core.ledger.position(
      `fb|${day.run.composed.core.risk.heldEvents()[0]?.eventId}|h` as never,
    );
    expect(Math.abs(ifWinMicros - ifLoseMicros)).toBeLessThan(0.1e6);
  });

  it('is made once, within its time, and only while its prices hold', async () => {
    const { day, market } = await withPosition();
    const late = preview(day, { boundUsdt: 50 });
    await day.pass(121_000);
    expect(make(day, late)).toBeNull();
    const moved = preview(day, { boundUsdt: 50 });
    market.move(8, 11);
    await day.pass(5_000);
    expect(() => make(day, moved)).toThrow('its prices no longer hold its stakes');
    const last = preview(day, { boundUsdt: 50 });
    expect(make(day, last)).toMatchObject({ isOver: false });
    expect(make(day, last)).toBeNull();
  });

  it('is refused in words where there is nothing to hedge', async () => {
    const { day } = await withPosition();
    expect(() => preview(day, { boundUsdt: 1_000 })).toThrow('within the bound');
    expect(() => preview(day, { equalise: '' })).toThrow('of which exactly one selection wins');
    expect(day.controls.hedge.preview({ event: 'C v D', boundUsdt: 1 })).toBeNull();
    expect(preview(day, { flatten: 'nobody' })).toBeNull();
  });

  it('sends nothing after a kill', async () => {
    const { day } = await withPosition();
    const planned = preview(day, { boundUsdt: 50 });
    day.controls.kill('drill', 'anna');
    make(day, planned);
    await day.pass(40_000);
    expect(takesOf(day)).toEqual([]);
    expect(progress(day, planned.plan)).toMatchObject({ isOver: true, bets: [{ state: 'wanted' }] });
  });

  it('rests where it is offered, as one order, and closes when its time is over', async () => {
    const { day, market } = await withPosition();
    const offered = preview(day, { boundUsdt: 50, offer: true });
    expect(offered.bets).toMatchObject([{ direction: 'for', price: 11 }]);
    make(day, offered);
    await day.until('it rests', () => progress(day, offered.plan).bets[0]?.state === 'sent');
    market.take('against', 1_200);
    await day.until('it is matched', () => progress(day, offered.plan).isOver);
    expect(progress(day, offered.plan).worstUsdt).toBeGreaterThanOrEqual(-50);
    await day.pass(60_000);
    expect(progress(day, offered.plan).bets[0]?.state).toBe('ended');
  });
});
