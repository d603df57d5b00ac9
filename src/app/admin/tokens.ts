import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type AccessScope, SCOPES, type Tokens } from '../../ops/access.ts';
import { refuseSharedFile, refuseSharedFolder } from '../adapters/shared-places.ts';
import { giveToOwner } from '../adapters/small-file.ts';
import { randomToken } from '../adapters/this-machine.ts';
import type { Config } from '../config/load.ts';
import { tokensPath } from '../journal/account-paths.ts';

const OWNER_ALONE = 0o600;
const FOLDER_OF_OWNER = 0o700;
const SHORTEST_TOKEN = 32;

/** The file of a scope's token in a folder of tokens. */
export const tokenFile = (folder: string, scope: AccessScope): string => join(folder, `${scope}.token`);

/** The folder of tokens that a configuration names or implies; null if there is none, since the journal is in memory. */
export function configuredTokens({ admin, journal }: Pick<Config, 'admin' | 'journal'>): string | null {
  if (admin.tokens !== '') return admin.tokens;
  return journal.path === '' ? null : tokensPath(journal.path);
}

/** New random tokens. */
export const randomTokens = (): Tokens => ({
  read: randomToken(),
  reduce: randomToken(),
  control: randomToken(),
});

/**
 * Throws ConfigError if a start could not use the tokens of a folder, or could not make those that are missing. Makes nothing. A file holds
 * no token if it cannot be read, is too short, or is open to others; a folder cannot if others can write it.
 */
export function checkTokens(folder: string): void {
  const files = SCOPES.map((scope) => tokenFile(folder, scope));
  const missing = files.find((file) => !existsSync(file));
  refuseSharedFolder(folder, 'the folder of the tokens');
  for (const file of files) if (existsSync(file)) ownToken(file);
  if (missing === undefined) return;
  try {
    accessSync(nearestFolder(folder), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotHold(folder, error);
  }
}

/** The folder, or the nearest one above it that exists. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

const cannotHold = (folder: string, error: unknown): ConfigError =>
  new ConfigError(`admin.tokens: ${folder} cannot hold the tokens: ${reasonOf(error)}`, { folder });

/**
 * Reads the tokens of a folder. Creates the folder and the missing files, readable by their owner alone; what root creates belongs
 * to the owner of the path `like`. Throws ConfigError if a file cannot be read or written, holds a short token, or is open to others, and if others can write the folder.
 */
export function openTokens(folder: string, like: string): Tokens {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_OF_OWNER });
    giveToOwner(folder, like);
    const made = randomTokens();
    for (const scope of SCOPES) writeIfAbsent(tokenFile(folder, scope), made[scope], like);
  } catch (error) {
    throw cannotHold(folder, error);
  }
  refuseSharedFolder(folder, 'the folder of the tokens');
  return {
    read: ownToken(tokenFile(folder, 'read')),
    reduce: ownToken(tokenFile(folder, 'reduce')),
    control: ownToken(tokenFile(folder, 'control')),
  };
}

/** Writes tokens into a folder that the process owns alone, over those of an earlier run. */
export function writeTokens(folder: string, tokens: Tokens): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_OF_OWNER });
  for (const scope of SCOPES) {
    rmSync(tokenFile(folder, scope), { force: true });
    writeIfAbsent(tokenFile(folder, scope), tokens[scope], folder);
  }
}

function writeIfAbsent(path: string, token: string, like: string): void {
  try {
    writeFileSync(path, `${token}\n`, { flag: 'wx', mode: OWNER_ALONE });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  chmodSync(path, OWNER_ALONE);
  giveToOwner(path, like);
}

function ownToken(path: string): string {
  const token = readToken(path);
  const problem = token === null ? 'cannot be read' : token.length < SHORTEST_TOKEN ? 'is too short' : null;
  if (token === null || problem !== null)
    throw new ConfigError(`${path} ${problem}: remove it, and the next start makes a new token`, { path });
  refuseSharedFile(path, 'this token');
  return token;
}

/** The token in a file; null if the file cannot be read. */
export function readToken(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** The token of a folder that allows most, of those that this user can read; null if there is none. */
export function strongestToken(folder: string): string | null {
  for (const scope of SCOPES.toReversed()) {
    const token = readToken(tokenFile(folder, scope));
    if (token !== null && token !== '') return token;
  }
  return null;
}
