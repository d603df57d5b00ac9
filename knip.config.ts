import type { KnipConfig } from 'knip';

/** Entry points are what people and the machine start; everything else must be reached from them or from tests. */
const config: KnipConfig = {
  entry: [
    'src/cli/main.ts',
    'src/app/simulated/exchange-thread.ts',
    'src/app/research/sweep-thread.ts',
    'src/app/watchdog/watchdog-thread.ts',
    'src/web/report/main.tsx',
    'src/web/dashboard/main.tsx',
    'src/web/dashboard/stream/worker.ts',
    'strategies/**/*.ts',
    'bench/**/*.bench.ts',
    'bench/{run,rate,papers,starts,exchange/*,first-pass/*,load/*,starts/*}.ts',
    'scripts/*.ts',
    'test/**/*.test.ts',
    'scripts/soak/{collect,exchange-process}.ts',
    'scripts/worlds/{exchange,hurry,strategy}.ts',
    'scripts/mutation/{lane-process,counting-runner,vitest.config}.ts',
    'test/crash/retention-process.ts',
    'test/support/{one-sided,taking}-strategy.ts',
    'test/support/skipped-files.ts',
  ],
  project: ['src/**/*.{ts,tsx}', 'strategies/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
  // Not loaded: the libraries of linter and test runner take longer than half of the project.
  eslint: { config: [], entry: ['eslint.config.js'] },
  vitest: { config: [], entry: ['vitest.config.ts'] },
  ignoreExportsUsedInFile: true,
  // These are started by path, from scripts and from tests.
  ignoreDependencies: [
    '@typescript/native',
    'dependency-cruiser',
    'oxlint',
    'oxlint-tsgolint',
    'publint',
    '@arethetypeswrong/cli',
    'axe-core',
  ],
  // Programs of the machine.
  ignoreBinaries: ['systemd-notify', 'systemd-analyze', 'bzip2', 'mkfifo', 'openssl', 'promtool'],
};

export default config;
