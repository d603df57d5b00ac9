/**
 * Keeps the compiled form of our modules between commands, so that a command starts in half the time. A daemon starts seldom, and reads no
 * code but ours. Whoever can write these files
 * commands the program, so they lie only in a folder of this user alone. Imports nothing that takes time to load.
 */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';
import { refuseSharedFolder } from './shared-places.ts';

const FOLDER_OF_OWNER = 0o700;

/**
 * Reads and writes the compiled form of every module that is loaded from now on. Does nothing where `NODE_COMPILE_CACHE` has chosen a folder, or where no folder is safe or writable. Never throws.
 */
export function keepCompiledModules(): void {
  if (getCompileCacheDir() !== undefined) return;
  const folder = safeFolder(compiledFolder(process.env, process.platform));
  if (folder !== null) enableCompileCache(folder);
}

/** The folder of compiled modules in the user's folder of caches; null if there is none. */
export function compiledFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const caches = cachesOf(environment, platform);
  return isAbsolute(caches) ? join(caches, 'touchline', 'compiled') : null;
}

function cachesOf(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return environment['LOCALAPPDATA'] ?? '';
  const { XDG_CACHE_HOME: named = '', HOME: home = homeOrNone() } = environment;
  // The specification of XDG ignores a relative path.
  if (isAbsolute(named)) return named;
  return home === '' ? '' : join(home, platform === 'darwin' ? 'Library/Caches' : '.cache');
}

/** The user of a container may have no home, and asking for it may then throw. */
function homeOrNone(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** The same folder, made if it is missing; null if it cannot be made, or if another user owns it or can write or replace it. */
export function safeFolder(folder: string | null): string | null {
  if (folder === null) return null;
  try {
    makeFolder(folder);
    refuseSharedFolder(folder, 'the compiled modules');
    return isOurFolder(folder) ? folder : null;
  } catch {
    return null;
  }
}

/** Not by Node's `recursive`, which tries forever on a file system that lets nobody make folders, such as `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, FOLDER_OF_OWNER);
}

/** A link counts as none: its target may be anywhere. Windows has no such owners. */
function isOurFolder(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}
