import { describe, expect, it } from 'vitest';
import type { RiskSnapshot } from '../../../src/risk/index.ts';
import { Turnover } from '../../../src/risk/limits/rates.ts';
import { ask, type Bench, bench, codesOf, fillOf, START_MS } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ACCOUNT = { kind: 'account' } as const;
const LIMITS = { loss: { dayUsdt: 100, fromPeakUsdt: 150, strategyDayUsdt: 50, strategyFromPeakUsdt: 60 } };

describe('while the clock is back before midnight', () => {
  it('no loss of the day is forgotten', () => {
    const world = bench(LIMITS);
    const isKilledAt = (days: number, usdt: number): boolean => {
      world.wallMs = START_MS + days * DAY_MS;
      world.risk.onProfitLoss(ACCOUNT, usdt * 1e6);
      return world.risk.killed !== null;
    };
    expect([isKilledAt(1, 0), isKilledAt(1, -90), isKilledAt(0, -95), isKilledAt(1, -99)]).toEqual(
      Array(4).fill(false),
    );
    expect(isKilledAt(1, -100)).toBe(true);
  });

  it('no loss of a day that the clock had left too early is forgotten', () => {
    const world = bench(LIMITS);
    const lossesAt = [
      [0, 0],
      [0, -90],
      [1, -90],
      [0, -100],
    ] as const;
    for (const [days, usdt] of lossesAt) {
      expect(world.risk.killed).toBeNull();
      world.wallMs = START_MS + days * DAY_MS;
      world.risk.onProfitLoss(ACCOUNT, usdt * 1e6);
    }
    expect(world.risk.killed?.reason).toBe('lost 100 since the day, limit 100');
  });

  it('no loss of the day is forgotten over a restart', () => {
    const [before, after] = [bench(LIMITS), bench(LIMITS)];
    before.wallMs += DAY_MS;
    before.risk.onProfitLoss(ACCOUNT, 0);
    before.risk.onProfitLoss(ACCOUNT, -90e6);
    after.risk.restore(before.risk.snapshot());
    after.risk.onProfitLoss(ACCOUNT, -90e6);
    after.wallMs += DAY_MS;
    after.risk.onProfitLoss(ACCOUNT, -100e6);
    expect(after.risk.killed?.reason).toBe('lost 100 since the day, limit 100');
  });

  it('the turnover is that of its day', () => {
    const turnover = new Turnover();
    const midnight = 2 * DAY_MS;
    turnover.add(5, midnight - 1, 1);
    turnover.add(7, midnight, 2);
    turnover.add(1, midnight - 2, 3);
    expect([turnover.today(midnight - 1, 4), turnover.today(midnight, 4)]).toEqual([6, 7]);
  });
});

describe('while the clock is days off', () => {
  const OFF_DAYS = [[-2], [-1], [1], [4], [-20_000]];

  it.each(OFF_DAYS)('by %i, no loss of the day is forgotten', (days) => {
    const world = bench(LIMITS);
    world.risk.onProfitLoss(ACCOUNT, 0);
    world.risk.onProfitLoss(ACCOUNT, -90e6);
    world.wallMs += days * DAY_MS;
    world.risk.onProfitLoss(ACCOUNT, -95e6);
    world.wallMs -= days * DAY_MS;
    world.nowMs += DAY_MS - 1;
    world.risk.onProfitLoss(ACCOUNT, -99e6);
    expect(world.risk.killed).toBeNull();
    world.risk.onProfitLoss(ACCOUNT, -100e6);
    expect(world.risk.killed?.reason).toBe('lost 100 since the day, limit 100');
  });

  it.each(OFF_DAYS)('by %i at a start, none is forgotten, even when that run records its results', (days) => {
    const [before, off, after] = [bench(LIMITS), bench(LIMITS), bench(LIMITS)];
    before.risk.onProfitLoss(ACCOUNT, 0);
    before.risk.onProfitLoss(ACCOUNT, -90e6);
    off.wallMs += days * DAY_MS;
    off.risk.restore(before.risk.snapshot());
    off.risk.onProfitLoss(ACCOUNT, -90e6);
    after.risk.restore(JSON.parse(JSON.stringify(off.risk.snapshot())) as RiskSnapshot);
    after.risk.onProfitLoss(ACCOUNT, -99e6);
    expect(after.risk.killed).toBeNull();
    after.risk.onProfitLoss(ACCOUNT, -100e6);
    expect(after.risk.killed?.reason).toBe('lost 100 since the day, limit 100');
  });

  /** The refusals by the day’s turnover, whose limit is 100. */
  const refusalsOf = (world: Bench): string[] => codesOf(world.risk, ask({ betType: 'for,d', stake: 20 }));
  const fill = (world: Bench, stake: number, atMs: number): void =>
    betsOf(world.risk).report(fillOf(ask(), stake, { atMs }));

  it.each(OFF_DAYS)(
    'by %i, no turnover of the day is forgotten because of a bet that is reported then',
    (days) => {
      const world = bench({ turnover: { dayUsdt: 100 }, order: { maxStakeUsdt: 100 } });
      fill(world, 90, world.wallMs);
      world.wallMs += days * DAY_MS;
      fill(world, 1, world.wallMs);
      world.wallMs -= days * DAY_MS;
      expect(refusalsOf(world)).toEqual(['day_turnover']);
    },
  );

  it.each(OFF_DAYS)('by %i at a start, bets of the day that are reported again count in it', (days) => {
    const world = bench({ turnover: { dayUsdt: 100 }, order: { maxStakeUsdt: 100 } });
    world.wallMs += days * DAY_MS;
    fill(world, 90, world.wallMs - days * DAY_MS);
    world.wallMs -= days * DAY_MS;
    expect(refusalsOf(world)).toEqual(['day_turnover']);
  });
});

describe('a clock that was days ahead', () => {
  it.each([0, 1])('leaves no recorded start of a day that really comes later (%i restarts)', (restarts) => {
    let world = bench(LIMITS);
    const start = { ...world };
    const observe = (afterHours: number, days: number, usdt: number): void => {
      world.nowMs = start.nowMs + afterHours * HOUR_MS;
      world.wallMs = start.wallMs + days * DAY_MS;
      world.risk.onProfitLoss(ACCOUNT, usdt * 1e6);
    };
    observe(0, 0, 0);
    observe(1, 2, 0);
    observe(12, 0, 90);
    for (let restart = 0; restart < restarts; restart++) {
      const left = world.risk.snapshot();
      world = bench(LIMITS);
      world.risk.restore(left);
    }
    observe(13, 1, 90);
    observe(37, 2, 90);
    observe(38, 2, -9);
    expect(world.risk.snapshot().results).toMatchObject([{ dayMicros: -99e6 }]);
  });

  it('does not leave the daemon on a future day', () => {
    const world = bench(LIMITS);
    const days = [9, 2, 2, 3, 3];
    const totals = [0, 0, -90, -90, -110];
    for (const [i, day] of days.entries()) {
      world.wallMs = START_MS + day * DAY_MS;
      world.risk.onProfitLoss(ACCOUNT, (totals[i] as number) * 1e6);
    }
    expect(world.risk.killed).toBeNull();
    expect(world.risk.snapshot().results).toMatchObject([{ dayMicros: -20e6, fromPeakMicros: -110e6 }]);
  });

  it('leaves no turnover behind', () => {
    const turnover = new Turnover();
    turnover.add(5, 9 * DAY_MS, HOUR_MS);
    turnover.add(7, 2 * DAY_MS, 2 * HOUR_MS);
    expect(turnover.today(2 * DAY_MS, 2 * HOUR_MS)).toBe(7);
    expect(turnover.today(9 * DAY_MS, 7 * DAY_MS)).toBe(0);
  });
});
