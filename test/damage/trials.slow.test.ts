import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { control, makeCases, trialsOf } from './trials.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-damage-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('revives no daemon by damage to a file of a killed journal, and verify finds what an independent reader finds', async () => {
  const cases = await makeCases(folder, 1);
  const controls = await Promise.all(cases.map((each, at) => control(join(folder, `control-${at}`), each)));
  expect(controls.map((orders) => orders > 0)).toEqual([false, false, true]);
  const misses: unknown[] = [];
  for (const each of cases)
    for await (const trial of trialsOf(folder, each, 1, 1)) if (trial.miss !== null) misses.push(trial);
  expect(misses).toEqual([]);
});
