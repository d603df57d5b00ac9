import { cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../domain/errors.ts';
import type { LoaderDeps } from '../../strategy/loader.ts';

/** Base of relative plugin paths. */
const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;

/** Loads plugins relative to the working directory. */
export const pluginsAt = (bundledUrl: LoaderDeps['bundledUrl']): LoaderDeps => ({
  importModule: (url) => import(url),
  bundledUrl,
  baseUrl: WORKING_DIRECTORY_URL,
});

/** The same ConfigError in other words; any other error as it is. */
export const reworded = (error: unknown, words: (message: string) => string): unknown =>
  error instanceof ConfigError ? new ConfigError(words(error.message), error.details) : error;
