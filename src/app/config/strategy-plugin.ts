import { loadPlugin } from '../../strategy/loader.ts';
import type { StrategyPlugin } from '../../strategy/sdk.ts';
import type { Config } from './load.ts';
import { STRATEGIES_URL, WORKING_DIRECTORY_URL } from './paths.ts';

/** The strategy that a configuration names; a file is read once by a process. Throws ConfigError. */
export const strategyPlugin = ({ strategy }: Pick<Config, 'strategy'>): Promise<StrategyPlugin> =>
  loadPlugin(strategy.name, {
    importModule: (url) => import(url),
    bundledUrl: STRATEGIES_URL,
    baseUrl: WORKING_DIRECTORY_URL,
  });
