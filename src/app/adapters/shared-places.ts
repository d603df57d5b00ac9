/** Refuses files and folders that other users of the machine can change. Whoever changes them commands the daemon. */
import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { ConfigError } from '../../domain/errors.ts';
import { realName } from '../journal/account-paths.ts';

/** Permission bits: what the group and all other users may do. */
const OTHERS_ANYTHING = 0o077;
const OTHERS_WRITE = 0o022;
const ALL_WRITE = 0o002;
/** In such a folder, as in `/tmp`, only its owner can replace a file. */
const STICKY = 0o1000;

/**
 * Throws ConfigError if other users can write a folder, or replace it since they can write one above it. `what` names it for people. A folder
 * that does not exist is left to whoever makes it.
 */
export function refuseSharedFolder(folder: string, what: string): void {
  const problem = problemOf(resolve(folder)) ?? problemOf(realName(resolve(folder)));
  if (problem === null) return;
  throw new ConfigError(
    `${folder}: other users can ${problem.deed} ${what}: run chmod ${problem.fix} on ${problem.path}`,
    { path: problem.path },
  );
}

/** Throws ConfigError if other users have any access to a file, if it exists. `what` names it for people. */
export function refuseSharedFile(path: string, what: string): void {
  if (!hasBits(statOf(path), OTHERS_ANYTHING)) return;
  throw new ConfigError(`${path}: other users have access to ${what}: run chmod 600 on it`, { path });
}

interface Problem {
  readonly deed: 'write' | 'replace';
  readonly path: string;
  readonly fix: string;
}

function problemOf(folder: string): Problem | null {
  if (hasBits(statOf(folder), OTHERS_WRITE)) return { deed: 'write', path: folder, fix: 'go-w' };
  const above = foldersAbove(folder).find((path) => {
    const stats = statOf(path);
    return hasBits(stats, ALL_WRITE) && !hasBits(stats, STICKY);
  });
  return above === undefined ? null : { deed: 'replace', path: above, fix: 'o-w' };
}

function foldersAbove(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...foldersAbove(parent)];
}

/** Windows has no such bits. */
const hasBits = (stats: Stats | null, bits: number): boolean =>
  stats !== null && process.platform !== 'win32' && (stats.mode & bits) !== 0;

/** Null if there is nothing, or nothing that this user can see. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
