import { dirname, resolve } from 'node:path';
import { sessionsPath } from '../admin/session-file.ts';
import { configuredTokens } from '../admin/tokens.ts';
import { refuseSharedFile, refuseSharedFolder } from '../adapters/shared-places.ts';
import type { Config } from '../config/load.ts';
import { overridesPath, realName } from '../journal/account-paths.ts';

/**
 * Throws ConfigError if other users can change what a run keeps on disk: the folder of its journal, the parameters that a person changed, the
 * folder of its tokens, the sessions of browsers. Reads nothing from these places, so this comes first.
 */
export function checkOwnPlaces(config: Pick<Config, 'admin' | 'journal'>): void {
  const { path } = config.journal;
  if (path !== '') {
    const folders = new Set([dirname(resolve(path)), dirname(realName(resolve(path)))]);
    for (const folder of folders) refuseSharedFolder(folder, 'the folder of the journal');
    refuseSharedFile(overridesPath(path), 'the parameters of this file');
  }
  const tokens = configuredTokens(config);
  if (tokens === null) return;
  refuseSharedFolder(tokens, 'the folder of the tokens');
  refuseSharedFile(sessionsPath(tokens), 'the sessions of browsers');
}
