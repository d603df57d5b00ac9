import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enterRun, entriesOf, runName } from '../../../src/app/research/run-ledger.ts';

describe('the ledger of backtests', () => {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'touchline-ledger-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const enter = (identity: Record<string, unknown>, data = 'data'): number =>
    enterRun(folder, data, identity, 5);

  it('counts different runs of a data set, and the same run once', () => {
    expect([enter({ a: 1 }), enter({ a: 2 }), enter({ a: 1 }), enter({ a: 1 }, 'other')]).toEqual([
      1, 2, 2, 1,
    ]);
  });

  it('knows a run whatever the order of its members', () => {
    expect(runName({ a: 1, b: { c: 2, d: 3 } })).toBe(runName({ b: { d: 3, c: 2 }, a: 1 }));
    expect(runName({ a: 1 })).not.toBe(runName({ a: 2 }));
  });

  it('survives a line that a crash has cut', () => {
    enter({ a: 1 });
    appendFileSync(join(folder, 'data.jsonl'), '{"run":"ab');
    expect(enter({ a: 2 })).toBe(2);
    expect(enter({ a: 2 })).toBe(2);
    const entries = entriesOf(readFileSync(join(folder, 'data.jsonl'), 'utf8'));
    expect(entries.map(({ identity, atMs }) => [identity, atMs])).toEqual([
      [{ a: 1 }, 5],
      [{ a: 2 }, 5],
    ]);
  });
});
