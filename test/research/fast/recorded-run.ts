/** A backtest of the recorded cricket market, and the digest of its result. Also a program: prints the digest. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { tapesOfFiles } from '../../../src/app/research/tapes.ts';
import { runFast } from '../../../src/research/fast/engine.ts';
import { SCENARIOS } from '../../../src/fills/fill-model.ts';
import type { ScenarioResult } from '../../../src/research/result.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';
import type { Strategy } from '../../../src/strategy/contract.ts';
import { parseParameters } from '../../../src/strategy/loader.ts';
import inventory from '../../../strategies/inventory.ts';
import symmetric from '../../../strategies/symmetric.ts';

export const CRICKET = path.resolve(
  import.meta.dirname,
  '../../../../shared/data/betfair/1.200806927.jsonl.gz',
);
const HOUR_MS = 3_600_000;

/** The first 40 minutes of play, with drawn latencies. */
export async function runRecorded(
  strategy: Strategy,
  tapes: readonly EventTape[],
): Promise<readonly ScenarioResult[]> {
  const limits = readRiskLimits({ inPlay: { allowed: true } }, 'simulated');
  if (!limits.ok) throw new Error(JSON.stringify(limits.problems));
  const startMs = tapes[0]?.startMs ?? 0;
  return await runFast({
    async *tapes() {
      yield* tapes;
    },
    strategy,
    parameters: parseParameters(strategy, {}),
    limits: limits.limits,
    balanceMicros: 10_000e6,
    scenarios: SCENARIOS,
    requestLatencyMs: [20, 60, 110],
    feedLatencyMs: [10, 40],
    commission: null,
    fromMs: startMs,
    toMs: startMs + (2 * HOUR_MS) / 3,
    seed: 7,
  });
}

export async function digestOf(): Promise<string> {
  const { tapes } = await tapesOfFiles([CRICKET]);
  const hash = createHash('sha256');
  for (const strategy of [symmetric, inventory] as readonly Strategy[])
    hash.update(JSON.stringify(await runRecorded(strategy, tapes)));
  return hash.digest('hex');
}

if (process.argv[1] === import.meta.filename) console.log(await digestOf());
