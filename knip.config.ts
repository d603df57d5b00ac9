import type { KnipConfig } from 'knip';

/** Entry points are what people and the machine start; everything else must be reached from them or from tests. */
const config: KnipConfig = {
  entry: [
    'src/cli/main.ts',
    'strategies/*.ts',
    'bench/**/*.bench.ts',
    'bench/{run,rate,exchange/*,load/*}.ts',
    'scripts/*.ts',
    'test/**/*.test.ts',
    'test/crash/retention-process.ts',
  ],
  project: ['src/**/*.ts', 'strategies/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
  ignoreExportsUsedInFile: true,
  // Started by path from scripts/check.ts, so that no shell and no shim stands between.
  ignoreDependencies: ['@typescript/native', 'dependency-cruiser'],
};

export default config;
