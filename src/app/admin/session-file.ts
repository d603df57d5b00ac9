import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionFile } from '../../ops/dashboard/sessions.ts';
import { refuseSharedFile } from '../adapters/shared-places.ts';
import { giveToOwner } from '../adapters/small-file.ts';

const OWNER_ALONE = 0o600;

export const sessionsPath = (folder: string): string => join(folder, 'sessions.json');

/**
 * The file of codes and sessions in a folder of tokens. It is replaced whole, so a reader never sees half of it. Throws ConfigError if
 * other users have access to it: they could give themselves a session.
 */
export function sessionFile(folder: string): SessionFile {
  const path = sessionsPath(folder);
  refuseSharedFile(path, 'the sessions of browsers');
  const unfinished = `${path}.new`;
  return {
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    write(text) {
      // One that is there would keep its own mode.
      rmSync(unfinished, { force: true });
      writeFileSync(unfinished, text, { flag: 'wx', mode: OWNER_ALONE });
      giveToOwner(unfinished, folder);
      renameSync(unfinished, path);
    },
  };
}
