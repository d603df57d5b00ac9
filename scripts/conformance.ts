/**
 * `npm run conformance`: runs the conformance tests over real sockets and prints how many statements of the
 * specification they prove. Fails when a test fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statements } from '../test/conformance/support/statements.ts';

interface Results {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { status: string; fullName: string }[];
  }[];
}

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', 'test/conformance'];

/** Runs the tests quietly. Throws with their output when they wrote no results. */
function runTests(): Results {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-conformance-'));
  const file = join(folder, 'results.json');
  try {
    const env = { ...process.env, TOUCHLINE_TEST_RESULTS: file };
    const { stdout, stderr } = spawnSync(process.execPath, VITEST, {
      encoding: 'utf8',
      env,
      maxBuffer: 2 ** 28,
    });
    if (!existsSync(file)) throw new Error(`the tests did not run:\n${stdout}${stderr}`);
    return JSON.parse(readFileSync(file, 'utf8')) as Results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const results = runTests();
const failed = results.testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status === 'failed');
for (const { fullName } of failed) console.log(`FAIL ${fullName}`);

const all = statements();
const proven = all.filter(({ reason }) => reason === null).length;
console.log(`${results.numPassedTests} of ${results.numTotalTests} conformance tests pass`);
console.log(
  `${all.length} statements: ${proven} proven by tests, ${all.length - proven} cannot apply, with a reason`,
);
process.exitCode = failed.length === 0 && results.numTotalTests > 0 ? 0 : 1;
