import { spawn } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { PATIENCE_VARIABLE, patienceOf } from './test/support/patience.ts';

/** Where `.ci/run` asks for the machine-readable results; nobody else does. */
const resultsFile = process.env['TOUCHLINE_TEST_RESULTS'];

/** Tests of minutes: `npm run test:slow` runs them, `npm test` does not. */
const SLOW = 'test/**/*.slow.test.ts';

/** Whole daemons wait for prices, for quotes and for the exchange to answer. */
const MOSTLY_WAITING = { maxWorkers: 6, maxConcurrency: 3 };

/** A test of whole processes has a daemon, and beside it a browser or a second command. */
const PROCESSES_OF_A_TEST = 2;

/**
 * Every bound of the tests grows with the time in which a command starts, measured here once, beside as many others as the suites of whole
 * processes start at once: they are the load of an otherwise idle machine. The first start leaves behind what the others find.
 */
async function measuredPatience(): Promise<number> {
  const start = async (): Promise<number> => {
    const fromMs = performance.now();
    const child = spawn(process.execPath, ['src/cli/main.ts', '--version'], {
      cwd: import.meta.dirname,
      stdio: 'ignore',
    });
    await new Promise((resolve) => void child.once('close', resolve).once('error', resolve));
    return performance.now() - fromMs;
  };
  await start();
  const atOnce = MOSTLY_WAITING.maxWorkers * PROCESSES_OF_A_TEST;
  return patienceOf(Math.max(...(await Promise.all(Array.from({ length: atOnce }, start)))));
}

process.env[PATIENCE_VARIABLE] ??= String(await measuredPatience());
const PATIENCE = Number(process.env[PATIENCE_VARIABLE]);
const patient = (ms: number): number => Math.round(ms * PATIENCE);

const WHOLE_PROCESSES = {
  testTimeout: patient(120_000),
  hookTimeout: patient(60_000),
  expect: { poll: { timeout: patient(20_000) } },
};

/** The dashboard in a browser. */
const PAGES = 'test/e2e/dashboard*.test.ts';
const SLOW_PAGES = 'test/e2e/dashboard*.slow.test.ts';

/** A page that draws needs a core of its own: one at a time, after the others. */
const ONE_PAGE_AT_A_TIME = { ...WHOLE_PROCESSES, sequence: { groupOrder: 2 }, maxWorkers: 1 };

/** The package as its users install it: `npm run test:package`. */
const PACKED = 'test/packed/**/*.test.ts';

/** Depend on libraries that nothing else in their process has used, so each has a process of its own. */
const ALONE = ['test/venue/answer-timeouts.test.ts'];

/** Only bounds, as those above: wide enough for a machine that is busy with something else. */
const VIRTUAL_TIME = {
  testTimeout: patient(60_000),
  hookTimeout: patient(30_000),
  expect: { poll: { timeout: patient(10_000) } },
};

/** Two workers, because the suites must hold on two cores; forks, because tests set what belongs to a process (umask, signals). */
export default defineConfig({
  test: {
    pool: 'forks',
    // Node loads the modules itself, as it does outside tests: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 2,
    reporters: [
      'default',
      './test/support/skipped-files.ts',
      ...(resultsFile === undefined
        ? []
        : [['json', { outputFile: resultsFile }] as [string, Record<string, unknown>]]),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', SLOW, PACKED, ...ALONE],
          // Each of the two processes loads a module once, for all its test files.
          isolate: false,
          ...VIRTUAL_TIME,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, ...VIRTUAL_TIME } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [SLOW, PAGES],
          ...WHOLE_PROCESSES,
          // After the others: whole daemons keep real time, and should not wait for a busy machine.
          sequence: { groupOrder: 1 },
          ...MOSTLY_WAITING,
        },
      },
      {
        extends: true,
        test: { name: 'e2e pages', include: [PAGES], exclude: [SLOW], ...ONE_PAGE_AT_A_TIME },
      },
      {
        extends: true,
        test: { name: 'slow', include: [SLOW], exclude: ['test/e2e/**'], ...WHOLE_PROCESSES },
      },
      {
        extends: true,
        test: {
          name: 'slow e2e',
          include: ['test/e2e/**/*.slow.test.ts'],
          exclude: [SLOW_PAGES],
          ...WHOLE_PROCESSES,
          sequence: { groupOrder: 1 },
          ...MOSTLY_WAITING,
        },
      },
      { extends: true, test: { name: 'slow pages', include: [SLOW_PAGES], ...ONE_PAGE_AT_A_TIME } },
      { extends: true, test: { name: 'packed', include: [PACKED], ...WHOLE_PROCESSES } },
    ],
  },
});
