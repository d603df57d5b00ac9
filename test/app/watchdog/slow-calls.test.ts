import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { bothObserving, SlowCalls } from '../../../src/app/watchdog/slow-calls.ts';
import type { EventId, Sport } from '../../../src/domain/ids.ts';
import { createLogger } from '../../../src/ops/logger.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';

const eventOf = (eventId: string) => ({ sport: 'fb' as Sport, eventId: eventId as EventId });

function bench() {
  const clock = new VirtualClock();
  const lines: Record<string, unknown>[] = [];
  const warnings: string[] = [];
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const logger = createLogger('info', { write: (line) => lines.push(JSON.parse(line) as never) });
  const calls = new SlowCalls({
    clock,
    logger,
    metrics,
    strategies: ['patient', 'hasty'],
    slowMsOf: (strategy) => (strategy === 'patient' ? 500 : 50),
    onSlow: ({ kind, strategy, message }) => warnings.push(`${strategy} ${kind}: ${message}`),
  });
  const call = async (strategy: string, eventId: string, tookMs: number): Promise<void> => {
    calls.onCall(strategy, eventOf(eventId));
    await clock.advance(tookMs);
    calls.onReturn();
  };
  const counted = async (strategy: string): Promise<string | undefined> =>
    new RegExp(`slow_calls_total\\{strategy="${strategy}"\\} (\\d+)`).exec(
      (await metrics.expose()).text,
    )?.[1];
  return { clock, lines, warnings, call, counted };
}

it('counts calls of the threshold and longer, for each strategy', async () => {
  const { call, counted } = bench();
  await call('a', 'x', 49);
  await call('a', 'x', 50);
  await call('a', 'x', 1_900);
  await call('b', 'x', 60);
  expect([await counted('a'), await counted('b')]).toEqual(['2', '1']);
});

it('judges each strategy by its own threshold, and tells each slow call', async () => {
  const { warnings, call } = bench();
  await call('patient', 'x', 400);
  await call('hasty', 'x', 400);
  await call('patient', 'x', 600);
  expect(warnings).toEqual(['hasty slow: a call took 400 ms', 'patient slow: a call took 600 ms']);
});

it('logs the first slow call, then at most one line a minute with the slowest call', async () => {
  const { clock, lines, call } = bench();
  await call('a', 'x', 60);
  for (let n = 0; n < 50; n++) await call('a', n === 30 ? 'slowest' : 'x', n === 30 ? 500 : 100);
  expect(lines).toHaveLength(1);
  await clock.advance(60_000);
  await call('a', 'x', 70);
  expect(lines.map(({ strategy, calls, event, slowestMs }) => [strategy, calls, event, slowestMs])).toEqual([
    ['a', 1, 'fb/x', 60],
    ['a', 51, 'fb/slowest', 500],
  ]);
});

it('shows a call to two observers, and its return to the first one first', () => {
  const seen: string[] = [];
  const observer = (name: string) => ({
    onCall: (strategy: string) => void seen.push(`${name} ${strategy}`),
    onReturn: () => void seen.push(`${name} returned`),
  });
  const both = bothObserving(observer('first'), observer('second'));
  both.onCall('s', eventOf('x'));
  both.onReturn();
  expect(seen).toEqual(['second s', 'first s', 'first returned', 'second returned']);
});
