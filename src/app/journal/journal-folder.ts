import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { realName } from './account-paths.ts';

/** The fault of a journal whose folder is missing, with what a person has to do; null if the folder is there. */
export function missingFolder(path: string): ConfigError | null {
  const folder = dirname(realName(resolve(path)));
  if (existsSync(folder)) return null;
  const advice = 'make the folder, or name another one: a start ends with exit code 78 until then';
  return new ConfigError(`journal.path = "${path}": make the folder ${folder}: there is none`, {
    path,
    advice,
  });
}

/** Throws ConfigError if the folder of a journal is missing. */
export function mustHaveFolder(path: string): void {
  const fault = missingFolder(path);
  if (fault !== null) throw fault;
}
