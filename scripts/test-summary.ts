/**
 * Prints `N passed, N failed` from vitest's JSON results, all files together. A test file that failed before its tests
 * could run counts as one failure, as do results that cannot be read. The exit code is 0 only when a test passed and
 * nothing failed.
 *
 * Usage: node scripts/test-summary.ts RESULTS_FILE...
 */
import { readFileSync } from 'node:fs';

interface FileResult {
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

function countOf(file: FileResult, status: string): number {
  return file.assertionResults.filter((result) => result.status === status).length;
}

function failuresOf(file: FileResult): number {
  const failed = countOf(file, 'failed');
  return file.status === 'failed' && failed === 0 ? 1 : failed;
}

function readResults(path: string): readonly FileResult[] {
  try {
    const results = JSON.parse(readFileSync(path, 'utf8')) as { readonly testResults: readonly FileResult[] };
    return results.testResults;
  } catch (error) {
    console.error(`cannot read test results: ${String(error)}`);
    return [{ status: 'failed', assertionResults: [] }];
  }
}

const paths = process.argv.slice(2);
const files = (paths.length === 0 ? [''] : paths).flatMap(readResults);
const passed = files.reduce((sum, file) => sum + countOf(file, 'passed'), 0);
const failed = files.reduce((sum, file) => sum + failuresOf(file), 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
