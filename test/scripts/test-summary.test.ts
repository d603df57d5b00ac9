import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/test-summary.ts');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'touchline-summary-'));

afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

function summarise(text: string): { line: string; status: number | null } {
  const file = path.join(folder, 'results.json');
  fs.writeFileSync(file, text);
  const { stdout, status } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
  return { line: stdout, status };
}

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe('the summary of a test run', () => {
  it.each([
    ['all passed', [file('passed', 'passed', 'passed'), file('passed', 'passed')], '3 passed, 0 failed\n', 0],
    ['some left out', [file('passed', 'passed', 'pending')], '1 passed, 0 failed\n', 0],
    ['one failed', [file('failed', 'passed', 'failed')], '1 passed, 1 failed\n', 1],
    ['a file that does not load', [file('passed', 'passed'), file('failed')], '1 passed, 1 failed\n', 1],
    ['no test at all', [], '0 passed, 0 failed\n', 1],
  ])('%s', (_, testResults, line, status) => {
    expect(summarise(JSON.stringify({ testResults }))).toEqual({ line, status });
  });

  it('counts unreadable results as a failure', () => {
    expect(summarise('')).toEqual({ line: '0 passed, 1 failed\n', status: 1 });
  });
});
