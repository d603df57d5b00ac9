import { cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import type { LoaderDeps } from '../../strategy/loader.ts';

/** Base of relative plugin paths. */
const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;

/** Loads plugins relative to the working directory. */
export const pluginsAt = (bundledUrl: LoaderDeps['bundledUrl']): LoaderDeps => ({
  importModule: (url) => import(url),
  bundledUrl,
  baseUrl: WORKING_DIRECTORY_URL,
});
