import { describe, expect, it } from 'vitest';

import type { SelectionId } from '../../../src/domain/ids.ts';
import { DriftWatch } from '../../../src/risk/guards/drift-watch.ts';
import { RollingCount, Turnover } from '../../../src/risk/limits/rates.ts';
import type { Bench } from '../support/harness.ts';
import { ask, bench, codesOf, fillOf, live, FIXTURE } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const SELECTION = live(ask()).selectionId;
const DAY_MS = 86_400_000;
const HERE = { kind: 'selection', ...FIXTURE, selectionId: SELECTION } as const;

const fill = (world: Bench, betType = 'for,h', changes: object = {}): void =>
  betsOf(world.risk).report(fillOf(ask({ betType }), 1, { atMs: world.wallMs, ...changes }));
const times = (count: number, run: (i: number) => void): void => {
  for (let i = 0; i < count; i++) run(i);
};

describe('counters', () => {
  it('count back exactly their window', () => {
    const count = new RollingCount(10);
    expect(count.count(0)).toBe(0);
    for (const at of [0, 4, 4, 9]) count.add(at);
    expect([9, 10, 13, 14, 19].map((at) => count.count(at))).toEqual([4, 3, 3, 1, 0]);
  });

  it('of drift keep one sample for each quarter of a second, and always the last', () => {
    const watch = new DriftWatch(1_000);
    const id = SELECTION;
    const see = (at: number, value: number): number => {
      watch.observe(id, value, at);
      return watch.driftOf(id, at);
    };
    expect(watch.driftOf(id, 0)).toBe(0);
    expect([see(0, 1), see(100, 9), see(200, 2), see(400, 2)]).toEqual([0, 8, 1, 1]);
    expect(see(999, 2)).toBe(1);
    expect(see(1_000, 2)).toBe(0);
    expect(see(5_000, 7)).toBe(0);
    watch.observe('x' as SelectionId, 3, 5_000);
    watch.observe('x' as SelectionId, 5, 5_001);
    watch.forgetEvent(FIXTURE);
    expect([watch.driftOf(id, 5_000), watch.driftOf('x' as SelectionId, 5_001)]).toEqual([0, 2]);
  });

  it('of drift fade with time only', () => {
    const watch = new DriftWatch(1_000);
    watch.observe(SELECTION, 1, 0);
    watch.observe(SELECTION, 2, 900);
    expect([watch.driftOf(SELECTION, 999), watch.driftOf(SELECTION, 1_000)]).toEqual([1, 0]);
  });

  it('of turnover cover one day', () => {
    const turnover = new Turnover();
    const today = (atMs: number): number => turnover.today(atMs, atMs);
    turnover.add(5, DAY_MS, DAY_MS);
    turnover.add(7, DAY_MS - 1, DAY_MS + 5);
    turnover.add(3, 2 * DAY_MS - 1, 2 * DAY_MS - 1);
    expect([today(2 * DAY_MS - 1), today(2 * DAY_MS)]).toEqual([8, 0]);
    turnover.add(2, 2 * DAY_MS, 2 * DAY_MS);
    expect(today(2 * DAY_MS)).toBe(2);
  });

  it('of repetition start anew on resume and when the event is over', () => {
    const world = bench({ throttle: { repeatedFills: 2, repeatedWindowS: 100, ordersPerMinute: 2 } });
    const halted = (): boolean => world.risk.effectiveState(HERE).state === 'halted';
    times(3, () => fill(world));
    expect(halted()).toBe(true);
    world.risk.resume('seen', 'me');
    times(2, () => fill(world));
    expect(halted()).toBe(false);
    world.risk.onEventOver(FIXTURE);
    times(2, () => fill(world));
    expect(halted()).toBe(false);
    fill(world);
    expect(world.risk.snapshot().states).toMatchObject([{ why: '3 fills for in a short time' }]);
    world.risk.resume('seen', 'me');
    times(2, (i) => void world.risk.approve(ask({ stake: 3 + i })));
    world.risk.approve(ask({ stake: 9 }));
    expect(world.risk.snapshot().states).toMatchObject([
      { by: 'message throttle', why: 'too many orders within a minute' },
    ]);
    world.risk.resume('seen', 'me');
    expect(codesOf(world.risk, ask({ stake: 10 }))).toEqual([]);
  });
});

describe('drift', () => {
  /** The consensus and its drift at each instant. */
  function course(...seen: readonly (readonly [atMs: number, value: number])[]): number[] {
    const watch = new DriftWatch(1_000);
    return seen.map(([atMs, value]) => {
      watch.observe(SELECTION, value, atMs);
      return watch.driftOf(SELECTION, atMs);
    });
  }

  it('remembers an extreme between two equal samples', () => {
    expect(course([0, 1], [300, 5], [600, 1], [900, 2])).toEqual([0, 4, 4, 3]);
  });

  it('measures from the last sample, not from any other', () => {
    expect(course([0, 4], [300, 5], [600, 9])).toEqual([0, 1, 5]);
  });

  it('replaces a sample that is closer than a quarter of a second to the one before it', () => {
    expect(course([1_000, 1], [1_100, 5], [1_249, 1])).toEqual([0, 4, 0]);
    expect(course([1_000, 1], [1_100, 5], [1_250, 1])).toEqual([0, 4, 4]);
  });

  const collar = { driftProbability: 0.1, driftWindowS: 10 };
  const consensus = (world: Bench, fair: number | null): void =>
    void (world.reference = { forBest: null, againstBest: null, fair, ageMs: 0 });

  /** A quote that was always wanted. Its order was judged once at the beginning. */
  function wantedForAMinute(): Bench & { want(): void } {
    const world = bench({ collar });
    const { selectionId, direction, tick, stakeMicros } = live(ask());
    const want = (): void =>
      void world.risk.admit([selectionId], [{ selectionId, direction, tick, stakeMicros, level: 0 }]);
    expect(codesOf(world.risk, ask({ stake: 3 }))).toEqual([]);
    times(60, () => {
      world.nowMs += 1_000;
      want();
    });
    return Object.assign(world, { want });
  }

  it('does not arise from a consensus that is lost for a moment', () => {
    const world = bench({ collar });
    expect(codesOf(world.risk, ask())).toEqual([]);
    consensus(world, null);
    expect(codesOf(world.risk, ask({ stake: 3 }))).toEqual(['no_reference']);
    world.reference = null;
    expect(codesOf(world.risk, ask({ stake: 4 }))).toEqual(['no_reference']);
    consensus(world, 0.5);
    expect(codesOf(world.risk, ask({ stake: 5 }))).toEqual([]);
  });

  it('is detected while orders rest and none is judged', () => {
    const world = wantedForAMinute();
    world.reference = { forBest: 1.6, againstBest: null, fair: 0.62, ageMs: 0 };
    world.want();
    expect(codesOf(world.risk, ask({ price: 1.7 }))).toEqual(['collar_drift']);
    world.nowMs += 10_000;
    world.want();
    expect(codesOf(world.risk, ask({ price: 1.7 }))).toEqual([]);
  });

  it('is not detected where one side goes and comes back meanwhile', () => {
    const world = wantedForAMinute();
    world.reference = { forBest: 1.6, againstBest: null, fair: null, ageMs: 0 };
    world.want();
    consensus(world, 0.5);
    expect(codesOf(world.risk, ask())).toEqual([]);
  });

  it('is forgotten with the event', () => {
    const world = bench({ collar });
    consensus(world, 0.3);
    world.risk.approve(ask({ price: 3.4 }));
    world.risk.onEventOver(FIXTURE);
    consensus(world, 0.5);
    expect(codesOf(world.risk, ask())).toEqual([]);
  });
});

describe('repeated fills', () => {
  const limits = { throttle: { repeatedFills: 2, repeatedWindowS: 10 } };

  it.each([
    [9_999, 'halted'],
    [10_000, 'active'],
  ])('a third one %s ms after the first leaves the selection %s', (afterMs, state) => {
    const world = bench(limits);
    times(2, () => fill(world));
    world.nowMs += afterMs;
    fill(world);
    expect(world.risk.effectiveState(HERE).state).toBe(state);
  });

  it.each(['for,h', 'against,h'])('of %s start anew when the event is over', (betType) => {
    const world = bench(limits);
    times(2, () => fill(world, betType));
    world.risk.onEventOver(FIXTURE);
    fill(world, betType);
    expect(world.risk.effectiveState(HERE).state).toBe('active');
    times(2, () => fill(world, betType));
    expect(world.risk.effectiveState(HERE).state).toBe('halted');
  });

  it.each([
    [59_999, 'halted'],
    [60_000, 'active'],
  ])('of %s ms ago leave the selection %s', (ageMs, state) => {
    const world = bench(limits);
    times(3, () => fill(world, 'for,h', { atMs: world.wallMs - ageMs }));
    expect(world.risk.effectiveState(HERE).state).toBe(state);
  });

  it('of an earlier run count from their own times, not all from the start', () => {
    const guards = { toxicity: { fills: 3, windowS: 10, widenLogOdds: 0.1, coolDownS: 5 } };
    const world = bench({ ...limits, guards });
    for (const ageMs of [50_000, 35_000, 20_000, 5_000]) fill(world, 'for,h', { atMs: world.wallMs - ageMs });
    expect(world.risk.effectiveState(HERE).state).toBe('active');
    expect(world.risk.guards.active()).toEqual([]);
    fill(world);
    fill(world);
    expect(world.risk.effectiveState(HERE).state).toBe('halted');
    expect(world.risk.guards.active()).toMatchObject([{ guard: 'toxicity' }]);
  });
});

describe('results', () => {
  const account = { kind: 'account' } as const;
  const strategy = { kind: 'strategy', strategy: 'mine' } as const;

  it('continue from their remembered values', () => {
    const [before, after] = [bench(), bench()];
    for (const whose of [account, strategy]) {
      before.risk.onProfitLoss(whose, 50e6);
      before.risk.onProfitLoss(whose, 20e6);
    }
    after.risk.restore(before.risk.snapshot());
    after.risk.onProfitLoss(account, 20e6);
    after.risk.onProfitLoss(account, 15e6);
    const remembered = after.risk
      .snapshot()
      .results.map(({ of, dayMicros, fromPeakMicros }) => [of.kind, dayMicros, fromPeakMicros]);
    expect(remembered).toEqual([
      ['strategy', -30e6, -30e6],
      ['account', -35e6, -35e6],
    ]);
  });
});
