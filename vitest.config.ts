import { defineConfig } from 'vitest/config';

/** Where `.ci/run` asks for the machine-readable results; nobody else does. */
const resultsFile = process.env['TOUCHLINE_TEST_RESULTS'];

/** Tests of minutes: `npm run test:slow` runs them, `npm test` does not. */
const SLOW = 'test/**/*.slow.test.ts';

const WHOLE_PROCESSES = {
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
};

/** Whole daemons wait for prices, for quotes and for the exchange to answer. */
const MOSTLY_WAITING = { maxWorkers: 4, maxConcurrency: 3 };

/** Two workers, because the suites must hold on two cores; forks, so that no test meets what another left behind. */
export default defineConfig({
  test: {
    pool: 'forks',
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
          exclude: ['test/e2e/**', SLOW],
          // Only bounds, as those below: wide enough for a machine that is busy with something else.
          testTimeout: 60_000,
          hookTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [SLOW],
          ...WHOLE_PROCESSES,
          // After the others: whole daemons keep real time, and should not wait for a busy machine.
          sequence: { groupOrder: 1 },
          ...MOSTLY_WAITING,
        },
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
          ...WHOLE_PROCESSES,
          sequence: { groupOrder: 1 },
          ...MOSTLY_WAITING,
        },
      },
    ],
  },
});
