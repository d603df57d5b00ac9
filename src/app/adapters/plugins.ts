import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import type { LoaderDeps } from '../../strategy/loader.ts';

/** Base of relative plugin paths. */
const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;

/** Loads plugins relative to the working directory. */
export const pluginsAt = (bundledUrl: LoaderDeps['bundledUrl']): LoaderDeps => ({
  importModule: (url) => {
    findOurselves();
    return import(url);
  },
  bundledUrl,
  baseUrl: WORKING_DIRECTORY_URL,
});

/** What a path without its last part can mean, in the order of preference. */
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '/strategy.ts', '/strategy.js', '/strategy.mjs'];

/**
 * The file that a path of a strategy means: itself, the same with the ending of a module, or the file `strategy` in the folder. A name
 * without any `/`, and a path to which nothing fits, stay as they are.
 */
export function strategyFileAt(specifier: string): string {
  if (!/[/\\]/.test(specifier) || URL.canParse(specifier) || isFile(specifier)) return specifier;
  const bare = specifier.replace(/[/\\]+$/, '');
  return ENDINGS.map((ending) => bare + ending).find(isFile) ?? specifier;
}

const isFile = (path: string): boolean =>
  statSync(join(cwd(), path), { throwIfNoEntry: false })?.isFile() === true ||
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const OURS = /^touchline(\/|$)/;
let isFinding = false;

/**
 * A strategy in a folder of its own imports `touchline/strategy` also where nobody has installed the package beside it: the one that runs
 * it is meant. A package that is installed there comes first.
 */
function findOurselves(): void {
  if (isFinding) return;
  isFinding = true;
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!OURS.test(specifier) || !isMissing(error)) throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

const isMissing = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND';
