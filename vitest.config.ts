import { defineConfig } from 'vitest/config';

/** Where `.ci/run` asks for the machine-readable results; nobody else does. */
const resultsFile = process.env['TOUCHLINE_TEST_RESULTS'];

/** Two workers, because the suites must hold on two cores; forks, so that no test meets what another left behind. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    reporters: resultsFile === undefined ? ['default'] : ['default', ['json', { outputFile: resultsFile }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
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
          testTimeout: 120_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          // After the others: whole daemons keep real time, and should not wait for a busy machine.
          sequence: { groupOrder: 1 },
          // Most of the time they wait: for prices, for quotes, for the exchange to answer.
          maxWorkers: 4,
          maxConcurrency: 3,
        },
      },
    ],
  },
});
