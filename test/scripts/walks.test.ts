import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { expect, it } from 'vitest';
import { patient } from '../support/patience.ts';

const SCRIPT = new URL('../../scripts/walks.ts', import.meta.url).pathname;

interface Walked {
  readonly walk: string;
  readonly files: number;
  readonly functions: number;
}

/** The most that each way may run. Lower a bound when a way gets shorter. */
const MOST: readonly Walked[] = [
  { walk: 'frame', files: 126, functions: 576 },
  { walk: 'fill', files: 108, functions: 500 },
];

it(
  'keeps the ways of a frame and of a fill through the daemon from growing',
  { timeout: patient(120_000) },
  () => {
    const lines = execFileSync(process.execPath, [SCRIPT], { encoding: 'utf8' }).trim().split('\n');
    const walked = lines.map((line) => JSON.parse(line) as Walked);
    expect(walked.map(({ walk }) => walk)).toEqual(MOST.map(({ walk }) => walk));
    for (const [at, { files, functions }] of walked.entries()) {
      expect(files).toBeGreaterThan(10);
      expect(files).toBeLessThanOrEqual(MOST[at]?.files ?? 0);
      expect(functions).toBeLessThanOrEqual(MOST[at]?.functions ?? 0);
    }
  },
);
