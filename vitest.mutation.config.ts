import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutation` judges: those of risk and of the order lifecycle. */
export default defineConfig({
  test: {
    include: ['test/risk/**/*.test.ts', 'test/domain/lifecycle.test.ts'],
    pool: 'forks',
    testTimeout: 15_000,
  },
});
