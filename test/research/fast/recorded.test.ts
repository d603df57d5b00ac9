import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { sweep } from '../../../src/app/research/sweep.ts';
import { tapesOfFiles } from '../../../src/app/research/tapes.ts';
import { sharedTape } from '../../../src/research/fast/sweep.ts';
import type { Strategy } from '../../../src/strategy/contract.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';
import symmetric from '../../../strategies/symmetric.ts';
import { CRICKET, digestOf, runRecorded } from './recorded-run.ts';

describe.runIf(existsSync(CRICKET))('the recorded cricket market', () => {
  it('gives the same bytes in two processes', async () => {
    const program = path.join(import.meta.dirname, 'recorded-run.ts');
    const other = execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim();
    expect(other).toMatch(/^[0-9a-f]{64}$/);
    expect(await digestOf()).toBe(other);
  });

  it('gives the same result to a strategy that reads whole lists of prices', async () => {
    const { tapes } = await tapesOfFiles([CRICKET]);
    const reader: Strategy = {
      ...symmetric,
      quote: (view, parameters) => {
        const levels = view.selections.map(({ market }) => market.for?.priceList.length ?? 0);
        expect(Math.max(...levels)).toBeLessThanOrEqual(30);
        return symmetric.quote(view, parameters as never);
      },
    };
    const plain = await runRecorded(symmetric as Strategy, tapes);
    expect(plain.map(({ fills }) => fills.length).every((count) => count > 10)).toBe(true);
    expect(await runRecorded(reader, tapes)).toEqual(plain);
  });

  it('runs a sweep in threads, in the order of its sets, as single runs do', async () => {
    const { tapes } = await tapesOfFiles([CRICKET]);
    const limits = readRiskLimits({ inPlay: { allowed: true } }, 'simulated');
    if (!limits.ok) throw new Error(JSON.stringify(limits.problems));
    const startMs = tapes[0]?.startMs ?? 0;
    const task = {
      tapes: tapes.map(sharedTape),
      limits: limits.limits,
      balanceMicros: 10_000e6,
      commission: null,
      scenarios: ['queue'] as const,
      requestLatencyMs: 50,
      feedLatencyMs: 50,
      seed: 1,
      fromMs: startMs,
      toMs: startMs + 600_000,
    };
    const sets = [{ halfSpread: 0.02 }, { halfSpread: 0.3 }, { halfSpread: 0.02 }];
    const seen: number[] = [];
    const onProgress = (done: number): void => void seen.push(done);
    const results = await sweep({ strategy: 'symmetric', task, sets, threads: 2, onProgress });
    expect(seen).toEqual([1, 2, 3]);
    expect(results[0]).toEqual(results[2]);
    expect(results[0]).not.toEqual(results[1]);
    expect(results[0]?.[0]?.events[0]?.fills).toBeGreaterThan(0);
    await expect(
      sweep({ strategy: 'symmetric', task, sets: [{ halfSpread: -1 }], threads: 2 }),
    ).rejects.toThrow('halfSpread');
  });
});
