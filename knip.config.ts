import type { KnipConfig } from 'knip';

/** Entry points are what people and the machine start; everything else must be reached from them or from tests. */
const config: KnipConfig = {
  entry: [
    'src/cli/main.ts',
    'strategies/*.ts',
    'strategies/*/index.ts',
    'bench/**/*.bench.ts',
    'scripts/*.ts',
    'test/**/*.test.ts',
  ],
  project: ['src/**/*.ts', 'strategies/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
  ignoreExportsUsedInFile: true,
  // Started by path from scripts/check.ts, so that no shell and no shim stands between.
  ignoreDependencies: [
    '@typescript/native',
    'dependency-cruiser',
    'prettier',
    ...['@types/convict', '@types/ws', 'commander', 'convict', 'fast-check', 'fastify', 'mitata', 'pino'],
    ...['prom-client', 'smol-toml', 'undici', 'ws', 'zod'],
  ],
};

export default config;
