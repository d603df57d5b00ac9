/** One fresh process of `bench/first-pass.bench.ts`: backtests a file again and again, and prints the rate of each pass as JSON. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { riskLimitsOf } from '../../src/app/config/part-options.ts';
import { backtest } from '../../src/app/research/backtest.ts';
import { toMicros } from '../../src/domain/money.ts';
import { SCENARIOS } from '../../src/fills/fill-model.ts';

const [file = '', strategy = '', passes = ''] = process.argv.slice(2);
const { values: config } = loadConfig({ files: [bundledConfig('recorded')], environment: {}, settings: {} });
const ledger = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
const rates: number[] = [];
for (let pass = 0; pass < Number(passes); pass++) {
  const { speed } = await backtest({
    strategy,
    parameters: {},
    data: [file],
    engine: 'fast',
    config,
    limits: riskLimitsOf(config),
    balanceMicros: toMicros(10_000),
    scenarios: SCENARIOS,
    requestLatencyMs: 50,
    feedLatencyMs: 50,
    commission: null,
    fromMs: null,
    toMs: null,
    seed: 1,
    clock: systemClock,
    ledger,
    usesSetAside: false,
    onProgress: () => undefined,
  });
  rates.push(speed.updatesPerS);
}
rmSync(ledger, { recursive: true });
console.log(JSON.stringify(rates));
