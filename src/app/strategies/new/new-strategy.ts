import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TouchlineError } from '../../../domain/errors.ts';
import { BUNDLED_STRATEGIES } from '../../../strategy/loader.ts';
import { ROOT_FOLDER } from '../../adapters/own-files.ts';
import { pureFiles, streamFiles } from './templates.ts';

export interface NewStrategy {
  readonly name: string;
  /** Absolute path. It must be empty, or not exist. */
  readonly folder: string;
  readonly form: 'pure' | 'stream';
}

/** What was written. */
export interface WrittenStrategy {
  readonly folder: string;
  readonly files: readonly string[];
  /** Whether Touchline is installed around the folder. Otherwise `npm install` comes before `npm test`. */
  readonly isInstalled: boolean;
}

/** A name that npm accepts, and that does not look like a path. */
const NAME = /^[a-z][a-z0-9-]{0,60}$/;

/**
 * Writes a folder with a strategy, its test and its package. Throws TouchlineError: `usage` for a bad name, `exists` for a folder
 * that holds something, because nothing is overwritten.
 */
export function writeStrategy({ name, folder, form }: NewStrategy): WrittenStrategy {
  if (!NAME.test(name))
    throw new TouchlineError(
      'usage',
      `the name ${name} is not of small letters, digits and hyphens, such as my-edge`,
    );
  if (BUNDLED_STRATEGIES.includes(name))
    throw new TouchlineError('usage', `${name} is the name of a bundled strategy; choose another`);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new TouchlineError(
      'exists',
      `${folder} is not empty, and nothing is overwritten; choose another with --dir`,
    );
  const isInstalled = findsTouchline(folder);
  const naming = { name, touchline: isInstalled ? null : pathToFileURL(ROOT_FOLDER).href };
  const files = form === 'pure' ? pureFiles(naming) : streamFiles(naming);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return { folder, files: Object.keys(files), isInstalled };
}

/** Whether a module in the folder would find Touchline. */
function findsTouchline(folder: string): boolean {
  try {
    createRequire(path.join(folder, 'strategy.ts')).resolve('touchline/package.json');
    return true;
  } catch {
    return false;
  }
}
