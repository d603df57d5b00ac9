import { describe, expect, it } from 'vitest';
import type { HedgePreviewReport, HedgeProgressReport } from '../../src/app/operate/hedge.ts';
import { TouchlineError } from '../../src/domain/errors.ts';
import type { StateWish } from '../../src/ops/commands/controls.ts';
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

  it('sends nothing after a kill that comes while it is at work', async () => {
    const { day } = await withPosition();
    const planned = preview(day, { boundUsdt: 50 });
    make(day, planned);
    day.controls.kill('drill', 'anna');
    await day.pass(40_000);
    expect(takesOf(day)).toEqual([]);
    expect(progress(day, planned.plan)).toMatchObject({
      isOver: true,
      boundUsdt: 50,
      bets: [{ state: 'wanted', why: 'never sent: a kill ended the hedge' }],
    });
  });

  it('names the state that kept its bet from being sent', async () => {
    const { day } = await withPosition();
    const planned = preview(day, { boundUsdt: 50 });
    make(day, planned);
    day.halt('odd news');
    await day.pass(1_000);
    progress(day, planned.plan);
    await day.pass(40_000);
    expect(takesOf(day)).toEqual([]);
    expect(progress(day, planned.plan)).toMatchObject({
      isOver: true,
      bets: [{ state: 'wanted', why: 'never sent: trading is paused' }],
    });
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

describe('while a person or a limit has stopped trading', () => {
  type Stop = (day: CalmDay) => void;
  const state =
    (wish: object): Stop =>
    (day) =>
      void day.controls.setState({ reason: 'odd news', ...wish } as StateWish, 'anna');
  const [event, selection] = ['A v B', 'A v B: A'];
  const ownerOf = (day: CalmDay): string => day.run.composed.core.strategies.names[0] ?? '';

  const STOPS: readonly (readonly [name: string, stop: Stop, words: readonly string[]])[] = [
    [
      'killed',
      (day) => void day.controls.kill('drill', 'anna'),
      ['killed by anna (drill)', 'touchline resume'],
    ],
    [
      'paused',
      (day) => void day.controls.pause('lunch', 'anna'),
      ['account is halted by anna (lunch)', 'touchline resume', 'touchline risk state reducing --reason'],
    ],
    [
      'with a halted account',
      state({ state: 'halted' }),
      ['account is halted by anna', 'touchline risk state active --reason'],
    ],
    [
      'with a halted strategy',
      (day) =>
        day.run.composed.core.apply({
          kind: 'latch_strategy',
          strategy: ownerOf(day),
          by: 'a limit',
          why: 'losses',
        }),
      ['the strategy', 'halted by a limit (losses)', 'touchline resume'],
    ],
    [
      'with a halted event',
      state({ state: 'halted', event }),
      ['A v B is halted by anna (odd news)', 'state active --event', 'state reducing --event'],
    ],
    [
      'with an event that is left as it is',
      (day) => void day.controls.adjust.adjust({ event, leave: true, reason: 'odd news' }, 'anna'),
      ['A v B is left as it is by anna', 'touchline risk adjust "A v B" --no-leave'],
    ],
  ];

  const refusalOf = (ask: () => unknown): string => {
    try {
      ask();
    } catch (error) {
      if (error instanceof TouchlineError && error.code === 'refused') return error.message;
      throw error;
    }
    return 'not refused';
  };

  it.each(STOPS)(
    '%s: a preview and its making are refused at once, and nothing is sent',
    async (_, stop, words) => {
      const { day } = await withPosition();
      const before = preview(day, { boundUsdt: 50 });
      stop(day);
      for (const goal of [{ boundUsdt: 50 }, { boundUsdt: 50, offer: true }, { flatten: 'A' }])
        for (const each of words) expect(refusalOf(() => preview(day, goal))).toContain(each);
      for (const each of words) expect(refusalOf(() => make(day, before))).toContain(each);
      await day.pass(40_000);
      expect(takesOf(day)).toEqual([]);
    },
  );

  it('with a halted selection: what needs it is refused, a bound does without it', async () => {
    const { day } = await withPosition();
    const before = preview(day, { boundUsdt: 50 });
    state({ state: 'halted', selection })(day);
    for (const ask of [() => preview(day, { flatten: 'A' }), () => make(day, before)])
      expect(refusalOf(ask)).toMatch(/^A is halted by anna .*touchline risk state active --selection/);
    expect(refusalOf(() => preview(day, { boundUsdt: 50 }))).toContain('no bet that is there now');
    await day.pass(40_000);
    expect(takesOf(day)).toEqual([]);
  });

  it.each<[string, Stop]>([
    ['active', () => undefined],
    ['an account that may only reduce', state({ state: 'reducing' })],
    ['an event that may only reduce', state({ state: 'reducing', event })],
    ['a selection that may only reduce', state({ state: 'reducing', selection })],
    [
      'an event that may only reduce, after a pause and RESUME',
      (day) => {
        day.controls.pause('lunch', 'anna');
        state({ state: 'reducing', event })(day);
        day.resume();
      },
    ],
  ])('it is sent and matched with %s', async (_, stop) => {
    const { day } = await withPosition();
    stop(day);
    const planned = preview(day, { boundUsdt: 50 });
    make(day, planned);
    await day.until('the hedge is over', () => progress(day, planned.plan).isOver);
    expect(progress(day, planned.plan).worstUsdt).toBeGreaterThanOrEqual(-50);
  });
});
