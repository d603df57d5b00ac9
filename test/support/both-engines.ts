import { fileURLToPath } from 'node:url';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { type Config, loadConfig } from '../../src/app/config/load.ts';
import { riskLimitsOf } from '../../src/app/config/part-options.ts';
import { fullEngine } from '../../src/app/research/full/engine.ts';
import { strategyNamed } from '../../src/app/strategies/load.ts';
import { toMicros } from '../../src/domain/money.ts';
import type { BacktestInput } from '../../src/research/backtest-engine.ts';
import { runFastWith } from '../../src/research/fast/engine.ts';
import { fastSettings } from '../../src/research/fast/settings.ts';
import type { ScenarioResult } from '../../src/research/result.ts';
import type { EventTape } from '../../src/research/tape.ts';
import { parseParameters } from '../../src/strategy/loader.ts';

const AT_ONCE = { placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] } as const;

/**
 * A strategy file with its parameters over one tape, in the fast engine and in the full one: without latencies, and with limits wide open
 * but for what is changed of them.
 */
export async function inBothEngines(
  file: string,
  parameters: Readonly<Record<string, unknown>>,
  tape: EventTape,
  change: (wideOpen: Config) => Config = (wideOpen) => wideOpen,
): Promise<readonly ScenarioResult[]> {
  const { values } = loadConfig({
    files: [
      bundledConfig('simulated'),
      fileURLToPath(new URL('../../scripts/engines/wide-open.toml', import.meta.url)),
    ],
    environment: {},
    settings: { 'universe.marketTypes': 'wdw,ou,ml' },
  });
  const config = change(values);
  const strategy = await strategyNamed(file);
  const input: BacktestInput = {
    async *tapes() {
      yield tape;
    },
    strategy,
    parameters: parseParameters(strategy, parameters),
    limits: riskLimitsOf(config),
    balanceMicros: toMicros(1e6),
    scenarios: ['touch'],
    seed: 1,
    requestLatencyMs: 0,
    feedLatencyMs: 0,
    commission: null,
    fromMs: null,
    toMs: null,
  };
  const full = fullEngine({ config, strategy: file, parameters, settings: AT_ONCE });
  const fast = runFastWith(
    input,
    fastSettings({
      ...AT_ONCE,
      durationS: config.orders.durationS,
      minStakeRatio: config.orders.minStakeRatio,
    }),
  );
  return (await Promise.all([fast, full(input)])).flat();
}
