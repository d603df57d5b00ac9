import { cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import { loadStrategy } from '../../strategy/loader.ts';
import type { Strategy } from '../../strategy/contract.ts';
import { bundledStrategyUrl } from '../adapters/own-files.ts';

/** Base of relative paths of strategies. */
const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;

/**
 * The strategy with this name or path; a process reads a file once. `importModule` learns the address of its file. Throws
 * ConfigError.
 */
export const strategyNamed = (
  specifier: string,
  importModule: (url: string) => Promise<unknown> = (url) => import(url),
): Promise<Strategy> =>
  loadStrategy(specifier, { importModule, bundledUrl: bundledStrategyUrl, baseUrl: WORKING_DIRECTORY_URL });
