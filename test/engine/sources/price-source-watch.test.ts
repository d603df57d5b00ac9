import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { PriceSourceWatch } from '../../../src/engine/sources/price-source-watch.ts';
import type { SourceState } from '../../../src/market/index.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { type LogFields, type Logger, silentLogger } from '../../../src/ports/logger.ts';

const QUIET: SourceState = {
  name: 'odds',
  ageMs: 1_500,
  keys: 3,
  unmapped: [],
  missing: [],
  ambiguous: [],
  dropped: 0,
};

function watching() {
  const clock = new VirtualClock();
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const logged: LogFields[] = [];
  const state = { now: QUIET };
  const logger: Logger = { ...silentLogger, info: (_, fields) => void logged.push(fields ?? {}) };
  const watch = new PriceSourceWatch({ priceSources: () => [state.now] }, clock, logger, metrics);
  const pass = async (seconds: number): Promise<void> => {
    for (let s = 0; s < seconds; s++) {
      watch.look();
      await clock.advance(1_000);
    }
  };
  return { metrics, logged, state, pass };
}

it('shows the age and the keys of each source as metrics', async () => {
  const { metrics, state, pass } = watching();
  state.now = { ...QUIET, unmapped: ['x', 'y'], missing: ['z'] };
  await pass(1);
  const { text } = await metrics.expose();
  for (const line of ['age_seconds 1.5', 'keys 3', 'unmapped_keys 2', 'missing_keys 1'])
    expect(text).toContain(`touchline_source_${line.replace(' ', '{source="odds"} ')}\n`);
});

it('names each key that fits no selection once, after the events had time to arrive', async () => {
  const { logged, state, pass } = watching();
  state.now = { ...QUIET, unmapped: ['x'], missing: ['z'] };
  await pass(10);
  expect(logged).toEqual([]);
  await pass(60);
  expect(logged).toMatchObject([
    { priceSource: 'odds', unmapped: 1, unmappedKeys: ['x'], missingKeys: ['z'] },
  ]);
  state.now = { ...QUIET, unmapped: ['x', 'y'], ambiguous: ['w'] };
  await pass(60);
  expect(logged).toHaveLength(2);
  expect(logged[1]).toMatchObject({ unmapped: 1, unmappedKeys: ['y'], ambiguousKeys: ['w'] });
});

it('says nothing of a key that fits in time', async () => {
  const { logged, state, pass } = watching();
  state.now = { ...QUIET, unmapped: ['x'] };
  await pass(9);
  state.now = QUIET;
  await pass(60);
  expect(logged).toEqual([]);
});

it('names some of many keys, and never those of a source that makes up keys without end', async () => {
  const { logged, state, pass } = watching();
  const unmapped = (from: number) => Array.from({ length: 15_000 }, (_, index) => `${from + index}`);
  for (const from of [0, 20_000, 40_000]) {
    state.now = { ...QUIET, unmapped: unmapped(from) };
    await pass(12);
  }
  expect(logged).toHaveLength(2);
  expect(logged[0]).toMatchObject({ unmapped: 15_000, unmappedKeys: { length: 20 } });
});
