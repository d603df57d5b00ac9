/** Where the files of an account are, by the path of its journal. This file loads fast, because a kill must not wait. */
import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Longer chains of links count as circular and lead nowhere. */
const MOST_LINKS = 40;

/** The one name of a journal. A link to it means the same account, even before the journal exists. */
export function realName(path: string, links = MOST_LINKS): string {
  if (existsSync(path)) return realpathSync(path);
  const target = links === 0 ? null : targetOf(path);
  return target === null ? path : realName(target, links - 1);
}

/** The target of a link; null for any other file. */
function targetOf(path: string): string | null {
  try {
    return resolve(realpathSync(dirname(path)), readlinkSync(path));
  } catch {
    return null;
  }
}

export const permitPath = (path: string): string => `${realName(path)}.permit`;

export const markPath = (path: string): string => `${realName(path)}.mark`;

/** The history of the account, beside the journal at `path`. */
export const historyPath = (path: string): string => `${realName(path)}.history`;

/** The parameters that a person changed while the daemon ran, beside the journal at `path`. */
export const overridesPath = (path: string): string => `${realName(path)}.overrides.toml`;

/** The folder of the admin interface's tokens, beside the journal at `path`. */
export const tokensPath = (path: string): string => `${realName(path)}.tokens`;

/** The journal that a folder of tokens lies beside; null for any other folder. */
export const journalOfTokens = (folder: string): string | null =>
  folder.endsWith('.tokens') ? folder.slice(0, -'.tokens'.length) : null;

/** The folder of the copies that upgrades make, beside the journal at `path`. */
export const backupsPath = (path: string): string => `${realName(path)}.backups`;

/** The record of a strategy that hung, beside the journal at `path`. */
export const hangPath = (path: string): string => `${realName(path)}.hang`;

export const lockPath = (path: string): string => `${path}.lock`;

/** What `touchline prove` found out, beside the journal at `path`. */
export const proofPath = (path: string): string => `${realName(path)}.proof`;
