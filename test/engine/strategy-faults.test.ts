import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { eventId, sport } from '../../src/domain/ids.ts';
import { strategyFaults } from '../../src/engine/strategy-faults.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { StrategyProblem } from '../../src/strategy/host.ts';

const [ONE, OTHER] = [eventId('2026-11-21,10,20'), eventId('2026-11-21,30,40')];
const THREW: StrategyProblem = {
  ...{ kind: 'threw', strategy: 'mine', sport: sport('fb'), eventId: ONE, selectionId: null, message: 'no' },
};

it('logs a strategy’s repeated mistake once a minute for each kind and event', async () => {
  const clock = new VirtualClock();
  const warnings: unknown[] = [];
  const warn = (_: string, fields: unknown): void => void warnings.push(fields);
  const report = strategyFaults({
    ...{ clock, logger: { ...silentLogger, warn }, metrics: noMetrics, strategies: ['mine'] },
  });
  const others: readonly StrategyProblem[] = [
    { ...THREW, eventId: OTHER },
    { ...THREW, sport: sport('fb_ht') },
    { ...THREW, kind: 'self-cross' },
  ];
  for (const problem of [THREW, ...others]) report(problem);
  expect(warnings).toEqual([THREW, ...others]);
  for (let turn = 0; turn < 600; turn++) {
    await clock.advance(500);
    report(THREW);
  }
  expect(warnings).toHaveLength(4 + 5);
});
