import { cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import { loadPlugin } from '../../strategy/loader.ts';
import type { StrategyPlugin } from '../../strategy/sdk.ts';
import { bundledStrategyUrl } from '../adapters/own-files.ts';
import type { Config } from './load.ts';

/** Base of relative plugin paths. */
export const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;

/** The strategy that a configuration names. A process reads the file once. Throws ConfigError. */
export const strategyPlugin = ({ strategy }: Pick<Config, 'strategy'>): Promise<StrategyPlugin> =>
  loadPlugin(strategy.name, {
    importModule: (url) => import(url),
    bundledUrl: bundledStrategyUrl,
    baseUrl: WORKING_DIRECTORY_URL,
  });
