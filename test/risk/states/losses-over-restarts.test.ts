import { describe, expect, it } from 'vitest';
import type { ResultOf, RiskSnapshot } from '../../../src/risk/index.ts';
import { type Bench, bench, withoutTotals } from '../support/harness.ts';

const DAY_MS = 86_400_000;
const ACCOUNT = { kind: 'account' } as const;
const LIMITS = { loss: { dayUsdt: 100, fromPeakUsdt: 150, strategyDayUsdt: 50, strategyFromPeakUsdt: 60 } };
const strategy = (name: string) => ({ kind: 'strategy', strategy: name }) as const;

/** A run that restores an earlier snapshot and then receives these totals. */
function runOn(
  left: RiskSnapshot | null,
  totals: readonly number[],
  of: readonly ResultOf[] = [ACCOUNT],
): Bench {
  const world = bench(LIMITS);
  if (left !== null) world.risk.restore(left);
  for (const usdt of totals) for (const each of of) world.risk.onProfitLoss(each, usdt * 1e6);
  return world;
}

const resultsOf = ({ risk }: Bench) =>
  risk.snapshot().results.map(({ dayMicros, fromPeakMicros }) => [dayMicros / 1e6, fromPeakMicros / 1e6]);

describe('a loss while the daemon is down', () => {
  it('counts with the first total of the next run', () => {
    const before = runOn(null, [0, 40, 10]);
    const after = runOn(before.risk.snapshot(), [-89]);
    expect(resultsOf(after)).toEqual([[-89, -129]]);
    expect(after.risk.killed).toBeNull();
    after.risk.onProfitLoss(ACCOUNT, -100e6);
    expect(after.risk.killed?.reason).toBe('lost 100 since the day, limit 100');
  });

  it('adds up over runs that die soon', () => {
    let left: RiskSnapshot | null = null;
    for (const usdt of [0, -20, -40, -60, -80]) left = runOn(left, [usdt]).risk.snapshot();
    expect(runOn(left, [-99]).risk.killed).toBeNull();
    expect(runOn(left, [-100]).risk.killed).not.toBeNull();
  });

  it('counts on the day on which it is found', () => {
    const { risk } = runOn(null, [0, -90]);
    const next = bench(LIMITS);
    next.wallMs += DAY_MS;
    next.risk.restore(risk.snapshot());
    next.risk.onProfitLoss(ACCOUNT, -110e6);
    expect(resultsOf(next)).toEqual([[-20, -110]]);
  });

  it('counts after a resume, too, as far as no run had seen it', () => {
    const { risk } = runOn(null, [0, -90]);
    const after = runOn(risk.snapshot(), []);
    after.risk.resume('looked into it', 'me');
    after.risk.onProfitLoss(ACCOUNT, -110e6);
    expect(resultsOf(after)).toEqual([[-20, -20]]);
  });

  it('does not count for a strategy that did not run', () => {
    const both = (name: string): readonly ResultOf[] => [ACCOUNT, strategy(name)];
    const first = runOn(null, [0, -30], both('a')).risk.snapshot();
    const second = runOn(first, [-30, -70], both('b')).risk.snapshot();
    const third = runOn(second, [-80, -81], both('a'));
    expect(third.risk.snapshot().results).toMatchObject([
      { of: strategy('b'), dayMicros: -40e6 },
      { of: ACCOUNT, dayMicros: -81e6 },
      { of: strategy('a'), dayMicros: -31e6 },
    ]);
  });
});

it('keeps a loss over a restart from records without totals, whichever origin later totals use', () => {
  const earlier = withoutTotals(runOn(null, [500, 410]).risk.snapshot());
  expect(runOn(earlier, []).risk.snapshot()).toEqual(earlier);
  expect(runOn(earlier, [0]).risk.killed).toBeNull();
  expect(runOn(earlier, [0, -10]).risk.killed).not.toBeNull();
});
