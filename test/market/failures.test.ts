import { expect, it } from 'vitest';
import type { StreamEntry, StreamFrame } from '../../src/domain/stream.ts';
import { InvariantError } from '../../src/lib/assert.ts';
import { MarketFailures } from '../../src/market/failures.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { type Logger, silentLogger } from '../../src/ports/logger.ts';
import { eventEntry } from './support.ts';

function failing() {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const lines: string[] = [];
  const logger: Logger = { ...silentLogger, error: (line) => void lines.push(line) };
  const failures = new MarketFailures(logger, metrics);
  const value = async (name: string): Promise<number> =>
    Number(
      (await metrics.expose()).text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1) ?? NaN,
    );
  return { failures, lines, value };
}

it('frames of an earlier connection are counted', async () => {
  const { failures, value } = failing();
  expect(await value('touchline_market_dropped_frames_total')).toBe(0);
  for (const epoch of [1, 1]) failures.droppedFrame({ epoch } as StreamFrame);
  expect(await value('touchline_market_dropped_frames_total')).toBe(2);
});

it('an entry that cannot be applied is counted by its tag, each of which is shown from the start, and told', async () => {
  const { failures, lines, value } = failing();
  const name = (tag: string): string => `touchline_market_failed_entries_total{tag="${tag}"}`;
  for (const tag of ['offer', 'pmm', 'bet', 'balance', 'other']) expect(await value(name(tag))).toBe(0);
  failures.failedEntry(eventEntry() as StreamEntry, new Error('odd'));
  expect([await value(name('event')), await value(name('offer'))]).toEqual([1, 0]);
  expect(lines).toEqual(['a stream entry could not be applied']);
});

it('a broken invariant is no bad data: it is passed on, and counted nowhere', async () => {
  const { failures, lines, value } = failing();
  const broken = new InvariantError('broken');
  expect(() => failures.failedEntry(eventEntry() as StreamEntry, broken)).toThrow(broken);
  expect([lines, await value('touchline_market_failed_entries_total{tag="event"}')]).toEqual([[], 0]);
});
