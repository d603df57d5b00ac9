import path from 'node:path';
import { cwd } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Strategy } from '../../strategy/contract.ts';
import { loadStrategy, strategyFolder } from '../../strategy/loader.ts';
import { bundledStrategyUrl } from '../adapters/own-files.ts';

/** Base of relative paths of strategies. */
const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;

const LOCATIONS = { bundledUrl: bundledStrategyUrl, baseUrl: WORKING_DIRECTORY_URL };

type ImportModule = (url: string) => Promise<unknown>;

const importAny: ImportModule = (url) => import(url);

/** The strategy with this name or path. A process reads a file once. Throws ConfigError. */
export const strategyNamed = (specifier: string, importModule: ImportModule = importAny): Promise<Strategy> =>
  loadStrategy(specifier, { ...LOCATIONS, importModule });

/** The folder of a strategy's code, as a URL that ends in `/`. Throws ConfigError if the name is neither bundled nor a path. */
export const folderOfStrategy = (specifier: string): string => strategyFolder(specifier, LOCATIONS);

/** A strategy and the absolute path of its file. */
export interface StrategyFile {
  readonly strategy: Strategy;
  readonly file: string;
  /** The folder of the file. */
  readonly folder: string;
}

/** The strategy with this name or path, and its file. Throws ConfigError. */
export async function strategyFileNamed(specifier: string): Promise<StrategyFile> {
  let file = '';
  const strategy = await strategyNamed(specifier, (url) => {
    if (url.startsWith('file:')) file = fileURLToPath(url);
    return importAny(url);
  });
  return { strategy, file, folder: path.dirname(file) };
}
