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

function summarise(...texts: readonly string[]): { line: string; status: number | null } {
  const files = texts.map((_, at) => path.join(folder, `results-${at}.json`));
  for (const [at, file] of files.entries()) fs.writeFileSync(file, texts[at] as string);
  const { stdout, status } = spawnSync(process.execPath, [SCRIPT, ...files], { encoding: 'utf8' });
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

  it('counts the results of several runs together', () => {
    const run = (...tests: string[]): string =>
      JSON.stringify({ testResults: [file(tests.includes('failed') ? 'failed' : 'passed', ...tests)] });
    expect(summarise(run('passed', 'failed'), run('passed', 'passed'))).toEqual({
      line: '3 passed, 1 failed\n',
      status: 1,
    });
    expect(summarise(run('passed'), '')).toEqual({ line: '1 passed, 1 failed\n', status: 1 });
  });

  it('counts unreadable results as a failure', () => {
    expect(summarise('')).toEqual({ line: '0 passed, 1 failed\n', status: 1 });
  });
});
