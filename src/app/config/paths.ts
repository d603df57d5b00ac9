import { cwd } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadPlugin } from '../../strategy/loader.ts';
import type { StrategyPlugin } from '../../strategy/sdk.ts';
import type { Config } from './load.ts';

/** Absolute path of a configuration that ships with Touchline. */
export function bundledConfig(name: 'simulated' | 'recorded'): string {
  return fileURLToPath(new URL(`../../../config/${name}.toml`, import.meta.url));
}

/** Address of the folder of bundled strategies. */
export const STRATEGIES_URL = new URL('../../../strategies/', import.meta.url).href;

/** Base of relative plugin paths. */
export const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;

/** The strategy that a configuration names. A process reads the file once. Throws ConfigError. */
export const strategyPlugin = ({ strategy }: Pick<Config, 'strategy'>): Promise<StrategyPlugin> =>
  loadPlugin(strategy.name, {
    importModule: (url) => import(url),
    bundledUrl: STRATEGIES_URL,
    baseUrl: WORKING_DIRECTORY_URL,
  });
