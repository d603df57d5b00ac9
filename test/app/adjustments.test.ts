import { describe, expect, it } from 'vitest';
import { fromMicros } from '../../src/domain/money.ts';
import { CalmDay } from '../support/calm-day.ts';
import { limitEvent } from '../support/hedged-day.ts';
import { StillMarket } from '../support/still-market.ts';

const EVENT = 'A v B';
const WHY = { reason: 'a rumour' };

/** A day on which both sides of one selection are quoted. */
async function quoting(startsInS = 3_600) {
  const day = new CalmDay({ world: { events: 0 } });
  const market = new StillMarket(day.world, startsInS);
  await day.begin();
  await day.pass(5_000);
  return { day, market };
}

const stakesOf = (day: CalmDay): readonly number[] =>
  day.open().map(({ stakeMicros }) => fromMicros(stakeMicros));

/** Whether each stake is so much of what it was; quotes move a little, and their stakes with them. */
const isShare = (stakes: readonly number[], before: readonly number[], share: number): boolean =>
  stakes.length === before.length &&
  stakes.every((stake, at) => Math.abs(stake / (before[at] ?? NaN) / share - 1) < 0.1);

const idsOf = (day: CalmDay): readonly unknown[] => day.open().map(({ orderId }) => orderId);

const adjust = (day: CalmDay, wish: object): unknown =>
  day.controls.adjust.adjust({ event: EVENT, ...WHY, ...wish }, 'anna');

describe('the stakes of an event', () => {
  it('are scaled at once, and come back when the time is over', async () => {
    const { day } = await quoting();
    const before = stakesOf(day);
    expect(adjust(day, { stakeFactor: 0.5, minutes: 5 })).toMatchObject({
      of: EVENT,
      adjustments: [{ what: 'stake', amount: 0.5, by: 'anna', why: 'a rumour' }],
    });
    await day.until('half is quoted', () => isShare(stakesOf(day), before, 0.5));
    await day.pass(5 * 60_000);
    await day.until('all is quoted', () => isShare(stakesOf(day), before, 1));
  });

  it('never pass a limit of risk, however they are scaled', async () => {
    const { day } = await quoting();
    const [stake = NaN] = stakesOf(day);
    limitEvent(day, stake * 1.5);
    adjust(day, { stakeFactor: 2 });
    // Orders that rest keep their place until they are renewed.
    await day.pass(120_000);
    expect(stakesOf(day).filter((each) => each > stake * 1.5)).toEqual([]);
    expect(day.creates()).toBeGreaterThan(0);
    const why = day.controls.why(null) as readonly { reason: Record<string, string | null> }[];
    expect(Object.values(why[0]?.reason ?? {}).join()).toContain('risk.');
  });
});

it('widened quotes rest that many ticks further from fair', async () => {
  const { day } = await quoting();
  const pricesOf = (): readonly number[] => day.open().map(({ price }) => price);
  const before = pricesOf();
  adjust(day, { widenTicks: 4 });
  await day.until(
    'wider',
    () => day.open().length === 2 && pricesOf().every((each) => !before.includes(each)),
  );
  expect(Math.max(...pricesOf()) - Math.min(...pricesOf())).toBeGreaterThan(
    Math.max(...before) - Math.min(...before),
  );
});

describe('an event that is left as it is', () => {
  it('has its orders neither closed nor renewed, until it is left no more', async () => {
    const { day, market } = await quoting();
    const before = idsOf(day);
    adjust(day, { leave: true });
    market.move(1.8, 2.1);
    await day.pass(20_000);
    expect(idsOf(day)).toEqual(before);
    await day.pass(90_000);
    expect(day.open()).toEqual([]);
    expect(day.controls.why(null)).toMatchObject([
      { reason: { for: 'person.left', against: 'person.left' } },
    ]);
    adjust(day, { leave: false });
    await day.until('quoted again', () => day.open().length === 2);
  });

  it.each([
    ['a kill', (day: CalmDay) => day.controls.kill('drill', 'anna')],
    ['a pause', (day: CalmDay) => day.controls.pause('drill', 'anna')],
    [
      'a stop of it',
      (day: CalmDay) => day.controls.setState({ state: 'halted', event: EVENT, ...WHY }, 'anna'),
    ],
  ])('is closed by %s all the same', async (_, stop) => {
    const { day } = await quoting();
    adjust(day, { leave: true });
    await day.pass(2_000);
    stop(day);
    await day.until('closed', () => day.open().length === 0);
    await day.pass(10_000);
    expect(day.open()).toEqual([]);
  });
});

describe('what a person wants of an event', () => {
  it('stands over a crash and a restart', async () => {
    const { day } = await quoting();
    const before = stakesOf(day);
    day.controls.adjust.adjust({ event: EVENT, stakeFactor: 0.5, minutes: 5, ...WHY }, 'anna');
    await day.crash();
    await day.begin();
    await day.pass(5_000);
    expect(isShare(stakesOf(day), before, 0.5)).toBe(true);
    expect(day.controls.risk()).toMatchObject({
      adjustments: [{ event: EVENT, what: 'stake', amount: 0.5, by: 'anna' }],
    });
    await day.pass(300_000);
    expect(day.controls.risk()).toMatchObject({ adjustments: [] });
  });

  it('ends at the announced start of the event where that is wanted, and not after it', async () => {
    const { day } = await quoting(600);
    adjust(day, { stakeFactor: 0.5, untilStart: true });
    expect(day.controls.risk()).toMatchObject({ adjustments: [{ untilMs: expect.any(Number) as number }] });
    await day.pass(600_000);
    expect(day.controls.risk()).toMatchObject({ adjustments: [] });
    expect(() => adjust(day, { stakeFactor: 0.5, untilStart: true })).toThrow('has passed');
  });

  it.each([
    [{ stakeFactor: 0.5 }, false],
    [{ stakeFactor: 2 }, true],
    [{ widenTicks: 2 }, false],
    [{ leave: true }, true],
    [{ leave: false }, true],
  ])('%j loosens: %j', async (wish, loosens) => {
    const { day } = await quoting();
    expect(day.controls.adjust.loosens({ event: EVENT, ...WHY, ...wish })).toBe(loosens);
  });

  it('loosens, too, where it ends before what is in force', async () => {
    const { day } = await quoting();
    adjust(day, { stakeFactor: 0.5 });
    day.controls.setState({ state: 'halted', event: EVENT, ...WHY }, 'anna');
    const { adjust: adjustments, loosens } = day.controls;
    expect(adjustments.loosens({ event: EVENT, ...WHY, stakeFactor: 0.25, minutes: 5 })).toBe(true);
    expect(loosens({ state: 'halted', event: EVENT, ...WHY, minutes: 5 })).toBe(true);
    expect(loosens({ state: 'halted', event: EVENT, ...WHY })).toBe(false);
  });

  it('is nothing for an event that is not known', async () => {
    const { day } = await quoting();
    expect(day.controls.adjust.adjust({ event: 'C v D', leave: true, ...WHY }, 'anna')).toBeNull();
  });
});

describe('a stop with an end', () => {
  it('is over by itself, also after a restart', async () => {
    const { day } = await quoting();
    day.controls.setState({ state: 'halted', event: EVENT, minutes: 10, ...WHY }, 'anna');
    await day.until('closed', () => day.open().length === 0);
    await day.crash();
    await day.begin(false);
    await day.pass(5_000);
    expect(day.open()).toEqual([]);
    await day.pass(600_000);
    await day.until('quoted again', () => day.open().length === 2);
  });
});
