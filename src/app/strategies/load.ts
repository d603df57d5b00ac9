import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../domain/errors.ts';
import type { Strategy } from '../../strategy/contract.ts';
import { loadStrategy, strategyFolder } from '../../strategy/loader.ts';
import { bundledStrategyUrl } from '../adapters/own-files.ts';
import { pluginsAt, strategyFileAt } from '../adapters/plugins.ts';
import { placeOfLoadFault } from './load-fault.ts';

const LOADER = pluginsAt(bundledStrategyUrl);

type ImportModule = (url: string) => Promise<unknown>;

/** The strategy with this name or path. A process reads a file once. Throws ConfigError. */
export const strategyNamed = (
  specifier: string,
  importModule: ImportModule = LOADER.importModule,
): Promise<Strategy> => loadStrategy(strategyFileAt(specifier), { ...LOADER, importModule });

/** The folder of a strategy's code, as a URL that ends in `/`. Throws ConfigError if the name is neither bundled nor a path. */
export const folderOfStrategy = (specifier: string): string =>
  strategyFolder(strategyFileAt(specifier), LOADER);

/** A strategy and the absolute path of its file. */
export interface StrategyFile {
  readonly strategy: Strategy;
  readonly file: string;
  /** The folder of the file. */
  readonly folder: string;
}

/**
 * The strategy with this name or path, and its file. Throws ConfigError, whose detail `where` is the `file:line` that keeps the strategy
 * from being loaded, or null if it is not known.
 */
export async function strategyFileNamed(specifier: string): Promise<StrategyFile> {
  let file = '';
  try {
    const strategy = await strategyNamed(specifier, (url) => {
      if (url.startsWith('file:')) file = fileURLToPath(url);
      return LOADER.importModule(url);
    });
    return { strategy, file, folder: path.dirname(file) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const where = existsSync(file) ? placeOfLoadFault(file, error.cause) : null;
    throw new ConfigError(error.message, { ...error.details, where }, error.cause);
  }
}

/** The same, with the place of the fault in the message of the error: for commands that show nothing else of it. */
export async function strategyToRun(specifier: string): Promise<StrategyFile> {
  try {
    return await strategyFileNamed(specifier);
  } catch (error) {
    if (!(error instanceof ConfigError) || typeof error.details['where'] !== 'string') throw error;
    throw new ConfigError(`${error.message} (${error.details['where']})`, error.details, error.cause);
  }
}
