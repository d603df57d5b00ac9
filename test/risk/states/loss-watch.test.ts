import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/lib/time.ts';
import { LossWatch, type ResultRecord, seenResults } from '../../../src/risk/states/loss-watch.ts';

const ACCOUNT = { kind: 'account' } as const;
const MINE = { kind: 'strategy', strategy: 'mine' } as const;
const LIMITS = { dayUsdt: 100, fromPeakUsdt: 150, strategyDayUsdt: 50, strategyFromPeakUsdt: 60 };
const OWN = { eventUsdt: null, totalUsdt: null, openOrders: null };
const NOON = 100 * DAY_MS + DAY_MS / 2;

/** Results in USDT, on the wall clock so many days after the hundredth. The monotonic clock goes on an hour at each look. */
function rig(watch = new LossWatch(LIMITS)) {
  let nowMs = 1_000;
  const look = (usdt: number, day = 0, of: typeof ACCOUNT | typeof MINE = ACCOUNT) => {
    nowMs += DAY_MS / 24;
    return watch
      .observe(of, usdt * 1e6, NOON + day * DAY_MS, nowMs)
      .map((breach) => ({
        ...breach,
        lossMicros: breach.lossMicros / 1e6,
        limitMicros: breach.limitMicros / 1e6,
      }));
  };
  const wait = (ms: number): void => void (nowMs += ms);
  return { watch, look, wait };
}

describe('a loss', () => {
  it('reaches a limit at the limit itself, and is told whole', () => {
    const { look } = rig();
    expect(look(60)).toEqual([]);
    expect(look(-39.999999)).toEqual([]);
    expect(look(-40)).toEqual([{ of: ACCOUNT, since: 'day', lossMicros: 100, limitMicros: 100 }]);
    expect(look(-90)).toEqual([
      { of: ACCOUNT, since: 'day', lossMicros: 150, limitMicros: 100 },
      { of: ACCOUNT, since: 'peak', lossMicros: 150, limitMicros: 150 },
    ]);
  });

  it('of a strategy has the limits of strategies, or its own', () => {
    const limitsOf = (watch: LossWatch) => {
      const { look } = rig(watch);
      look(0, 0, MINE);
      return look(-1_000, 0, MINE).map(({ since, limitMicros }) => [since, limitMicros]);
    };
    const own = (lossOfDayUsdt: number | null, lossFromPeakUsdt: number | null) =>
      new Map([['mine', { ...OWN, lossOfDayUsdt, lossFromPeakUsdt }]]);
    const [day, peak] = [['day', 50] as const, ['peak', 60] as const];
    expect(limitsOf(new LossWatch(LIMITS))).toEqual([day, peak]);
    expect(limitsOf(new LossWatch(LIMITS, own(7, null)))).toEqual([['day', 7], peak]);
    expect(limitsOf(new LossWatch(LIMITS, own(null, 8)))).toEqual([day, ['peak', 8]]);
    const changed = new LossWatch(LIMITS, own(7, 8));
    changed.setLimits({ ...LIMITS, strategyDayUsdt: 3 });
    expect(limitsOf(changed)).toEqual([
      ['day', 7],
      ['peak', 8],
    ]);
    changed.setLimits({ ...LIMITS, strategyDayUsdt: 3 }, new Map());
    expect(limitsOf(changed)).toEqual([['day', 3], peak]);
  });

  it('that a person has accepted counts on no day any more', () => {
    const { watch, look } = rig();
    look(0, 0);
    look(-90, 0);
    look(-95, 1);
    watch.rebase();
    expect(watch.resultOf(ACCOUNT)).toEqual({ dayMicros: 0, fromPeakMicros: 0 });
    // The clock is set back to the day of the loss.
    expect(look(-194.9, 0)).toEqual([]);
    expect(look(-195, 0)).toMatchObject([{ since: 'day', lossMicros: 100 }]);
  });
});

describe('the record of a result', () => {
  const day = (n: number) => 100 + n;
  const record = (changes: Partial<ResultRecord> = {}): ResultRecord => ({
    of: ACCOUNT,
    day: day(0),
    dayMicros: 0,
    fromPeakMicros: 0,
    totalMicros: 0,
    otherDays: [],
    ...changes,
  });

  it('holds the day, the peak, the total, and the other days that the clock showed lately', () => {
    const { watch, look } = rig();
    look(10, 1);
    look(30, 1);
    look(25, 1);
    expect(watch.records()).toEqual([
      record({ day: day(1), dayMicros: 15e6, fromPeakMicros: -5e6, totalMicros: 25e6 }),
    ]);
    // A day to which the clock is set back starts where the day before the change started.
    look(20, 0);
    expect(watch.records()).toEqual([
      record({
        day: day(0),
        dayMicros: 10e6,
        fromPeakMicros: -10e6,
        totalMicros: 20e6,
        otherDays: [{ day: day(1), dayMicros: 10e6, unseenMs: DAY_MS / 24 }],
      }),
    ]);
    // One that it is set forward to starts at the last total.
    look(5, 2);
    expect(watch.records()[0]).toMatchObject({ day: day(2), dayMicros: -15e6 });
    expect(watch.resultOf(ACCOUNT)).toEqual({ dayMicros: -15e6, fromPeakMicros: -25e6 });
  });

  it('forgets a day that the clock has not shown for 24 hours', () => {
    const hours = (n: number): number => n * (DAY_MS / 24);
    const daysAfter = (waitMs: number) => {
      const { watch, look, wait } = rig();
      look(10, 0);
      look(20, 1);
      wait(waitMs);
      look(20, 1);
      return watch.records()[0]?.otherDays?.map((each) => each.day);
    };
    expect(daysAfter(hours(22) - 1)).toEqual([day(0)]);
    expect(daysAfter(hours(22))).toEqual([]);
  });

  it('goes on in the next run, with the loss that no run saw', () => {
    const first = rig();
    first.look(10, 0);
    first.look(40, 0);
    first.look(30, 1);
    const left = first.watch.records();
    const { watch, look } = rig();
    watch.restore(left);
    expect([watch.records(), watch.resultOf(ACCOUNT)]).toEqual([
      left,
      { dayMicros: -10e6, fromPeakMicros: -10e6 },
    ]);
    look(-20, 1);
    expect(watch.records()).toEqual([
      record({
        day: day(1),
        dayMicros: -60e6,
        fromPeakMicros: -60e6,
        totalMicros: -20e6,
        otherDays: [{ day: day(0), dayMicros: -30e6, unseenMs: DAY_MS / 24 }],
      }),
    ]);
  });

  it.each([
    ['back, so the day starts where that of the record did', 0, -60e6],
    ['on, so the day starts at the last total', 2, -50e6],
  ])('goes on though the clock was set %s', (_, to, dayMicros) => {
    const { watch, look } = rig();
    watch.restore([record({ day: day(1), dayMicros: -10e6, fromPeakMicros: -10e6, totalMicros: 30e6 })]);
    look(-20, to);
    expect(watch.records()).toEqual([
      record({
        day: day(to),
        dayMicros,
        fromPeakMicros: -60e6,
        totalMicros: -20e6,
        otherDays: [{ day: day(1), dayMicros: -60e6, unseenMs: 0 }],
      }),
    ]);
  });

  it('of an earlier run goes on from the next total where another has traded since', () => {
    const { watch, look } = rig();
    watch.restore([record({ of: MINE, dayMicros: -7e6, fromPeakMicros: -9e6, totalMicros: 3e6 })]);
    look(0);
    const kept = { of: MINE, day: day(0), dayMicros: -7e6, fromPeakMicros: -9e6 };
    expect(watch.records()).toEqual([kept, record()]);
    const next = rig();
    next.watch.restore(watch.records());
    next.look(1_000, 0, MINE);
    expect(next.watch.resultOf(MINE)).toEqual({ dayMicros: -7e6, fromPeakMicros: -9e6 });
    expect(next.watch.resultOf({ kind: 'strategy', strategy: 'other' })).toEqual({
      dayMicros: 0,
      fromPeakMicros: 0,
    });
  });

  it('that a person has accepted holds the total alone, and none without a total', () => {
    const { of, day: on, totalMicros } = record({ totalMicros: 3e6 });
    const lost = record({ dayMicros: -7e6, fromPeakMicros: -9e6, totalMicros: 3e6 });
    const { totalMicros: _, ...without } = { ...lost, of: MINE };
    const seen = [{ of, day: on, dayMicros: 0, fromPeakMicros: 0, totalMicros }];
    expect(seenResults([lost, without])).toEqual(seen);
    const watch = new LossWatch(LIMITS);
    watch.restore([lost, without]);
    watch.rebase();
    expect(watch.records()).toEqual(seen);
  });
});
